// @ts-check
/**
 * <gpu-check>: makes a check lab that the site wrote as complete HTML usable. It knows no rule, no language and no layout:
 * it sends the text to labs.browser.respond in the worker, and shows the HTML and the marks that come back. Its state is the
 * text, the node and the deployer; a draft of it is kept in the store.
 *
 * @typedef {{text: string, node: string, deployer: string, sample: string, edited: boolean}} State
 */
import { Changes } from "./changes.js";
import { EditedText } from "./editing.js";
import { LabFrame } from "./frame.js";
import { leaveLink, linkFor } from "./links.js";
import { showRegion } from "./regions.js";
import { runtime } from "./runtime.js";
import { copyCommand, save, share } from "./taking.js";

const TYPING_PAUSE = 120; // milliseconds
const AWAITED = ["summary", "findings"]; // what the next answer replaces; the status is read out meanwhile
const MEASURE = "gpu-check"; // from the question to what is shown, for benchmarks/pages.py
const FIELDS = ["node", "deployer", "sample"];

class GpuCheck extends HTMLElement {
  #changes = new Changes();
  /** @type {EditedText | undefined} */
  #edited;
  /** @type {Promise<void> | null} while Python is told what the reader did */
  #working = null;
  /** @type {LabFrame | undefined} */
  #framed;
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  #typing;
  /** @type {State | undefined} as the site wrote it */
  #first;
  #own = false; // whether the text is the reader's, and no sample's
  #upgraded = false;

  connectedCallback() {
    if (this.#upgraded) return;
    this.#upgraded = true;
    this.#framed = new LabFrame(this);
    this.querySelector("form")?.reset(); // a browser may have kept other choices over a reload
    this.#edited = new EditedText(this, () => this.#onTyped());
    this.#first = this.#state;
    this.#restore();
    this.addEventListener("change", (event) => this.#onChange(event));
    this.addEventListener("click", (event) => this.#onClick(event));
    addEventListener("hashchange", () => this.#openLink() && this.#work());
    this.#frame.whenNear(
      (saves) => this.#onNear(saves),
      () => this.#warmUp(),
    );
  }

  #restore() {
    const draft = readState(this.#frame.drafts.text);
    if (draft) {
      this.#set(draft);
      this.#changes.add({ text: true });
    }
    this.#frame.sayOpened("");
    this.#openLink();
  }

  /** @returns {boolean} whether the page's address holds a link for this lab, which Python is then to open */
  #openLink() {
    const link = linkFor(this);
    if (link === null) return false;
    this.#changes.add({ link });
    this.scrollIntoView();
    return true;
  }

  /** @param {boolean} saves whether the reader saves data */
  #onNear(saves) {
    if (!this.#changes.empty) this.#work();
    if (!saves) this.#text.upgrade();
  }

  /** Has Python loaded, and its first answer, the slowest, given before the reader asks; it also marks the text. */
  async #warmUp() {
    if (this.#working) return;
    let text = "";
    const outcome = await runtime.ask(() => {
      text = this.#text.value;
      return this.#request(undefined);
    });
    if (outcome.kind === "answer" && outcome.response.marks && this.#text.value === text) this.#text.marks = outcome.response.marks;
  }

  #onTyped() {
    this.#own = true;
    this.#keepDraft();
    clearTimeout(this.#typing);
    this.#typing = setTimeout(() => this.#tell({ text: true }), TYPING_PAUSE);
  }

  /** @param {Event} event */
  #onChange({ target }) {
    if (!(target instanceof HTMLSelectElement)) return;
    const { field } = target.dataset;
    if (field === "sample") this.#replace({ sample: target.value });
    else if (field) this.#tell({ text: true });
  }

  /** @param {MouseEvent} event */
  #onClick(event) {
    const target = event.target instanceof Element ? event.target.closest("a, button") : null;
    if (target instanceof HTMLAnchorElement && target.dataset.from !== undefined) {
      event.preventDefault();
      this.#text.select(Number(target.dataset.from), Number(target.dataset.to));
    } else if (target instanceof HTMLButtonElement) {
      this.#act(target);
    }
  }

  /** @param {HTMLButtonElement} button */
  #act({ dataset: { action, fix, file = "", head = "" } }) {
    if (fix !== undefined) {
      this.#own = true;
      this.#tell({ fix });
    } else if (action === "reset") this.#replace({ reset: true });
    else if (action === "retry") this.#retry();
    else if (action === "share") share(this, this.#link());
    else if (action === "copy") copyCommand(this);
    else if (action === "download") save(file, head.replace("{command}", this.#frame.region("command")?.textContent ?? ""), this.#text.value);
    else if (action === "restore") this.#bringBack();
    else if (action === "discard") this.#frame.drop();
  }

  /** @returns {Promise<{fragment: string} | {notice: string | null}>} what Python calls the lab as it stands */
  async #link() {
    await this.#working; // so that the link is to what the reader sees next
    return this.#frame.link(() => this.#request(undefined));
  }

  /**
   * Another text takes the place of this one, which is set aside where it is the reader's.
   * @param {{sample: string} | {reset: true}} change
   */
  #replace(change) {
    this.#setAside();
    this.#tell(change);
    this.#own = false;
    this.#frame.sayOpened("");
  }

  #setAside() {
    if (this.#own) this.#frame.drafts.setAside(JSON.stringify(this.#state));
  }

  /** What another text took the place of; what is shown now is set aside in its turn. */
  #bringBack() {
    const state = readState(this.#frame.drafts.takeAside() ?? null);
    if (!state) return;
    this.#setAside();
    this.#set(state);
    this.#keepDraft();
    this.#tell({ text: true });
    this.#frame.sayOpened("");
  }

  /** Tells what was on its way when Python went down; nothing was when Python itself found the error. */
  #retry() {
    if (this.#changes.empty) this.#changes.add({ text: true });
    this.#work();
  }

  /** @param {any} change */
  #tell(change) {
    clearTimeout(this.#typing);
    if (linkFor(this) !== null) {
      leaveLink();
      this.#frame.sayOpened("");
    }
    this.#changes.add(change);
    this.#work();
  }

  #work() {
    this.#working ??= this.#tellAll().finally(() => { this.#working = null; });
  }

  /** Tells Python one change after the other until there is none. */
  async #tellAll() {
    this.#frame.markBusy(AWAITED, true);
    while (!this.#changes.empty) {
      /** @type {any} */
      let change;
      let [text, start] = ["", 0];
      const outcome = await this.#frame.ask(() => {
        change = this.#changes.take();
        text = this.#text.value;
        start = performance.now();
        return this.#request(change);
      });
      if (outcome.kind === "down") {
        if (change) this.#changes.addAgain(change);
        this.#frame.showFailure(outcome.cause, outcome.reason);
        break;
      }
      this.#frame.clearStatus();
      if (this.#changes.empty) this.#frame.markBusy(AWAITED, false); // before the new summary, which is then read out
      if (this.#text.value !== text || this.#text.composing) continue; // typed meanwhile, and told when it is done
      this.#show(outcome.response);
      performance.measure(MEASURE, { start });
    }
    this.#frame.markBusy(AWAITED, false);
  }

  /** @param {any} change */
  #request(change) {
    const { node, deployer, text } = this.#state;
    const longest = Number(this.dataset.longest);
    return {
      kind: "check",
      lab: this.#frame.id,
      lang: this.lang,
      element: this.id,
      rules: this.dataset.rules,
      node,
      deployer,
      text: text.slice(0, longest + 1), // what is longer is refused, whatever it is
      change: change === undefined || "text" in change ? null : change,
    };
  }

  /** @param {any} response see labs.teaching.check_lab.answer */
  #show(response) {
    if (response.error) {
      this.#frame.showFailure("crashed", response.error);
      return;
    }
    if (response.opened) {
      this.#setAside();
      this.#own = true;
    }
    if (response.text !== null && response.text !== undefined) this.#text.value = response.text;
    for (const [name, value] of Object.entries(response.fields ?? {})) this.#field(name, value);
    if (response.notice) this.#frame.sayOpened(response.notice);
    this.#text.marks = response.marks;
    this.toggleAttribute("data-own", response.own);
    for (const [name, html] of Object.entries(response.regions ?? {})) showRegion(this.#frame.region(name), html);
    this.#keepDraft();
  }

  #keepDraft() {
    const state = JSON.stringify(this.#state);
    this.#frame.drafts.text = state === JSON.stringify({ ...this.#first, edited: this.#own }) ? null : state;
  }

  /** @returns {State} */
  get #state() {
    const [node, deployer, sample] = FIELDS.map((name) => this.#field(name));
    return { text: this.#text.value, node, deployer, sample, edited: this.#own };
  }

  /** @param {State} state */
  #set(state) {
    this.#text.value = state.text;
    this.#own = state.edited;
    for (const [name, value] of Object.entries(state)) if (FIELDS.includes(name)) this.#field(name, value);
  }

  /**
   * @param {string} name
   * @param {string | undefined} value set where it is one of the choices
   */
  #field(name, value = undefined) {
    const field = this.#frame.find(`[data-field="${CSS.escape(name)}"]`);
    if (!(field instanceof HTMLSelectElement)) return "";
    if (value !== undefined && [...field.options].some((option) => option.value === value)) field.value = value;
    return field.value;
  }

  get #frame() {
    return /** @type {LabFrame} */ (this.#framed);
  }

  get #text() {
    return /** @type {EditedText} */ (this.#edited);
  }
}

/**
 * @param {string | null} kept
 * @returns {State | null}
 */
function readState(kept) {
  try {
    const state = JSON.parse(kept ?? "null");
    return typeof state?.text === "string" ? { ...state, edited: state.edited === true } : null;
  } catch {
    return null;
  }
}

customElements.define("gpu-check", GpuCheck);

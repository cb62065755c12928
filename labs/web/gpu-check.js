// @ts-check
/**
 * <gpu-check>: makes a check lab that the site wrote as complete HTML usable. It knows no rule, no language and no layout:
 * it sends the text to labs.browser.respond in the worker, and shows the HTML and the marks that come back. Its state is the
 * text, the node and the deployer; a draft of it is kept in the store.
 *
 * @typedef {{text: string, node: string, deployer: string, sample: string, edited: boolean}} State
 */
import { Changes } from "./changes.js";
import { Drafts } from "./drafts.js";
import { EditedText } from "./editing.js";
import { leaveLink, linkFor } from "./links.js";
import { showRegion } from "./regions.js";
import { runtime } from "./runtime.js";
import { followBoxes } from "./scrolling.js";
import { prefetch } from "./source.js";
import { copyCommand, save, share } from "./taking.js";
import { buttonFor, say } from "./words.js";

const NEAR = "600px";
const TYPING_PAUSE = 120; // milliseconds
const PROGRESS_STEP = 10; // percent; each new one is read out
const MEASURE = "gpu-check"; // from the question to what is shown, for benchmarks/pages.py
const FIELDS = ["node", "deployer", "sample"];

class GpuCheck extends HTMLElement {
  #changes = new Changes();
  /** @type {EditedText | undefined} */
  #edited;
  /** @type {Promise<void> | null} while Python is told what the reader did */
  #working = null;
  #linking = false;
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  #typing;
  /** @type {State | undefined} as the site wrote it */
  #first;
  #own = false; // whether the text is the reader's, and no sample's
  #upgraded = false;

  connectedCallback() {
    if (this.#upgraded) return;
    this.#upgraded = true;
    this.querySelector("form")?.reset(); // a browser may have kept other choices over a reload
    this.#edited = new EditedText(this, () => this.#onTyped());
    this.#first = this.#state;
    this.#restore();
    this.addEventListener("change", (event) => this.#onChange(event));
    this.addEventListener("click", (event) => this.#onClick(event));
    this.addEventListener("submit", (event) => event.preventDefault());
    addEventListener("hashchange", () => this.#openLink() && this.#work());
    for (const sign of ["pointerenter", "focusin"]) this.addEventListener(sign, () => runtime.start(), { once: true });
    runtime.onProgress((percent) => this.#onProgress(percent));
    this.#startWhenNear();
    followBoxes(this);
  }

  #restore() {
    const draft = readState(this.#drafts.text);
    if (draft) {
      this.#set(draft);
      this.#changes.add({ text: true });
    }
    this.#sayOpened("");
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

  #startWhenNear() {
    const observer = new IntersectionObserver(
      (entries) => {
        if (!entries.some((entry) => entry.isIntersecting)) return;
        observer.disconnect();
        if (!this.#changes.empty) this.#work();
        if (savesData()) return;
        this.#text.upgrade();
        prefetch().catch(() => {}); // only a head start: what is wrong shows when Python is loaded
        whenIdle(() => this.#warmUp());
      },
      { rootMargin: NEAR },
    );
    observer.observe(this);
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
    else if (action === "download") save(file, head.replace("{command}", this.#region("command")?.textContent ?? ""), this.#text.value);
    else if (action === "restore") this.#bringBack();
    else if (action === "discard") this.#drop();
  }

  /** @returns {Promise<{fragment: string} | {notice: string | null}>} what Python calls the lab as it stands */
  async #link() {
    await this.#working; // so that the link is to what the reader sees next
    this.#linking = true;
    const outcome = await runtime.ask(() => ({ ...this.#request(undefined), only: ["link"] }));
    this.#linking = false;
    this.#clearStatus();
    if (outcome.kind === "answer" && outcome.response.link) return { fragment: outcome.response.link };
    if (outcome.kind === "down") this.#showFailure(outcome.cause, outcome.reason);
    return { notice: outcome.kind === "down" ? null : (outcome.response.notice ?? outcome.response.error) };
  }

  /**
   * Another text takes the place of this one, which is set aside where it is the reader's.
   * @param {{sample: string} | {reset: true}} change
   */
  #replace(change) {
    this.#setAside();
    this.#tell(change);
    this.#own = false;
    this.#sayOpened("");
  }

  #setAside() {
    if (this.#own) this.#drafts.setAside(JSON.stringify(this.#state));
  }

  /** What another text took the place of; what is shown now is set aside in its turn. */
  #bringBack() {
    const state = readState(this.#drafts.takeAside() ?? null);
    if (!state) return;
    this.#setAside();
    this.#set(state);
    this.#keepDraft();
    this.#tell({ text: true });
    this.#sayOpened("");
  }

  #drop() {
    this.#drafts.takeAside();
    this.#sayOpened("");
  }

  /** @param {string} notice what became of a link; behind it, whether there are drafts to bring back */
  #sayOpened(notice) {
    const offer = ["restore", "discard"].map((action) => buttonFor(action, this.dataset[action]));
    say(this.#region("opened"), notice, ...(this.#drafts.hasAside ? [this.dataset.aside, ...offer] : []));
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
      this.#sayOpened("");
    }
    this.#changes.add(change);
    this.#work();
  }

  #work() {
    this.#working ??= this.#tellAll().finally(() => { this.#working = null; });
  }

  /** Tells Python one change after the other until there is none. */
  async #tellAll() {
    this.#markBusy(true);
    while (!this.#changes.empty) {
      /** @type {any} */
      let change;
      let [text, start] = ["", 0];
      const outcome = await runtime.ask(() => {
        change = this.#changes.take();
        text = this.#text.value;
        start = performance.now();
        return this.#request(change);
      });
      if (outcome.kind === "down") {
        if (change) this.#changes.addAgain(change);
        this.#showFailure(outcome.cause, outcome.reason);
        break;
      }
      this.#clearStatus();
      if (this.#changes.empty) this.#markBusy(false); // before the new summary, which is then read out
      if (this.#text.value !== text || this.#text.composing) continue; // typed meanwhile, and told when it is done
      this.#show(outcome.response);
      performance.measure(MEASURE, { start });
    }
    this.#markBusy(false);
  }

  /** @param {boolean} busy */
  #markBusy(busy) {
    for (const name of ["summary", "findings"]) {
      if (busy) this.#region(name)?.setAttribute("aria-busy", "true");
      else this.#region(name)?.removeAttribute("aria-busy");
    }
  }

  /** @param {any} change */
  #request(change) {
    const { node, deployer, text } = this.#state;
    const longest = Number(this.dataset.longest);
    return {
      kind: "check",
      lab: this.#lab,
      lang: this.lang,
      element: this.id,
      rules: this.dataset.rules,
      node,
      deployer,
      text: text.slice(0, longest + 1), // what is longer is refused, whatever it is
      change: change === undefined || "text" in change ? null : change,
    };
  }

  /** @param {any} response see labs.teaching.check_answer */
  #show(response) {
    if (response.error) {
      this.#showFailure("crashed", response.error);
      return;
    }
    if (response.opened) {
      this.#setAside();
      this.#own = true;
    }
    if (response.text !== null && response.text !== undefined) this.#text.value = response.text;
    for (const [name, value] of Object.entries(response.fields ?? {})) this.#field(name, value);
    if (response.notice) this.#sayOpened(response.notice);
    this.#text.marks = response.marks;
    for (const [name, html] of Object.entries(response.regions ?? {})) showRegion(this.#region(name), html);
    this.#keepDraft();
  }

  #keepDraft() {
    const state = JSON.stringify(this.#state);
    this.#drafts.text = state === JSON.stringify({ ...this.#first, edited: this.#own }) ? null : state;
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
    const field = this.#find(`[data-field="${CSS.escape(name)}"]`);
    if (!(field instanceof HTMLSelectElement)) return "";
    if (value !== undefined && [...field.options].some((option) => option.value === value)) field.value = value;
    return field.value;
  }

  /** @param {number} percent */
  #onProgress(percent) {
    if (!this.#working && !this.#linking) return;
    const shown = Math.floor(percent / PROGRESS_STEP) * PROGRESS_STEP;
    const words = percent < 100 ? (this.dataset.loading ?? "").replace("{percent}", String(shown)) : "";
    if (this.#region("status")?.textContent !== words) this.#clearStatus()?.append(words);
  }

  /**
   * Says what happened, with a button to try again; the last result and the draft stay.
   * @param {import("./runtime.js").Cause} cause
   * @param {string} reason
   */
  #showFailure(cause, reason) {
    const status = this.#clearStatus();
    if (!status) return;
    const detail = document.createElement("code");
    detail.textContent = reason;
    detail.lang = "en";
    status.setAttribute("role", "alert");
    status.append(this.dataset[cause] ?? "", " ", detail, " ", buttonFor("retry", this.dataset.retry));
  }

  #clearStatus() {
    const status = this.#region("status");
    status?.setAttribute("role", "status");
    status?.replaceChildren();
    return status;
  }

  get #drafts() {
    return new Drafts(this.#lab);
  }

  get #lab() {
    return this.getAttribute("lab") ?? this.id;
  }

  get #text() {
    return /** @type {EditedText} */ (this.#edited);
  }

  /** @param {string} name */
  #region(name) {
    return this.#find(`[data-region="${CSS.escape(name)}"]`);
  }

  /**
   * @param {string} selector
   * @returns {HTMLElement | null}
   */
  #find(selector) {
    return this.querySelector(selector);
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

function savesData() {
  return Boolean(/** @type {any} */ (navigator).connection?.saveData);
}

/** @param {() => void} start */
function whenIdle(start) {
  if (window.requestIdleCallback) requestIdleCallback(start);
  else setTimeout(start, 1000);
}

customElements.define("gpu-check", GpuCheck);

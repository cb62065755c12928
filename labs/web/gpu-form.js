// @ts-check
/**
 * <gpu-form>: makes a form lab that the site wrote as complete HTML usable. It knows no GPU, no language and no layout: it
 * sends what the fields hold to labs.browser.respond in the worker, and shows the HTML that comes back.
 *
 * Its state is what the fields hold, and what else the reader has done since they were shown (a preset, an item more, a link),
 * which Python is told together. So nothing is lost with a worker. Both together are the draft that the store keeps.
 *
 * @typedef {Record<string, unknown>} Change
 * @typedef {{values: Record<string, string>, own: boolean, changes: Change[]}} State
 */
import { LabFrame } from "./frame.js";
import { leaveLink, linkFor } from "./links.js";
import { showRegion } from "./regions.js";
import { runtime } from "./runtime.js";
import { copyCommand, copyFrom, save, share } from "./taking.js";

const MOST_CHANGES = 50; // that wait for an answer; Python takes no more at once
const TYPING_PAUSE = 200; // milliseconds
const MEASURE = "gpu-form"; // from the question to what is shown, for tests and benchmarks

/** @typedef {HTMLInputElement | HTMLSelectElement | HTMLTextAreaElement} Field */

class GpuForm extends HTMLElement {
  /** @type {LabFrame | undefined} */
  #framed;
  #own = false; // whether the values are the reader's, and not the page's or a preset's
  /** @type {Change[]} what the reader did since the form was shown, beside setting fields */
  #changes = [];
  /** @type {Promise<void> | null} while Python is told */
  #working = null;
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  #typing;
  #upgraded = false;

  connectedCallback() {
    if (this.#upgraded) return;
    this.#upgraded = true;
    this.#framed = new LabFrame(this);
    this.querySelector("form")?.reset(); // a browser may have kept other values over a reload
    this.#restore();
    this.addEventListener("input", (event) => this.#onInput(event));
    this.addEventListener("click", (event) => this.#onClick(event));
    addEventListener("hashchange", () => this.#openLink() && this.#work());
    this.#frame.whenNear(
      () => this.#changes.length > 0 && this.#work(),
      () => this.#warmUp(),
    );
  }

  #restore() {
    const draft = readState(this.#frame.drafts.text);
    if (draft) this.#set(draft);
    this.#frame.sayOpened("");
    this.#openLink();
  }

  /** @returns {boolean} whether the page's address holds a link for this lab, which Python is then to open */
  #openLink() {
    const link = linkFor(this);
    if (link === null) return false;
    this.#changes.push({ link });
    this.scrollIntoView();
    return true;
  }

  /** Has Python loaded, and its first answer, the slowest, given before the reader asks. */
  #warmUp() {
    if (!this.#working) runtime.ask(() => this.#request());
  }

  /** @param {Event} event */
  #onInput({ target }) {
    if (!(target instanceof HTMLElement) || target.dataset.field === undefined) return;
    if (this.#changes.length > 0 && isField(target)) this.#setLater(target);
    this.#touched();
    clearTimeout(this.#typing);
    const isText = target instanceof HTMLTextAreaElement || (target instanceof HTMLInputElement && target.type === "text");
    if (isText) this.#typing = setTimeout(() => this.#work(), TYPING_PAUSE);
    else this.#work();
  }

  /**
   * A field set after a change that waits for an answer, which would else take the place of it: a preset, say.
   * @param {Field} field
   */
  #setLater(field) {
    const key = field.dataset.field ?? "";
    const last = /** @type {Record<string, string> | undefined} */ (this.#changes.at(-1)?.set);
    if (last) last[key] = valueOf(field);
    else if (this.#changes.length < MOST_CHANGES) this.#changes.push({ set: { [key]: valueOf(field) } });
  }

  /** @param {MouseEvent} event */
  #onClick({ target }) {
    const button = target instanceof Element ? target.closest("button") : null;
    if (!button || button.getAttribute("aria-disabled") === "true") return;
    const { change, replaces } = button.dataset;
    if (change === undefined) this.#act(button);
    else if (replaces === undefined) this.#tell(JSON.parse(change));
    else this.#replace(JSON.parse(change));
  }

  /** @param {HTMLButtonElement} button */
  #act({ dataset: { action, file = "", head = "", from = "" } }) {
    const text = from ? document.getElementById(from) : null;
    if (action === "retry") this.#work();
    else if (action === "share") share(this, this.#link());
    else if (action === "copy" && text) copyFrom(this, text);
    else if (action === "copy") copyCommand(this);
    else if (action === "download" && text) save(file, head, text.textContent ?? "");
    else if (action === "restore") this.#bringBack();
    else if (action === "discard") this.#frame.drop();
  }

  /** @returns {Promise<{fragment: string} | {notice: string | null}>} what Python calls the lab as it stands */
  async #link() {
    await this.#working; // so that the link is to what the reader sees next
    return this.#frame.link(() => this.#request());
  }

  /**
   * Other values take the place of these, which are set aside where they are the reader's.
   * @param {Change} change
   */
  #replace(change) {
    this.#setAside();
    this.#tell(change);
    this.#own = false;
    this.#keepDraft();
    this.#frame.sayOpened("");
  }

  #setAside() {
    if (this.#own) this.#frame.drafts.setAside(JSON.stringify(this.#state));
  }

  /** What other values took the place of; what is shown now is set aside in its turn. */
  #bringBack() {
    const state = readState(this.#frame.drafts.takeAside() ?? null);
    if (!state) return;
    this.#setAside();
    this.#set(state);
    this.#keepDraft();
    this.#work();
    this.#frame.sayOpened("");
  }

  /** @param {Change} change */
  #tell(change) {
    if (this.#changes.length >= MOST_CHANGES) return;
    clearTimeout(this.#typing);
    this.#changes.push(change);
    this.#touched();
    this.#work();
  }

  /** The reader did something: the page is no longer what a link says. */
  #touched() {
    if (linkFor(this) !== null) {
      leaveLink();
      this.#frame.sayOpened("");
    }
    this.#own = true;
    this.#keepDraft();
  }

  #work() {
    this.#working ??= this.#tellAll().finally(() => { this.#working = null; });
  }

  /** Tells Python what the form holds, and again if that was changed meanwhile. */
  async #tellAll() {
    this.#frame.markBusy(this.#awaited, true);
    for (;;) {
      let [asked, start] = ["", 0];
      const outcome = await this.#frame.ask(() => {
        asked = JSON.stringify(this.#state);
        start = performance.now();
        return this.#request();
      });
      if (outcome.kind === "down") {
        this.#frame.showFailure(outcome.cause, outcome.reason);
        break;
      }
      this.#frame.clearStatus();
      const isLast = asked === JSON.stringify(this.#state);
      if (isLast) this.#frame.markBusy(this.#awaited, false); // before the new sentence, which is then read out
      this.#show(outcome.response, isLast);
      if (!isLast) continue;
      performance.measure(MEASURE, { start });
      break;
    }
    this.#frame.markBusy(this.#awaited, false);
  }

  #request() {
    const { values, changes } = this.#state;
    return { kind: "form", lab: this.#frame.id, lang: this.lang, element: this.id, pages: this.dataset.pages, values, changes };
  }

  /**
   * @param {any} response see labs.teaching.forms.form_answer
   * @param {boolean} isLast whether the form still holds what was asked; else its fields are left alone
   */
  #show(response, isLast) {
    if (response.error) {
      if (!isLast) return;
      this.#changes = []; // Python does not take them, now or later
      this.#frame.showFailure("crashed", response.error);
      return;
    }
    if (isLast) this.#showForm(response);
    for (const [name, html] of Object.entries(response.regions)) showRegion(this.#frame.region(name), html);
    if (isLast) this.#keepDraft();
  }

  /** @param {any} response */
  #showForm(response) {
    if (response.opened) {
      if (this.#own) this.#frame.drafts.setAside(JSON.stringify({ ...this.#state, changes: [] }));
      this.#own = true;
    }
    this.#changes = [];
    if (response.notice) this.#frame.sayOpened(response.notice);
    if (response.form !== undefined) {
      const region = this.#frame.region("form");
      const pressed = region?.contains(document.activeElement) ? document.activeElement?.id : "";
      showRegion(region, response.form);
      for (const id of [response.focus, pressed]) {
        const field = pressed && id ? document.getElementById(id) : null;
        if (!field) continue;
        field.focus();
        break;
      }
    }
    for (const [key, state] of Object.entries(response.fields)) this.#showField(key, state);
  }

  /**
   * @param {string} key
   * @param {{value: string, problem: string, hidden: boolean, output?: string, options?: string}} state
   */
  #showField(key, { value, problem, hidden, output, options }) {
    const name = CSS.escape(key);
    const field = this.#fieldOf(key);
    const frame = this.#frame.find(`[data-of="${name}"]`);
    if (!field || !frame) return;
    frame.hidden = hidden;
    if (options !== undefined && field instanceof HTMLSelectElement && field.innerHTML !== options) showRegion(field, options);
    if (valueOf(field) !== value && field !== document.activeElement) setValue(field, value);
    if (problem) field.setAttribute("aria-invalid", "true");
    else field.removeAttribute("aria-invalid");
    showRegion(this.#frame.find(`[data-problem="${name}"]`), problem);
    if (problem) field.closest("details")?.setAttribute("open", "");
    if (output === undefined) return;
    const place = this.#frame.find(`[data-output="${name}"]`);
    if (place) place.textContent = output;
    if (field instanceof HTMLInputElement && field.type === "range") field.setAttribute("aria-valuetext", output);
  }

  #keepDraft() {
    const state = this.#state;
    const asWritten = state.changes.length === 0 && same(state.values, this.#first);
    this.#frame.drafts.text = asWritten ? null : JSON.stringify(state);
  }

  /** @returns {State} */
  get #state() {
    /** @type {Record<string, string>} */
    const values = {};
    for (const field of this.#fields) values[field.dataset.field ?? ""] = valueOf(field);
    return { values, own: this.#own, changes: [...this.#changes] };
  }

  /** @param {State} state */
  #set(state) {
    this.#own = state.own;
    this.#changes = [{ values: state.values }, ...state.changes];
  }

  /** The values as the site wrote them. */
  get #first() {
    return JSON.parse(this.dataset.values ?? "{}");
  }

  /** @returns {Field[]} */
  get #fields() {
    return [...this.querySelectorAll("[data-field]")].filter(isField);
  }

  /** @param {string} key */
  #fieldOf(key) {
    const found = this.#frame.find(`[data-field="${CSS.escape(key)}"]`);
    return found && isField(found) ? found : null;
  }

  /** The regions that the next answer replaces: all of the lab's own. */
  get #awaited() {
    return ["summary", ...[...this.querySelectorAll('[class^="gl-region-"]')].map((each) => /** @type {HTMLElement} */ (each).dataset.region ?? "")];
  }

  get #frame() {
    return /** @type {LabFrame} */ (this.#framed);
  }
}

/**
 * @param {Element} element
 * @returns {element is Field}
 */
function isField(element) {
  return element instanceof HTMLInputElement || element instanceof HTMLSelectElement || element instanceof HTMLTextAreaElement;
}

/** @param {Field} field */
function valueOf(field) {
  return field instanceof HTMLInputElement && field.type === "checkbox" ? String(field.checked) : field.value;
}

/**
 * @param {Field} field
 * @param {string} value
 */
function setValue(field, value) {
  if (field instanceof HTMLInputElement && field.type === "checkbox") field.checked = value === "true";
  else field.value = value;
}

/**
 * @param {Record<string, string>} one
 * @param {Record<string, string>} other
 */
function same(one, other) {
  const keys = Object.keys(one);
  return keys.length === Object.keys(other).length && keys.every((key) => one[key] === other[key]);
}

/**
 * @param {string | null} kept
 * @returns {State | null}
 */
function readState(kept) {
  try {
    const { values, own, changes } = JSON.parse(kept ?? "null");
    if (!values || typeof values !== "object" || !Array.isArray(changes) || changes.length >= MOST_CHANGES) return null;
    return { values, own: own === true, changes: changes.filter((change) => change && typeof change === "object") };
  } catch {
    return null;
  }
}

customElements.define("gpu-form", GpuForm);

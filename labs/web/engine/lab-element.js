// @ts-check
/**
 * The engine of every lab's custom element: it tells Python how a lab stands and what a reader did to it, and has the answer shown.
 *
 * What a lab shows is its own business (`shown`). What was done since it was shown is kept here as changes, and Python is told
 * all of them at once, on top of what is shown. So a button pressed twice before an answer means what it said when it was
 * pressed, and nothing is lost with a worker. Both together are the draft that the store keeps.
 *
 * @typedef {Record<string, any>} Change
 * @typedef {Record<string, any>} Shown what a lab shows, by which Python and the store know it
 * @typedef {Shown & {own: boolean, changes: Change[]}} State
 */
import { runtime } from "../runtime/runtime.js";
import { LabFrame } from "./frame.js";
import { leaveLink, linkFor } from "./links.js";
import { showRegion } from "./regions.js";
import { copyCommand, copyFrom, save, share } from "./taking.js";

const MOST_CHANGES = 90; // that wait for an answer; Python takes ten more at once, which drafts, links and fields may add

/** @abstract */
export class LabElement extends HTMLElement {
  frame = new LabFrame(this, () => this.headStart());
  own = false; // whether what is shown is the reader's, and not the page's or a preset's
  /** @type {Change[]} what the reader did since Python last answered */
  changes = [];
  /** @type {Promise<void> | null} while Python is told */
  #working = null;
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  #typing;
  #upgraded = false;

  // What a lab says of itself

  /** @returns {Shown} what is shown, as the store keeps it */
  get shown() {
    throw new TypeError("a lab says what it shows");
  }

  /** Whether that is what the site wrote. */
  get isAsWritten() {
    return false;
  }

  /** @returns {object} what Python is asked, beside the changes */
  get question() {
    return this.shown;
  }

  /** @returns {string[]} the regions that the next answer replaces; the status is read out meanwhile */
  get awaited() {
    return [];
  }

  /** Whether what is being written is not yet text, so that nothing may be shown; the lab works again when it is. */
  get isComposing() {
    return false;
  }

  /** Puts the fields as the site wrote them (a browser may have kept others over a reload), and listens. */
  prepare() {
    this.querySelector("form")?.reset();
  }

  /** @param {string} kept @returns {any} a draft as the store kept it; may throw */
  parse(kept) {
    return JSON.parse(kept);
  }

  /** @param {Shown} _kept @returns {boolean} whether the store's draft is one of this lab */
  takes(_kept) {
    return false;
  }

  /**
   * Has a draft shown.
   * @param {State} state
   * @returns {Change[]} what Python is then to be told
   */
  take({ changes }) {
    return changes;
  }

  /** @param {any} _response has an answer shown to all that was done */
  show(_response) {}

  /** @param {any} _response to a question that the reader has overtaken: what was done since is not in it */
  showOvertaken(_response) {}

  /** @param {any} _response the first, given before the reader asked, to what is still shown */
  showFirst(_response) {}

  /** @returns {Promise<any>} the answer where it is known without Python, else undefined */
  async readyAnswer() {
    return undefined;
  }

  /** @returns {Promise<void>} what Python waits for: starting, it takes what that needs to be there at once */
  async headStart() {}

  /** @param {boolean} _saves whether the reader saves data: the lab has come near what is shown */
  onNear(_saves) {}

  /** @param {Change} _change @returns {boolean} whether it makes what is shown the reader's */
  isEdit(_change) {
    return true;
  }

  /** @param {Change} change put behind those that wait; in some labs it takes the place of an earlier one */
  push(change) {
    this.changes.push(change);
  }

  /** @param {(change: Change) => boolean} isDropped says of which changes Python is not to be told any more */
  drop(isDropped) {
    this.changes = this.changes.filter((change) => !isDropped(change));
  }

  // From the page to the first question

  connectedCallback() {
    if (this.#upgraded) return;
    this.#upgraded = true;
    this.prepare();
    this.addEventListener("click", (event) => this.onClick(event));
    const draft = this.#read(this.frame.drafts.text);
    if (draft) this.#take(draft);
    this.frame.sayOpened("");
    this.#openLink();
    addEventListener("hashchange", () => this.#openLink() && this.work());
    this.frame.markBusy(this.awaited, this.changes.length > 0);
    this.frame.whenNear(
      (saves) => {
        if (this.changes.length > 0) this.work();
        this.onNear(saves);
      },
      () => this.#warmUp(),
    );
  }

  /** @returns {boolean} whether the page's address holds a link for this lab, which Python is then to open */
  #openLink() {
    const link = linkFor(this);
    if (link === null) return false;
    this.push({ link });
    this.scrollIntoView();
    return true;
  }

  /** Has Python loaded, and its first answer, the slowest, given before the reader asks. */
  async #warmUp() {
    if (this.#working) return;
    let asked = "";
    const outcome = await runtime.ask(() => {
      asked = JSON.stringify(this.#request);
      return this.#request;
    });
    if (outcome.kind === "answer" && asked === JSON.stringify(this.#request)) this.showFirst(outcome.response);
  }

  // What a reader does

  /** @param {MouseEvent} event */
  onClick({ target }) {
    const button = target instanceof Element ? target.closest("button") : null;
    if (button && button.getAttribute("aria-disabled") !== "true") this.press(button);
  }

  /** @param {HTMLButtonElement} button */
  press(button) {
    const { change, replaces } = button.dataset;
    if (change === undefined) this.act(button);
    else if (replaces === undefined) this.tell(JSON.parse(change));
    else this.replace(JSON.parse(change));
  }

  /** @param {HTMLButtonElement} button that changes nothing in the lab */
  act({ dataset: { action, file = "", head = "", from } }) {
    const source = from === undefined ? this.frame.find("[data-yaml]") : document.getElementById(from);
    const text = source instanceof HTMLTextAreaElement ? source.value : (source?.textContent ?? "");
    if (action === "retry") this.work();
    else if (action === "share") share(this, this.#link());
    else if (action === "copy" && from === undefined) copyCommand(this);
    else if (action === "copy" && source) copyFrom(this, source);
    else if (action === "download" && source) save(file, head.replace("{command}", () => this.frame.region("command")?.textContent ?? ""), text);
    else if (action === "restore") this.#bringBack();
    else if (action === "discard") this.frame.drop();
  }

  /** @returns {Promise<{fragment: string} | {notice: string | null}>} what Python calls the lab as it stands */
  async #link() {
    await this.#working; // so that the link is to what the reader sees next
    return this.frame.link(() => this.#request);
  }

  /** @param {Change[]} changes */
  tell(...changes) {
    if (!changes.length || this.changes.length + changes.length >= MOST_CHANGES) return;
    for (const change of changes) this.push(change);
    this.touched(changes.some((change) => this.isEdit(change)));
    this.work();
  }

  /** @param {number} pause milliseconds after which somebody who typed is answered */
  typed(pause) {
    this.touched(true);
    clearTimeout(this.#typing);
    this.#typing = setTimeout(() => this.work(), pause);
  }

  /**
   * The reader did something: the page is no longer what a link says.
   * @param {boolean} isEdit
   */
  touched(isEdit) {
    if (linkFor(this) !== null) {
      leaveLink();
      this.frame.sayOpened("");
    }
    this.own ||= isEdit;
    this.#keepDraft();
  }

  /**
   * Something else takes the place of what is shown, which is set aside where it is the reader's.
   * @param {Change} change
   */
  replace(change) {
    this.#setAside();
    this.tell(change);
    this.own = false;
    this.#keepDraft();
    this.frame.sayOpened("");
  }

  // Drafts

  #setAside() {
    if (this.own) this.frame.drafts.setAside(JSON.stringify(this.#state));
  }

  /** The newest that something else took the place of and that can be read; what is shown now is set aside in its turn. */
  #bringBack() {
    const { drafts } = this.frame;
    let state = null;
    while (!state && drafts.hasAside) state = this.#read(drafts.takeAside() ?? null);
    if (state) {
      this.#setAside();
      this.#take(state);
      this.touched(false);
      this.work();
    }
    this.frame.sayOpened("");
  }

  #keepDraft() {
    const asWritten = this.changes.length === 0 && this.isAsWritten;
    this.frame.drafts.text = asWritten ? null : JSON.stringify(this.#state);
  }

  /** @returns {State} */
  get #state() {
    return { ...this.shown, own: this.own, changes: this.changes };
  }

  /** @param {State} state */
  #take(state) {
    this.own = state.own;
    this.changes = this.take(state);
  }

  /**
   * @param {string | null} kept
   * @returns {State | null}
   */
  #read(kept) {
    try {
      const { own = true, changes = [], ...shown } = this.parse(kept ?? "");
      if (!this.takes(shown) || !Array.isArray(changes) || changes.length >= MOST_CHANGES) return null;
      return { ...shown, own: own === true, changes: changes.filter((change) => change && typeof change === "object") };
    } catch {
      return null;
    }
  }

  // Asking Python

  get #request() {
    return { lab: this.frame.id, lang: this.lang, element: this.id, ...this.question, changes: [...this.changes] };
  }

  work() {
    clearTimeout(this.#typing);
    this.#working ??= this.#tellAll().finally(() => { this.#working = null; });
  }

  /** Tells Python how the lab stands, and again if that was changed meanwhile. */
  async #tellAll() {
    this.frame.markBusy(this.awaited, true);
    for (;;) {
      let [asked, start] = ["", performance.now()];
      const ready = runtime.isWarm ? undefined : await this.readyAnswer();
      if (ready !== undefined) {
        this.#showLast(ready, start);
        break;
      }
      const outcome = await this.frame.ask(() => {
        [asked, start] = [JSON.stringify(this.#request), performance.now()];
        return this.#request;
      });
      if (outcome.kind === "down") {
        this.showFailure(outcome.cause, outcome.reason);
        break;
      }
      this.frame.clearStatus();
      if (this.isComposing) break;
      if (asked === JSON.stringify(this.#request)) {
        this.#showLast(outcome.response, start);
        break;
      }
      if (!outcome.response.error) this.showOvertaken(outcome.response);
    }
    this.frame.markBusy(this.awaited, false);
  }

  /**
   * @param {any} response to all that was done
   * @param {number} start of the question
   */
  #showLast(response, start) {
    this.frame.clearStatus();
    this.frame.markBusy(this.awaited, false); // before the new sentence, which is then read out
    this.changes = []; // of an error, too: Python does not take them, now or later
    if (response.error) {
      this.#keepDraft();
      this.showFailure("crashed", response.error);
      return;
    }
    const before = this.own ? JSON.stringify(this.#state) : null;
    if (response.opened) this.own = true;
    this.show(response);
    if (response.opened && before !== null && before !== JSON.stringify(this.#state)) this.frame.drafts.setAside(before);
    if (response.notice) this.frame.sayOpened(response.notice);
    this.#keepDraft();
    performance.measure(this.localName, { start }); // from the question to what is shown, for tests and benchmarks
  }

  /**
   * Says why there is no answer; what was done is kept, and told again when the reader tries again.
   * @param {import("../runtime/runtime.js").Cause} cause
   * @param {string} reason
   */
  showFailure(cause, reason) {
    this.frame.showFailure(cause, reason);
  }

  /**
   * Swaps regions; whoever stands on something that moves to another region goes with it.
   * @param {Record<string, string>} regions HTML by name
   * @param {string} focus the id of what to stand on instead
   */
  showRegions(regions, focus = "") {
    const stood = document.activeElement;
    const again = stood instanceof HTMLElement && this.contains(stood) ? focus || stood.id : "";
    for (const [name, html] of Object.entries(regions)) showRegion(this.frame.region(name), html);
    if (again && document.activeElement?.id !== again) document.getElementById(again)?.focus({ preventScroll: true });
  }
}

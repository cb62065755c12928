// @ts-check
/**
 * What labs have in common that tell Python what a reader did and show what it answers: the form labs and the planner. What is
 * shown is the lab's own; what was done since it was shown is kept here, and Python is told all of it at once. So a button
 * pressed twice before an answer means what it said when it was pressed, and nothing is lost with a worker. Both together are
 * the draft that the store keeps.
 *
 * @typedef {Record<string, unknown>} Change
 * @typedef {Record<string, any>} Shown what a lab shows, by which Python and the store know it
 * @typedef {Shown & {own: boolean, changes: Change[]}} State
 *
 * @typedef {object} Lab what differs from lab to lab
 * @property {number} most changes that wait for an answer; Python takes no more at once
 * @property {() => Shown} shown
 * @property {() => boolean} asWritten whether that is what the site wrote
 * @property {(kept: Shown) => boolean} takes whether the store's draft is one of this lab
 * @property {(state: State) => Change[]} take has a draft shown; the changes that Python is then to be told
 * @property {() => object} request of the lab as it stands
 * @property {() => string[]} awaited the regions that the next answer replaces
 * @property {(response: any, isLast: boolean) => void} show an answer, the last or one that the reader has overtaken
 */
import { LabFrame } from "./frame.js";
import { leaveLink, linkFor } from "./links.js";
import { runtime } from "./runtime.js";
import { copyCommand, copyFrom, save, share } from "./taking.js";

export class Telling {
  #element;
  #lab;
  #own = false; // whether what is shown is the reader's, and not the page's or a preset's
  /** @type {Change[]} what the reader did since Python last answered */
  #changes = [];
  /** @type {Promise<void> | null} while Python is told */
  #working = null;

  /**
   * @param {HTMLElement} element the custom element
   * @param {Lab} lab
   */
  constructor(element, lab) {
    this.#element = element;
    this.#lab = lab;
    this.frame = new LabFrame(element);
  }

  /** Shows the draft, or what a link says, and waits for the reader. */
  start() {
    const draft = this.#read(this.frame.drafts.text);
    if (draft) this.#take(draft);
    this.frame.sayOpened("");
    this.#openLink();
    addEventListener("hashchange", () => this.#openLink() && this.work());
    this.frame.whenNear(
      () => this.#changes.length > 0 && this.work(),
      () => this.#warmUp(),
    );
  }

  /** @returns {boolean} whether the page's address holds a link for this lab, which Python is then to open */
  #openLink() {
    const link = linkFor(this.#element);
    if (link === null) return false;
    this.#changes.push({ link });
    this.#element.scrollIntoView();
    return true;
  }

  /** Has Python loaded, and its first answer, the slowest, given before the reader asks. */
  #warmUp() {
    if (!this.#working) runtime.ask(() => this.#lab.request());
  }

  /**
   * @param {MouseEvent} event
   * @returns {HTMLButtonElement | null} the button that was pressed, whose errand is done
   */
  press({ target }) {
    const button = target instanceof Element ? target.closest("button") : null;
    if (!button || button.getAttribute("aria-disabled") === "true") return null;
    const { change, replaces } = button.dataset;
    if (change === undefined) this.#act(button);
    else if (replaces === undefined) this.tell(JSON.parse(change));
    else this.#replace(JSON.parse(change));
    return button;
  }

  /** @param {HTMLButtonElement} button */
  #act({ dataset: { action, file = "", head = "", from = "" } }) {
    const text = from ? document.getElementById(from) : null;
    if (action === "retry") this.work();
    else if (action === "share") share(this.#element, this.#link());
    else if (action === "copy" && text) copyFrom(this.#element, text);
    else if (action === "copy") copyCommand(this.#element);
    else if (action === "download" && text) save(file, head, text.textContent ?? "");
    else if (action === "restore") this.#bringBack();
    else if (action === "discard") this.frame.drop();
  }

  /** @returns {Promise<{fragment: string} | {notice: string | null}>} what Python calls the lab as it stands */
  async #link() {
    await this.#working; // so that the link is to what the reader sees next
    return this.frame.link(() => this.#lab.request());
  }

  /**
   * Something else takes the place of what is shown, which is set aside where it is the reader's.
   * @param {Change} change
   */
  #replace(change) {
    this.#setAside();
    this.tell(change);
    this.#own = false;
    this.#keepDraft();
    this.frame.sayOpened("");
  }

  #setAside() {
    if (this.#own) this.frame.drafts.setAside(JSON.stringify(this.#state));
  }

  /** What something else took the place of; what is shown now is set aside in its turn. */
  #bringBack() {
    const state = this.#read(this.frame.drafts.takeAside() ?? null);
    if (!state) return;
    this.#setAside();
    this.#take(state);
    this.#keepDraft();
    this.work();
    this.frame.sayOpened("");
  }

  /** What the reader did since Python last answered. The lab may add to it what needs no answer of its own. */
  get changes() {
    return this.#changes;
  }

  /** @param {Change[]} changes */
  tell(...changes) {
    if (!changes.length || this.#changes.length + changes.length > this.#lab.most) return;
    this.#changes.push(...changes);
    this.touched();
    this.work();
  }

  /** The reader did something: the page is no longer what a link says. */
  touched() {
    if (linkFor(this.#element) !== null) {
      leaveLink();
      this.frame.sayOpened("");
    }
    this.#own = true;
    this.#keepDraft();
  }

  work() {
    this.#working ??= this.#tellAll().finally(() => { this.#working = null; });
  }

  /** Tells Python how the lab stands, and again if that was changed meanwhile. */
  async #tellAll() {
    this.frame.markBusy(this.#lab.awaited(), true);
    for (;;) {
      let [asked, start] = ["", 0];
      const outcome = await this.frame.ask(() => {
        asked = JSON.stringify(this.#state);
        start = performance.now();
        return this.#lab.request();
      });
      if (outcome.kind === "down") {
        this.frame.showFailure(outcome.cause, outcome.reason);
        break;
      }
      this.frame.clearStatus();
      const isLast = asked === JSON.stringify(this.#state);
      if (isLast) this.frame.markBusy(this.#lab.awaited(), false); // before the new sentence, which is then read out
      this.#show(outcome.response, isLast);
      if (!isLast) continue;
      performance.measure(this.#element.localName, { start }); // from the question to what is shown, for tests and benchmarks
      break;
    }
    this.frame.markBusy(this.#lab.awaited(), false);
  }

  /**
   * @param {any} response
   * @param {boolean} isLast
   */
  #show(response, isLast) {
    if (!isLast) {
      if (!response.error) this.#lab.show(response, false);
      return;
    }
    if (response.error) {
      this.#changes = []; // Python does not take them, now or later
      this.frame.showFailure("crashed", response.error);
      return;
    }
    if (response.opened) {
      if (this.#own) this.frame.drafts.setAside(JSON.stringify({ ...this.#state, changes: [] }));
      this.#own = true;
    }
    this.#changes = [];
    if (response.notice) this.frame.sayOpened(response.notice);
    this.#lab.show(response, true);
    this.#keepDraft();
  }

  #keepDraft() {
    const asWritten = this.#changes.length === 0 && this.#lab.asWritten();
    this.frame.drafts.text = asWritten ? null : JSON.stringify(this.#state);
  }

  /** @returns {State} */
  get #state() {
    return { ...this.#lab.shown(), own: this.#own, changes: [...this.#changes] };
  }

  /** @param {State} state */
  #take(state) {
    this.#own = state.own;
    this.#changes = this.#lab.take(state);
  }

  /**
   * @param {string | null} kept
   * @returns {State | null}
   */
  #read(kept) {
    try {
      const { own, changes, ...shown } = JSON.parse(kept ?? "null");
      if (!this.#lab.takes(shown) || !Array.isArray(changes) || changes.length >= this.#lab.most) return null;
      return { ...shown, own: own === true, changes: changes.filter((change) => change && typeof change === "object") };
    } catch {
      return null;
    }
  }
}

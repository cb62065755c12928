// @ts-check
/**
 * <gpu-planner>: makes a planner lab that the site wrote as complete HTML usable. It knows no card, no profile, no language and
 * no layout: it tells labs.browser.respond in the worker what was pressed, and shows the HTML that comes back.
 *
 * Its state is a text that Python wrote, and what the reader has done since it was shown, which Python is told all at once. So
 * a button pressed twice before an answer means what it said when it was pressed, and nothing is lost with a worker. Both
 * together are the draft that the store keeps.
 *
 * @typedef {Record<string, unknown>} Change
 * @typedef {{cut: string, own: boolean, changes: Change[]}} State
 */
import { letDrag } from "./dragging.js";
import { LabFrame } from "./frame.js";
import { leaveLink, linkFor } from "./links.js";
import { showRegion } from "./regions.js";
import { runtime } from "./runtime.js";
import { copyCommand, copyFrom, save, share } from "./taking.js";

const MOST_CHANGES = 100; // that wait for an answer; Python takes no more at once
const AWAITED = ["summary", "steps", "palette", "picture", "order"]; // what the next answer replaces

class GpuPlanner extends HTMLElement {
  /** @type {LabFrame | undefined} */
  #framed;
  #cut = "";
  #own = false; // whether the list is the reader's, and not the page's or one to try
  /** @type {Change[]} what the reader did since the list was shown */
  #changes = [];
  /** @type {Promise<void> | null} while Python is told what the reader did */
  #working = null;
  #upgraded = false;

  connectedCallback() {
    if (this.#upgraded) return;
    this.#upgraded = true;
    this.#framed = new LabFrame(this);
    this.querySelector("form")?.reset(); // a browser may have kept other choices over a reload
    this.#cut = this.#first;
    this.#restore();
    this.addEventListener("change", (event) => this.#onChange(event));
    this.addEventListener("click", (event) => this.#onClick(event));
    letDrag(this, { list: () => this.#frame.region("steps"), drop: (drop) => this.#onDrop(drop) });
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
  #onChange({ target }) {
    if (target instanceof HTMLSelectElement && target.dataset.change) this.#tell({ ...JSON.parse(target.dataset.change), value: target.value });
  }

  /** @param {MouseEvent} event */
  #onClick({ target }) {
    const button = target instanceof Element ? target.closest("button") : null;
    if (!button || button.getAttribute("aria-disabled") === "true") return;
    const { change, replaces, resets } = button.dataset;
    if (change === undefined) this.#act(button);
    else if (replaces === undefined) this.#tell(JSON.parse(change));
    else this.#replace(JSON.parse(change));
    if (resets !== undefined) this.querySelector("form")?.reset();
  }

  /**
   * Says what the buttons would have said: a step dragged up by two was moved up twice.
   * @param {import("./dragging.js").Drop} drop
   */
  #onDrop({ held, place }) {
    const { add, step } = JSON.parse(held);
    if (add !== undefined) return this.#tell({ add, before: place });
    const to = place > step ? place - 1 : place; // it leaves its own place
    this.#tell(...Array(Math.abs(to - step)).fill(to < step ? { up: step } : { down: step }));
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
   * Another list takes the place of this one, which is set aside where it is the reader's.
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

  /** What another list took the place of; what is shown now is set aside in its turn. */
  #bringBack() {
    const state = readState(this.#frame.drafts.takeAside() ?? null);
    if (!state) return;
    this.#setAside();
    this.#set(state);
    this.#keepDraft();
    this.#work();
    this.#frame.sayOpened("");
  }

  /** @param {Change[]} changes */
  #tell(...changes) {
    if (!changes.length || this.#changes.length + changes.length > MOST_CHANGES) return;
    if (linkFor(this) !== null) {
      leaveLink();
      this.#frame.sayOpened("");
    }
    this.#own = true;
    this.#changes.push(...changes);
    this.#keepDraft();
    this.#work();
  }

  #work() {
    this.#working ??= this.#tellAll().finally(() => { this.#working = null; });
  }

  /** Tells Python all that was done since the list was shown, and again if more was done meanwhile. */
  async #tellAll() {
    this.#frame.markBusy(AWAITED, true);
    for (;;) {
      /** @type {State | undefined} */
      let asked;
      const outcome = await this.#frame.ask(() => {
        asked = this.#state;
        return this.#request();
      });
      if (outcome.kind === "down") {
        this.#frame.showFailure(outcome.cause, outcome.reason);
        break;
      }
      this.#frame.clearStatus();
      if (asked?.cut !== this.#cut || asked.changes.length !== this.#changes.length) continue;
      this.#frame.markBusy(AWAITED, false); // before the new summary, which is then read out
      this.#show(outcome.response);
      break;
    }
    this.#frame.markBusy(AWAITED, false);
  }

  #request() {
    return { kind: "plan", lab: this.#frame.id, lang: this.lang, element: this.id, cut: this.#cut, changes: [...this.#changes] };
  }

  /** @param {any} response see labs.teaching.planner_answer */
  #show(response) {
    if (response.error) {
      this.#changes = []; // Python does not take them, now or later
      this.#frame.showFailure("crashed", response.error);
      return;
    }
    if (response.opened) {
      if (this.#own) this.#frame.drafts.setAside(JSON.stringify({ ...this.#state, changes: [] }));
      this.#own = true;
    }
    this.#cut = response.cut;
    this.#changes = [];
    const card = this.#frame.find('[data-field="card"]');
    if (card instanceof HTMLSelectElement) card.value = response.fields.card;
    if (response.notice) this.#frame.sayOpened(response.notice);
    const pressed = document.activeElement;
    const again = pressed instanceof HTMLElement && this.contains(pressed) ? response.focus || pressed.id : "";
    for (const [name, html] of Object.entries(response.regions)) showRegion(this.#frame.region(name), html);
    if (again && document.activeElement?.id !== again) document.getElementById(again)?.focus({ preventScroll: true });
    this.#keepDraft();
  }

  #keepDraft() {
    const state = this.#state;
    const asWritten = state.cut === this.#first && state.changes.length === 0;
    this.#frame.drafts.text = asWritten ? null : JSON.stringify(state);
  }

  /** @returns {State} */
  get #state() {
    return { cut: this.#cut, own: this.#own, changes: [...this.#changes] };
  }

  /** @param {State} state */
  #set(state) {
    this.#cut = state.cut;
    this.#own = state.own;
    this.#changes = [...state.changes, { show: true }];
  }

  /** The list as the site wrote it. */
  get #first() {
    return this.dataset.cut ?? "";
  }

  get #frame() {
    return /** @type {LabFrame} */ (this.#framed);
  }
}

/**
 * @param {string | null} kept
 * @returns {State | null}
 */
function readState(kept) {
  try {
    const { cut, own, changes } = JSON.parse(kept ?? "null");
    const isState = typeof cut === "string" && Array.isArray(changes) && changes.length < MOST_CHANGES;
    return isState ? { cut, own: own === true, changes: changes.filter((change) => change && typeof change === "object") } : null;
  } catch {
    return null;
  }
}

customElements.define("gpu-planner", GpuPlanner);

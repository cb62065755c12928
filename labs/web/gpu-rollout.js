// @ts-check
/**
 * <gpu-rollout>: makes a rollout lab that the site wrote as complete HTML usable. It knows no cluster, no language and no
 * layout: it tells labs.browser.respond in the worker what was pressed, and shows the HTML that comes back.
 *
 * Its state is the scenario's text, the moment that is shown, the node that was chosen, and what the reader has done since they
 * were shown, which Python is told all at once. So nothing is lost with a worker. All of it is the draft that the store keeps.
 * Nothing moves unless asked: Play goes from change to change, and so does time after something was done.
 *
 * @typedef {Record<string, unknown>} Change
 * @typedef {{text: string, at: number | null, node: string | null, own: boolean, changes: Change[]}} State
 */
import { showTime } from "./fields.js";
import { LabFrame } from "./frame.js";
import { leaveLink, linkFor } from "./links.js";
import { showRegion } from "./regions.js";
import { runtime } from "./runtime.js";
import { RolloutStops, headStart } from "./stops.js";
import { copyCommand, save, share } from "./taking.js";

const MOST_CHANGES = 100; // that wait for an answer; Python takes no more at once
const TYPING_PAUSE = 300; // milliseconds
const BEAT = 700; // milliseconds from one change of a rollout that plays to the next
const AWAITED = ["picture", "sentence", "course", "kubectl", "deeds", "acts"]; // what the next answer replaces
const MEASURE = "gpu-rollout"; // from the question to what is shown, for tests and benchmarks

class GpuRollout extends HTMLElement {
  /** @type {LabFrame | undefined} */
  #framed;
  /** @type {State} */
  #state = { text: "", at: null, node: null, own: false, changes: [] };
  #told = 0; // changes so far, to see whether an answer is to the last of them
  /** @type {Promise<void> | null} while Python is told what the reader did */
  #working = null;
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  #typing;
  /** @type {ReturnType<typeof setTimeout> | undefined} while it plays */
  #beat;
  #plays = false;
  /** @type {Promise<RolloutStops | null> | undefined} */
  #stops;
  #upgraded = false;

  connectedCallback() {
    if (this.#upgraded) return;
    this.#upgraded = true;
    this.#framed = new LabFrame(this, () => headStart(this.#fetchStops()));
    this.querySelector("form")?.reset(); // a browser may have kept other choices over a reload
    if (this.#area) this.#area.value = this.#first;
    this.#state.text = this.#first;
    this.#restore();
    this.addEventListener("input", (event) => this.#onInput(event));
    this.addEventListener("change", (event) => this.#onChange(event));
    this.addEventListener("click", (event) => this.#onClick(event));
    addEventListener("hashchange", () => this.#openLink() && this.#work());
    this.#frame.whenNear(
      () => this.#state.changes.length > 0 && this.#work(),
      () => this.#warmUp(),
    );
  }

  disconnectedCallback() {
    this.#pause();
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
    this.#push({ link });
    this.scrollIntoView();
    return true;
  }

  /** @returns {Promise<RolloutStops | null>} */
  #fetchStops() {
    const name = this.dataset.stops;
    this.#stops ??= name ? RolloutStops.fetch(new URL(`./stops/${name}`, import.meta.url), this.#first) : Promise.resolve(null);
    return this.#stops;
  }

  /** Has Python loaded, and its first answer, the slowest, given before the reader asks. */
  #warmUp() {
    if (!this.#working) runtime.ask(() => ({ ...this.#request(), changes: [{ show: true }] }));
  }

  /** @param {Event} event */
  #onInput({ target }) {
    if (target instanceof HTMLInputElement && target.dataset.time !== undefined) {
      this.#pause();
      this.#tell({ at: Number(target.value) });
    } else if (target === this.#area && this.#area) {
      clearTimeout(this.#typing);
      this.#typing = setTimeout(() => this.#area && this.#tell({ text: this.#area.value }), TYPING_PAUSE);
    }
  }

  /** @param {Event} event */
  #onChange({ target }) {
    if (!(target instanceof HTMLSelectElement)) return;
    this.#pause();
    if (target.dataset.control) this.#tell({ control: target.dataset.control, value: target.value });
    else if (target.dataset.nodeChoice !== undefined) this.#tell({ node: target.value });
  }

  /** @param {MouseEvent} event */
  #onClick({ target }) {
    if (!(target instanceof Element)) return;
    const button = target.closest("button");
    const node = target.closest("[data-node]")?.getAttribute("data-node");
    if (node) this.#tell({ node });
    if (!button) return;
    const { change, replaces } = button.dataset;
    if (change === undefined) this.#act(button);
    else if (replaces !== undefined) this.#replace(JSON.parse(change));
    else {
      this.#pause();
      this.#tell(JSON.parse(change));
    }
  }

  /** @param {HTMLButtonElement} button */
  #act({ dataset: { action, file = "", head = "" } }) {
    if (action === "retry") this.#work();
    else if (action === "play") this.#onPlay();
    else if (action === "share") share(this, this.#link());
    else if (action === "copy") copyCommand(this);
    else if (action === "download") save(file, head, this.#state.text);
    else if (action === "restore") this.#bringBack();
    else if (action === "discard") this.#frame.drop();
  }

  /** @returns {Promise<{fragment: string} | {notice: string | null}>} what Python calls the lab as it stands */
  async #link() {
    await this.#working; // so that the link is to what the reader sees next
    return this.#frame.link(() => this.#request());
  }

  // Playing

  #onPlay() {
    if (this.#plays) return this.#pause();
    const slider = this.#slider;
    const atEnd = this.#state.at === null || (slider !== null && Number(slider.value) >= Number(slider.max));
    this.#play();
    this.#tell(atEnd ? { at: 0 } : { step: 1 });
  }

  #play() {
    this.#plays = true;
    this.#sayPlaying();
  }

  #pause() {
    clearTimeout(this.#beat);
    if (!this.#plays) return;
    this.#plays = false;
    this.#sayPlaying();
  }

  /** What the button does next; while it plays, the sentence is not read out at every change. */
  #sayPlaying() {
    const button = this.#frame.find('[data-action="play"]');
    if (button) button.textContent = (this.#plays ? this.dataset.pause : this.dataset.play) ?? "";
    this.#frame.region("sentence")?.setAttribute("aria-live", this.#plays ? "off" : "polite");
  }

  /** @param {any} response the moment that is shown now */
  #goOn(response) {
    clearTimeout(this.#beat);
    if (response.plays && !response.last) this.#play();
    if (!this.#plays) return;
    if (response.last || !response.ok) this.#pause();
    else this.#beat = setTimeout(() => this.#tell({ step: 1 }), BEAT);
  }

  // The state

  /**
   * Another scenario takes the place of this one, which is set aside where it is the reader's.
   * @param {Change} change
   */
  #replace(change) {
    this.#pause();
    this.#setAside();
    this.#tell(change);
    this.#state.own = false;
    this.#keepDraft();
    this.#frame.sayOpened("");
  }

  #setAside() {
    if (this.#state.own) this.#frame.drafts.setAside(JSON.stringify(this.#state));
  }

  /** What another scenario took the place of; what is shown now is set aside in its turn. */
  #bringBack() {
    const state = readState(this.#frame.drafts.takeAside() ?? null);
    if (!state) return;
    this.#pause();
    this.#setAside();
    this.#set(state);
    this.#keepDraft();
    this.#work();
    this.#frame.sayOpened("");
  }

  /** @param {Change} change */
  #tell(change) {
    if (linkFor(this) !== null) {
      leaveLink();
      this.#frame.sayOpened("");
    }
    if (["control", "text", "act", "unact"].some((kind) => kind in change)) this.#state.own = true;
    this.#push(change);
    this.#keepDraft();
    this.#work();
  }

  /** @param {Change} change of a slider and a text the last place alone counts */
  #push(change) {
    const { changes } = this.#state;
    const last = changes.at(-1);
    if (last && ["at", "text"].some((kind) => kind in change && kind in last)) changes.pop();
    if (changes.length >= MOST_CHANGES) return;
    changes.push(change);
    this.#told += 1;
  }

  #work() {
    this.#working ??= this.#tellAll().finally(() => { this.#working = null; });
  }

  /** Tells Python all that was done since the rollout was shown, and again if more was done meanwhile. */
  async #tellAll() {
    this.#frame.markBusy(AWAITED, true);
    for (;;) {
      performance.mark(MEASURE);
      if (!runtime.isWarm && (await this.#showStop())) break;
      let asked = -1;
      const outcome = await this.#frame.ask(() => {
        asked = this.#told;
        return this.#request();
      });
      if (outcome.kind === "down") {
        this.#pause();
        this.#frame.showFailure(outcome.cause, outcome.reason);
        break;
      }
      this.#frame.clearStatus();
      if (asked !== this.#told) continue;
      this.#showLast(outcome.response);
      break;
    }
    this.#frame.markBusy(AWAITED, false);
  }

  /** @param {any} answer to all that was done */
  #showLast(answer) {
    this.#frame.markBusy(AWAITED, false); // before the new sentence, which is then read out
    this.#show(answer);
    performance.measure(MEASURE, MEASURE);
  }

  /** @returns {Promise<boolean>} whether what all that was done leads to was known, and is now shown, without Python */
  async #showStop() {
    const stops = await this.#fetchStops();
    const answer = stops?.answer(this.#state.changes, this.#state);
    if (answer === undefined) return false;
    this.#frame.clearStatus();
    this.#showLast(answer);
    return true;
  }

  #request() {
    const { text, at, node, changes } = this.#state;
    return { kind: "rollout", lab: this.#frame.id, lang: this.lang, element: this.id, text, at, node, changes: [...changes] };
  }

  /** @param {any} response see labs.teaching.rollout_lab.answer */
  #show(response) {
    if (response.error) {
      this.#state.changes = []; // Python does not take them, now or later
      this.#pause();
      this.#frame.showFailure("crashed", response.error);
      return;
    }
    const { own } = this.#state;
    if (response.opened && own) this.#frame.drafts.setAside(JSON.stringify({ ...this.#state, changes: [] }));
    this.#state = { text: response.text, at: response.at, node: response.node, own: own || Boolean(response.opened), changes: [] };
    if (this.#area && this.#area.value !== response.text) this.#area.value = response.text;
    if (response.notice) this.#frame.sayOpened(response.notice);
    const pressed = document.activeElement;
    const again = pressed instanceof HTMLElement && this.contains(pressed) ? pressed.id : "";
    for (const [name, html] of Object.entries(response.regions)) showRegion(this.#frame.region(name), html);
    if (again && document.activeElement?.id !== again) document.getElementById(again)?.focus({ preventScroll: true });
    if (response.time) showTime(this, response.time);
    this.#keepDraft();
    this.#goOn(response);
  }

  #keepDraft() {
    const { text, at, changes } = this.#state;
    const asWritten = text === this.#first && at === null && changes.length === 0;
    this.#frame.drafts.text = asWritten ? null : JSON.stringify(this.#state);
  }

  /** @param {State} state */
  #set(state) {
    this.#state = { ...state, changes: [...state.changes, { show: true }] };
    this.#told += 1;
    if (this.#area) this.#area.value = state.text;
  }

  /** The scenario as the site wrote it. */
  get #first() {
    return this.#area?.defaultValue ?? "";
  }

  get #area() {
    const area = this.querySelector("[data-yaml]");
    return area instanceof HTMLTextAreaElement ? area : null;
  }

  get #slider() {
    const slider = this.querySelector("[data-time]");
    return slider instanceof HTMLInputElement ? slider : null;
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
    const { text, at, node, own, changes } = JSON.parse(kept ?? "null");
    if (typeof text !== "string" || !Array.isArray(changes) || changes.length >= MOST_CHANGES) return null;
    return {
      text,
      at: Number.isInteger(at) ? at : null,
      node: typeof node === "string" ? node : null,
      own: own === true,
      changes: changes.filter((change) => change && typeof change === "object"),
    };
  } catch {
    return null;
  }
}

customElements.define("gpu-rollout", GpuRollout);

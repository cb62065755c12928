// @ts-check
/**
 * <gpu-rollout>: makes a rollout lab that the site wrote as complete HTML usable. It knows no cluster, no language and no
 * layout: it tells labs.browser.respond in the worker what was pressed, and shows the HTML that comes back.
 *
 * What it shows is the scenario's text, a moment of it, and the node that was chosen. Nothing moves unless asked: Play goes from
 * change to change, and so does time after something was done.
 */
import { LabElement } from "../engine/lab-element.js";
import { RolloutStops, headStart } from "../engine/stops.js";
import { showTime } from "./fields.js";

/** @typedef {import("../engine/lab-element.js").Change} Change see labs.teaching.rollout_lab.answer */

const TYPING_PAUSE = 300; // milliseconds
const BEAT = 700; // milliseconds from one change of a rollout that plays to the next
const EDITS = ["control", "text", "act", "unact"];

class GpuRollout extends LabElement {
  /** @type {{text: string, at: number | null, node: string | null}} the second null at the end, the node null where none was chosen */
  #place = { text: "", at: null, node: null };
  /** @type {ReturnType<typeof setTimeout> | undefined} while it plays */
  #beat;
  #plays = false;
  /** @type {Promise<RolloutStops | null> | undefined} */
  #stops;

  get shown() {
    return this.#place;
  }

  get isAsWritten() {
    return this.#place.text === this.#first && this.#place.at === null;
  }

  get question() {
    return { kind: "rollout", ...this.#place };
  }

  get awaited() {
    return ["picture", "sentence", "course", "kubectl", "deeds", "acts"];
  }

  prepare() {
    super.prepare();
    if (this.#area) this.#area.value = this.#first;
    this.#place.text = this.#first;
    this.addEventListener("input", (event) => this.#onInput(event));
    this.addEventListener("change", (event) => this.#onChange(event));
  }

  disconnectedCallback() {
    this.#pause();
  }

  /** @param {import("../engine/lab-element.js").Shown} kept */
  takes({ text }) {
    return typeof text === "string";
  }

  /** @param {import("../engine/lab-element.js").State} state */
  take({ text, at, node, changes }) {
    this.#pause();
    this.#place = { text, at: Number.isInteger(at) ? at : null, node: typeof node === "string" ? node : null };
    if (this.#area) this.#area.value = text;
    return [...changes, { show: true }];
  }

  /** @param {Change} change */
  isEdit(change) {
    return EDITS.some((kind) => kind in change);
  }

  /** @param {Change} change of a slider and a text the last place alone counts */
  push(change) {
    const last = this.changes.at(-1);
    if (last && ["at", "text"].some((kind) => kind in change && kind in last)) this.changes.pop();
    super.push(change);
  }

  #fetchStops() {
    return (this.#stops ??= RolloutStops.fetch(this.dataset.stops, this.#first));
  }

  async headStart() {
    await headStart(this.#fetchStops());
  }

  async readyAnswer() {
    const stops = await this.#fetchStops();
    return stops?.answer(this.changes, this.#place);
  }

  /** @param {Event} event */
  #onInput({ target }) {
    if (target instanceof HTMLInputElement && target.dataset.time !== undefined) {
      this.#pause();
      this.tell({ at: Number(target.value) });
    } else if (target === this.#area && this.#area) {
      this.push({ text: this.#area.value });
      this.typed(TYPING_PAUSE);
    }
  }

  /** @param {Event} event */
  #onChange({ target }) {
    if (!(target instanceof HTMLSelectElement)) return;
    this.#pause();
    if (target.dataset.control) this.tell({ control: target.dataset.control, value: target.value });
    else if (target.dataset.nodeChoice !== undefined) this.tell({ node: target.value });
  }

  /** @param {MouseEvent} event */
  onClick(event) {
    const node = event.target instanceof Element ? event.target.closest("[data-node]")?.getAttribute("data-node") : null;
    if (node) this.tell({ node });
    super.onClick(event);
  }

  /** @param {HTMLButtonElement} button */
  press(button) {
    if (button.dataset.change !== undefined) this.#pause();
    super.press(button);
  }

  /** @param {HTMLButtonElement} button */
  act(button) {
    if (button.dataset.action === "play") this.#onPlay();
    else super.act(button);
  }

  // Playing

  #onPlay() {
    if (this.#plays) return this.#pause();
    const slider = this.frame.find("[data-time]");
    const atEnd = this.#place.at === null || (slider instanceof HTMLInputElement && Number(slider.value) >= Number(slider.max));
    this.#play();
    this.tell(atEnd ? { at: 0 } : { step: 1 });
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
    const button = this.frame.find('[data-action="play"]');
    if (button) button.textContent = (this.#plays ? this.dataset.pause : this.dataset.play) ?? "";
    this.frame.region("sentence")?.setAttribute("aria-live", this.#plays ? "off" : "polite");
  }

  /** @param {any} response the moment that is shown now */
  #goOn(response) {
    clearTimeout(this.#beat);
    if (response.plays && !response.last) this.#play();
    if (!this.#plays) return;
    if (response.last || !response.ok) this.#pause();
    else this.#beat = setTimeout(() => this.tell({ step: 1 }), BEAT);
  }

  // Answers

  /** @param {any} response see labs.teaching.rollout_lab.answer */
  show(response) {
    this.#place = { text: response.text, at: response.at, node: response.node };
    if (this.#area && this.#area.value !== response.text) this.#area.value = response.text;
    this.showRegions(response.regions);
    if (response.time) showTime(this, response.time);
    this.#goOn(response);
  }

  /** @type {LabElement["showFailure"]} */
  showFailure(cause, reason) {
    this.#pause();
    super.showFailure(cause, reason);
  }

  /** The scenario as the site wrote it. */
  get #first() {
    return this.#area?.defaultValue ?? "";
  }

  get #area() {
    const area = this.frame.find("[data-yaml]");
    return area instanceof HTMLTextAreaElement ? area : null;
  }
}

customElements.define("gpu-rollout", GpuRollout);

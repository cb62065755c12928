// @ts-check
/**
 * <gpu-lab>: makes a lab that the site wrote as complete HTML usable. It knows no GPU and no language: it sends what
 * the reader did to labs.browser.respond in the worker, and shows the HTML and the values that come back.
 *
 * What it shows is the scenario's YAML in the text area, at a moment.
 */
import { afterPaint, savesData } from "../engine/frame.js";
import { LabElement } from "../engine/lab-element.js";
import { Stops, headStart } from "../engine/stops.js";
import { bringsText, withNewest } from "./changes.js";
import { showControl, showTime, valueOf } from "./fields.js";

const TYPING_PAUSE = 250; // milliseconds

class GpuLab extends LabElement {
  /** @type {number | null} the moment that the reader chose; null shows the last */
  #moment = null;
  /** @type {string | undefined} the text that all of the page is of, but for the moment */
  #answered;
  /** @type {Promise<Stops | null> | undefined} */
  #stops;

  get shown() {
    return { text: this.#text.value };
  }

  get isAsWritten() {
    return this.#text.value === this.#text.defaultValue;
  }

  get question() {
    const onlyMoment = this.#moment !== null && this.changes.length === 0 && this.#text.value === this.#answered;
    return { ...this.shown, moment: this.#moment, only: onlyMoment ? ["picture", "time"] : null };
  }

  get awaited() {
    return ["picture", "sentence"];
  }

  prepare() {
    super.prepare();
    this.#text.value = this.#answered = this.#text.defaultValue;
    this.addEventListener("input", (event) => this.#onInput(event));
    this.addEventListener("compositionend", (event) => this.#onInput(event));
    if (!savesData()) afterPaint(() => this.#fetchStops());
  }

  /** @param {string} kept a draft was the text alone once */
  parse(kept) {
    try {
      return super.parse(kept);
    } catch {
      return { text: kept };
    }
  }

  /** @param {import("../engine/lab-element.js").Shown} kept */
  takes({ text }) {
    return typeof text === "string" && text !== "";
  }

  /** @param {import("../engine/lab-element.js").State} state */
  take({ text, changes }) {
    this.#text.value = text;
    return [...changes, { show: true }];
  }

  /** @param {import("./changes.js").Change} change */
  push(change) {
    if (bringsText(change)) this.#moment = null;
    this.changes.splice(0, Infinity, ...withNewest(this.changes, change));
  }

  #fetchStops() {
    return (this.#stops ??= Stops.fetch(this.dataset.stops, this.#text.defaultValue));
  }

  async headStart() {
    await headStart(this.#fetchStops());
  }

  async readyAnswer() {
    const stops = await this.#fetchStops();
    return this.#moment === null ? stops?.answer(this.changes, this.shown) : undefined;
  }

  /** @param {Event} event */
  #onInput({ type, target }) {
    if (!(target instanceof HTMLElement)) return;
    if (target === this.#text) {
      this.drop(bringsText); // what was typed last counts
      this.typed(TYPING_PAUSE);
    } else if (type === "input" && target.matches("[data-time]")) {
      this.#moment = Number(/** @type {HTMLInputElement} */ (target).value);
      this.work();
    } else if (type === "input" && target.dataset.control) {
      this.tell({ control: target.dataset.control, value: valueOf(/** @type {import("./fields.js").Field} */ (target)) });
    }
  }

  /** @param {HTMLButtonElement} button */
  act(button) {
    const { preset, action } = button.dataset;
    if (preset) this.tell({ preset });
    else if (action === "reset") this.tell({ reset: true });
    else super.act(button);
  }

  /** @param {any} response see labs.browser.respond */
  show(response) {
    this.#answered = response.text;
    this.#showText(response.text);
    this.own = !this.isAsWritten;
    this.#showControls(response.controls);
    if (response.time) showTime(this, response.time);
    if (this.#moment !== null && this.#moment >= (response.time?.max ?? Infinity)) this.#moment = null;
    this.showRegions(response.regions);
    if (response.traceHash !== undefined) this.dataset.traceHash = response.traceHash ?? "";
  }

  /** @param {any} response whose text and moment are not what the fields hold by now, nor are some controls */
  showOvertaken({ controls, regions }) {
    this.#showControls(controls);
    this.showRegions(regions);
  }

  /** @param {Record<string, any> | undefined} controls by id; those that hold more than Python was told are left alone */
  #showControls(controls = {}) {
    for (const [id, state] of Object.entries(controls)) {
      if (!this.changes.some((change) => change.control === id || bringsText(change))) showControl(this, id, state);
    }
  }

  /** @param {string} text */
  #showText(text) {
    const area = this.#text;
    if (area.value === text) return;
    const { selectionStart, selectionEnd, scrollTop } = area;
    area.value = text;
    area.setSelectionRange(selectionStart, selectionEnd);
    area.scrollTop = scrollTop;
  }

  get #text() {
    return /** @type {HTMLTextAreaElement} */ (this.frame.find("[data-yaml]"));
  }
}

customElements.define("gpu-lab", GpuLab);

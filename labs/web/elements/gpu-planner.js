// @ts-check
/**
 * <gpu-planner>: makes a planner lab that the site wrote as complete HTML usable. It knows no card, no profile, no language and
 * no layout: it tells labs.browser.respond in the worker what was pressed, and shows the HTML that comes back.
 *
 * What it shows is known by a text that Python wrote.
 */
import { LabElement } from "../engine/lab-element.js";
import { letDrag } from "./dragging.js";

class GpuPlanner extends LabElement {
  #cut = "";

  get shown() {
    return { cut: this.#cut };
  }

  get isAsWritten() {
    return this.#cut === this.#first;
  }

  get question() {
    return { kind: "plan", ...this.shown };
  }

  get awaited() {
    return ["summary", "steps", "palette", "picture", "order"];
  }

  prepare() {
    super.prepare();
    this.#cut = this.#first;
    this.addEventListener("change", (event) => this.#onChange(event));
    letDrag(this, { list: () => this.frame.region("steps"), drop: (drop) => this.#onDrop(drop) });
  }

  /** @param {import("../engine/lab-element.js").Shown} kept */
  takes({ cut }) {
    return typeof cut === "string";
  }

  /** @param {import("../engine/lab-element.js").State} state */
  take({ cut, changes }) {
    this.#cut = cut;
    return [...changes, { show: true }];
  }

  /** @param {Event} event */
  #onChange({ target }) {
    if (!(target instanceof HTMLSelectElement) || !target.dataset.change) return;
    this.tell({ ...JSON.parse(target.dataset.change), value: target.value });
  }

  /** @param {HTMLButtonElement} button */
  press(button) {
    super.press(button);
    if (button.dataset.resets !== undefined) this.querySelector("form")?.reset();
  }

  /**
   * Says what the buttons would have said: a step dragged up by two was moved up twice.
   * @param {import("./dragging.js").Drop} drop
   */
  #onDrop({ held, place }) {
    const { add, step } = JSON.parse(held);
    if (add !== undefined) return this.tell({ add, before: place });
    const to = place > step ? place - 1 : place; // it leaves its own place
    this.tell(...Array(Math.abs(to - step)).fill(to < step ? { up: step } : { down: step }));
  }

  /** @param {any} response see labs.teaching.planner_lab.answer */
  show(response) {
    this.#cut = response.cut;
    const card = this.frame.find('[data-field="card"]');
    if (card instanceof HTMLSelectElement) card.value = response.fields.card;
    this.showRegions(response.regions, response.focus);
  }

  /** The list as the site wrote it. */
  get #first() {
    return this.dataset.cut ?? "";
  }
}

customElements.define("gpu-planner", GpuPlanner);

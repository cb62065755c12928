// @ts-check
/**
 * <gpu-planner>: makes a planner lab that the site wrote as complete HTML usable. It knows no card, no profile, no language and
 * no layout: it tells labs.browser.respond in the worker what was pressed, and shows the HTML that comes back.
 *
 * What it shows is known by a text that Python wrote.
 */
import { letDrag } from "./dragging.js";
import { showRegion } from "./regions.js";
import { Telling } from "./telling.js";

const MOST_CHANGES = 100; // that wait for an answer; Python takes no more at once
const AWAITED = ["summary", "steps", "palette", "picture", "order"]; // what the next answer replaces

class GpuPlanner extends HTMLElement {
  /** @type {Telling | undefined} */
  #told;
  #cut = "";

  connectedCallback() {
    if (this.#told) return;
    this.querySelector("form")?.reset(); // a browser may have kept other choices over a reload
    this.#cut = this.#first;
    this.#told = new Telling(this, {
      most: MOST_CHANGES,
      shown: () => ({ cut: this.#cut }),
      asWritten: () => this.#cut === this.#first,
      takes: ({ cut }) => typeof cut === "string",
      take: ({ cut, changes }) => {
        this.#cut = cut;
        return [...changes, { show: true }];
      },
      request: () => this.#request(),
      awaited: () => AWAITED,
      show: (response, isLast) => isLast && this.#show(response),
    });
    this.#told.start();
    this.addEventListener("change", (event) => this.#onChange(event));
    this.addEventListener("click", (event) => this.#onClick(event));
    letDrag(this, { list: () => this.#telling.frame.region("steps"), drop: (drop) => this.#onDrop(drop) });
  }

  /** @param {Event} event */
  #onChange({ target }) {
    if (!(target instanceof HTMLSelectElement) || !target.dataset.change) return;
    this.#telling.tell({ ...JSON.parse(target.dataset.change), value: target.value });
  }

  /** @param {MouseEvent} event */
  #onClick(event) {
    if (this.#telling.press(event)?.dataset.resets !== undefined) this.querySelector("form")?.reset();
  }

  /**
   * Says what the buttons would have said: a step dragged up by two was moved up twice.
   * @param {import("./dragging.js").Drop} drop
   */
  #onDrop({ held, place }) {
    const { add, step } = JSON.parse(held);
    if (add !== undefined) return this.#telling.tell({ add, before: place });
    const to = place > step ? place - 1 : place; // it leaves its own place
    this.#telling.tell(...Array(Math.abs(to - step)).fill(to < step ? { up: step } : { down: step }));
  }

  #request() {
    const { changes, frame } = this.#telling;
    return { kind: "plan", lab: frame.id, lang: this.lang, element: this.id, cut: this.#cut, changes: [...changes] };
  }

  /** @param {any} response see labs.teaching.planner_lab.answer */
  #show(response) {
    const { frame } = this.#telling;
    this.#cut = response.cut;
    const card = frame.find('[data-field="card"]');
    if (card instanceof HTMLSelectElement) card.value = response.fields.card;
    const pressed = document.activeElement;
    const again = pressed instanceof HTMLElement && this.contains(pressed) ? response.focus || pressed.id : "";
    for (const [name, html] of Object.entries(response.regions)) showRegion(frame.region(name), html);
    if (again && document.activeElement?.id !== again) document.getElementById(again)?.focus({ preventScroll: true });
  }

  /** The list as the site wrote it. */
  get #first() {
    return this.dataset.cut ?? "";
  }

  get #telling() {
    return /** @type {Telling} */ (this.#told);
  }
}

customElements.define("gpu-planner", GpuPlanner);

// @ts-check
/**
 * <gpu-check>: makes a check lab that the site wrote as complete HTML usable. It knows no rule, no language and no layout:
 * it sends the text to labs.browser.respond in the worker, and shows the HTML and the marks that come back.
 *
 * What it shows is the text, the node, the deployer, and the sample that is chosen.
 */
import { LabElement } from "../engine/lab-element.js";
import { EditedText } from "./editing.js";

/** @typedef {import("../engine/lab-element.js").Shown} Shown */

const TYPING_PAUSE = 120; // milliseconds
const FIELDS = ["node", "deployer", "sample"];

class GpuCheck extends LabElement {
  /** @type {EditedText | undefined} */
  #edited;
  #first = ""; // what the site wrote

  get shown() {
    return { text: this.#text.value, ...Object.fromEntries(FIELDS.map((name) => [name, this.#field(name)])) };
  }

  get isAsWritten() {
    return JSON.stringify(this.shown) === this.#first;
  }

  get question() {
    const longest = Number(this.dataset.longest);
    const text = this.#text.value.slice(0, longest + 1); // what is longer is refused, whatever it is
    return { kind: "check", rules: this.dataset.rules, node: this.#field("node"), deployer: this.#field("deployer"), text };
  }

  get awaited() {
    return ["summary", "findings"];
  }

  get isComposing() {
    return this.#text.composing;
  }

  prepare() {
    super.prepare();
    this.#edited = new EditedText(this, () => this.#onTyped());
    this.#first = JSON.stringify(this.shown);
    this.addEventListener("change", (event) => this.#onChange(event));
  }

  /** @param {string} kept whose `own` was called `edited` once */
  parse(kept) {
    const { edited, ...draft } = super.parse(kept);
    return { own: edited, ...draft };
  }

  /** @param {Shown} kept */
  takes({ text }) {
    return typeof text === "string";
  }

  /** @param {import("../engine/lab-element.js").State} state */
  take({ text, changes, ...state }) {
    this.#text.value = text;
    for (const name of FIELDS) this.#field(name, state[name]);
    return [...changes, { show: true }];
  }

  /** @param {boolean} saves */
  onNear(saves) {
    if (!saves) this.#text.upgrade();
  }

  /** @param {any} response whose marks alone are not yet in the page */
  showFirst({ marks }) {
    if (marks) this.#text.marks = marks;
  }

  #onTyped() {
    this.drop(() => true); // fixes are of the text that was, and other texts come too late
    this.typed(TYPING_PAUSE);
  }

  /** @param {Event} event */
  #onChange({ target }) {
    if (!(target instanceof HTMLSelectElement) || !target.dataset.field) return;
    if (target.dataset.field === "sample") return this.replace({ sample: target.value });
    this.touched(false);
    this.work();
  }

  /** @param {MouseEvent} event */
  onClick(event) {
    const place = event.target instanceof Element ? event.target.closest("a") : null;
    if (place?.dataset.from === undefined) return super.onClick(event);
    event.preventDefault();
    this.#text.select(Number(place.dataset.from), Number(place.dataset.to));
  }

  /** @param {HTMLButtonElement} button */
  act(button) {
    const { action, fix } = button.dataset;
    if (fix !== undefined) this.tell({ fix });
    else if (action === "reset") this.replace({ reset: true });
    else super.act(button);
  }

  /** @param {import("../engine/lab-element.js").Change} change in the place of all that wait, where it brings a text of its own */
  push(change) {
    if (!("fix" in change)) this.drop(() => true);
    super.push(change);
  }

  /** @param {any} response see labs.teaching.check_lab.answer */
  show({ text, fields, marks, own, regions }) {
    if (text !== null && text !== undefined) this.#text.value = text;
    for (const [name, value] of Object.entries(fields ?? {})) this.#field(name, value);
    this.#text.marks = marks;
    this.toggleAttribute("data-own", own);
    this.showRegions(regions);
  }

  /**
   * @param {string} name
   * @param {string | undefined} value set where it is one of the choices
   */
  #field(name, value = undefined) {
    const field = this.frame.find(`[data-field="${CSS.escape(name)}"]`);
    if (!(field instanceof HTMLSelectElement)) return "";
    if (value !== undefined && [...field.options].some((option) => option.value === value)) field.value = value;
    return field.value;
  }

  get #text() {
    return /** @type {EditedText} */ (this.#edited);
  }
}

customElements.define("gpu-check", GpuCheck);

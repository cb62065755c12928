// @ts-check
/**
 * <gpu-form>: makes a form lab that the site wrote as complete HTML usable. It knows no GPU, no language and no layout: it
 * sends what the fields hold to labs.browser.respond in the worker, and shows the HTML that comes back.
 *
 * What it shows is what the fields hold.
 */
import { LabElement } from "../engine/lab-element.js";
import { showRegion } from "../engine/regions.js";

const TYPING_PAUSE = 200; // milliseconds

/** @typedef {HTMLInputElement | HTMLSelectElement | HTMLTextAreaElement} Field */

class GpuForm extends LabElement {
  get shown() {
    return { values: this.#values };
  }

  get isAsWritten() {
    return same(this.#values, JSON.parse(this.dataset.values ?? "{}"));
  }

  get question() {
    return { kind: "form", pages: this.dataset.pages, ...this.shown };
  }

  /** All regions of the lab's own. */
  get awaited() {
    return ["summary", ...[...this.querySelectorAll('[class^="gl-region-"]')].map((region) => /** @type {HTMLElement} */ (region).dataset.region ?? "")];
  }

  prepare() {
    super.prepare();
    this.addEventListener("input", (event) => this.#onInput(event));
  }

  /** @param {import("../engine/lab-element.js").Shown} kept */
  takes({ values }) {
    return Boolean(values) && typeof values === "object";
  }

  /** @param {import("../engine/lab-element.js").State} state */
  take({ values, changes }) {
    return [{ values }, ...changes];
  }

  /**
   * A field that is set after a change which waits for an answer is set once more behind it, which would else take its place:
   * a preset, say.
   * @param {Event} event
   */
  #onInput({ target }) {
    if (!(target instanceof HTMLElement) || target.dataset.field === undefined) return;
    if (this.changes.length > 0 && isField(target)) this.push({ set: { [target.dataset.field]: valueOf(target) } });
    const isText = target instanceof HTMLTextAreaElement || (target instanceof HTMLInputElement && target.type === "text");
    if (isText) return this.typed(TYPING_PAUSE);
    this.touched(true);
    this.work();
  }

  /** @param {import("../engine/lab-element.js").Change} change of fields that are set in a row, one change is made */
  push(change) {
    const last = this.changes.at(-1);
    if (change.set && last?.set) Object.assign(last.set, change.set);
    else super.push(change);
  }

  /** @param {any} response see labs.teaching.form_lab.answer */
  show(response) {
    if (response.form !== undefined) this.#showForm(response.form, response.focus);
    for (const [key, state] of Object.entries(response.fields)) this.#showField(key, state);
    this.showRegions(response.regions);
  }

  /** @param {any} response its fields are left alone: they hold more than was asked */
  showOvertaken({ regions }) {
    this.showRegions(regions);
  }

  /**
   * @param {string} html
   * @param {string} focus the id of the field to stand in, for whoever stood in the form
   */
  #showForm(html, focus) {
    const region = this.frame.region("form");
    const stood = region?.contains(document.activeElement) ? document.activeElement?.id : "";
    showRegion(region, html);
    const field = stood ? (document.getElementById(focus) ?? document.getElementById(stood)) : null;
    field?.focus();
  }

  /**
   * @param {string} key
   * @param {{value: string, problem: string, hidden: boolean, output?: string, options?: string}} state
   */
  #showField(key, { value, problem, hidden, output, options }) {
    const { frame } = this;
    const name = CSS.escape(key);
    const field = frame.find(`[data-field="${name}"]`);
    const about = frame.find(`[data-of="${name}"]`);
    if (!field || !isField(field) || !about) return;
    about.hidden = hidden;
    if (options !== undefined && field instanceof HTMLSelectElement && field.innerHTML !== options) showRegion(field, options);
    if (valueOf(field) !== value && field !== document.activeElement) setValue(field, value);
    if (problem) field.setAttribute("aria-invalid", "true");
    else field.removeAttribute("aria-invalid");
    showRegion(frame.find(`[data-problem="${name}"]`), problem);
    if (problem) field.closest("details")?.setAttribute("open", "");
    if (output === undefined) return;
    const place = frame.find(`[data-output="${name}"]`);
    if (place) place.textContent = output;
    if (field instanceof HTMLInputElement && field.type === "range") field.setAttribute("aria-valuetext", output);
  }

  /** What the fields hold. */
  get #values() {
    /** @type {Record<string, string>} */
    const values = {};
    for (const field of [...this.querySelectorAll("[data-field]")].filter(isField)) values[field.dataset.field ?? ""] = valueOf(field);
    return values;
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

customElements.define("gpu-form", GpuForm);

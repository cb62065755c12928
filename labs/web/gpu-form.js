// @ts-check
/**
 * <gpu-form>: makes a form lab that the site wrote as complete HTML usable. It knows no GPU, no language and no layout: it
 * sends what the fields hold to labs.browser.respond in the worker, and shows the HTML that comes back.
 *
 * What it shows is what the fields hold.
 */
import { showRegion } from "./regions.js";
import { Telling } from "./telling.js";

const MOST_CHANGES = 50; // that wait for an answer; Python takes no more at once
const TYPING_PAUSE = 200; // milliseconds

/** @typedef {HTMLInputElement | HTMLSelectElement | HTMLTextAreaElement} Field */

class GpuForm extends HTMLElement {
  /** @type {Telling | undefined} */
  #told;
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  #typing;

  connectedCallback() {
    if (this.#told) return;
    this.querySelector("form")?.reset(); // a browser may have kept other values over a reload
    this.#told = new Telling(this, {
      most: MOST_CHANGES,
      shown: () => ({ values: this.#values }),
      asWritten: () => same(this.#values, JSON.parse(this.dataset.values ?? "{}")),
      takes: ({ values }) => Boolean(values) && typeof values === "object",
      take: ({ values, changes }) => [{ values }, ...changes],
      request: () => this.#request(),
      awaited: () => this.#awaited,
      show: (response, isLast) => this.#show(response, isLast),
    });
    this.#told.start();
    this.addEventListener("input", (event) => this.#onInput(event));
    this.addEventListener("click", (event) => this.#onClick(event));
  }

  /** @param {Event} event */
  #onInput({ target }) {
    if (!(target instanceof HTMLElement) || target.dataset.field === undefined) return;
    if (this.#telling.changes.length > 0 && isField(target)) this.#setLater(target);
    this.#telling.touched();
    clearTimeout(this.#typing);
    const isText = target instanceof HTMLTextAreaElement || (target instanceof HTMLInputElement && target.type === "text");
    if (isText) this.#typing = setTimeout(() => this.#telling.work(), TYPING_PAUSE);
    else this.#telling.work();
  }

  /**
   * A field set after a change that waits for an answer, which would else take the place of it: a preset, say.
   * @param {Field} field
   */
  #setLater(field) {
    const { changes } = this.#telling;
    const key = field.dataset.field ?? "";
    const last = /** @type {Record<string, string> | undefined} */ (changes.at(-1)?.set);
    if (last) last[key] = valueOf(field);
    else if (changes.length < MOST_CHANGES) changes.push({ set: { [key]: valueOf(field) } });
  }

  /** @param {MouseEvent} event */
  #onClick(event) {
    if (this.#telling.press(event)?.dataset.change !== undefined) clearTimeout(this.#typing);
  }

  #request() {
    const { changes, frame } = this.#telling;
    return { kind: "form", lab: frame.id, lang: this.lang, element: this.id, pages: this.dataset.pages, values: this.#values, changes: [...changes] };
  }

  /**
   * @param {any} response see labs.teaching.form_lab.answer
   * @param {boolean} isLast whether the form still holds what was asked; else its fields are left alone
   */
  #show(response, isLast) {
    if (isLast) this.#showForm(response);
    for (const [name, html] of Object.entries(response.regions)) showRegion(this.#telling.frame.region(name), html);
  }

  /** @param {any} response */
  #showForm(response) {
    if (response.form !== undefined) {
      const region = this.#telling.frame.region("form");
      const pressed = region?.contains(document.activeElement) ? document.activeElement?.id : "";
      showRegion(region, response.form);
      for (const id of [response.focus, pressed]) {
        const field = pressed && id ? document.getElementById(id) : null;
        if (!field) continue;
        field.focus();
        break;
      }
    }
    for (const [key, state] of Object.entries(response.fields)) this.#showField(key, state);
  }

  /**
   * @param {string} key
   * @param {{value: string, problem: string, hidden: boolean, output?: string, options?: string}} state
   */
  #showField(key, { value, problem, hidden, output, options }) {
    const { frame } = this.#telling;
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

  /** The regions that the next answer replaces: all of the lab's own. */
  get #awaited() {
    return ["summary", ...[...this.querySelectorAll('[class^="gl-region-"]')].map((each) => /** @type {HTMLElement} */ (each).dataset.region ?? "")];
  }

  get #telling() {
    return /** @type {Telling} */ (this.#told);
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

// @ts-check
/**
 * <gpu-lab>: makes a lab that the site wrote as complete HTML usable. It knows no GPU and no language: it sends what
 * the reader did to labs.browser.respond in the worker, and shows the HTML and the values that come back.
 * The scenario's YAML in the text area is the lab's only state; the draft of it is kept in the store.
 */
import { Changes } from "./changes.js";
import { prefetch, runtime } from "./runtime.js";
import { store } from "./store.js";

/** @typedef {import("./changes.js").Change} Change */
/** @typedef {HTMLInputElement | HTMLSelectElement} Field */

const NEAR = "600px";
const TYPING_PAUSE = 250; // milliseconds
const PROGRESS_STEP = 10; // percent; each new one is read out
const DRAFT = "draft";

class GpuLab extends HTMLElement {
  #changes = new Changes();
  #working = false;
  /** @type {number | null} the moment that the reader chose; null shows the last */
  #moment = null;
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  #typing;
  /** @type {Map<string, string>} the HTML each region got last, so that an unchanged sentence is not read out again */
  #shown = new Map();
  #upgraded = false;

  connectedCallback() {
    if (this.#upgraded) return;
    this.#upgraded = true;
    this.#restore();
    this.addEventListener("input", (event) => this.#onInput(event));
    this.addEventListener("compositionend", (event) => this.#onInput(event));
    this.addEventListener("click", (event) => this.#onClick(event));
    this.addEventListener("submit", (event) => event.preventDefault());
    for (const sign of ["pointerenter", "focusin"]) this.addEventListener(sign, () => runtime.start(), { once: true });
    runtime.onProgress((percent) => this.#onProgress(percent));
    this.#startWhenNear();
  }

  /** The fields as the site wrote them (a browser may have kept others over a reload), then the reader's draft. */
  #restore() {
    this.querySelector("form")?.reset();
    const text = this.#text;
    text.value = text.defaultValue;
    const draft = store.get(DRAFT, this.#lab);
    if (draft === null || draft === text.defaultValue) return;
    text.value = draft;
    this.#changes.add({ text: true });
    this.setAttribute("aria-busy", "true");
  }

  #startWhenNear() {
    const observer = new IntersectionObserver(
      (entries) => {
        if (!entries.some((entry) => entry.isIntersecting)) return;
        observer.disconnect();
        if (!this.#changes.empty) this.#work();
        if (/** @type {any} */ (navigator).connection?.saveData) return;
        prefetch().catch(() => {}); // only a head start: what is wrong shows when Python is loaded
        const whenIdle = window.requestIdleCallback ?? ((/** @type {() => void} */ start) => setTimeout(start, 1000));
        whenIdle(() => this.#warmUp());
      },
      { rootMargin: NEAR },
    );
    observer.observe(this);
  }

  /** Has Python loaded, and its first answer, the slowest, given before the reader asks. */
  #warmUp() {
    if (!this.#working) runtime.ask(() => this.#request(this.#text.value, undefined));
  }

  /** @param {Event} event */
  #onInput({ type, target }) {
    if (!(target instanceof HTMLElement)) return;
    if (target.matches("[data-yaml]")) {
      this.#keepDraft();
      clearTimeout(this.#typing);
      this.#typing = setTimeout(() => this.#tell({ text: true }), TYPING_PAUSE);
    } else if (type === "input" && target.matches("[data-time]")) {
      this.#moment = Number(/** @type {HTMLInputElement} */ (target).value);
      this.#tell({ moment: true });
    } else if (type === "input" && target.dataset.control) {
      this.#tell({ control: target.dataset.control, value: valueOf(/** @type {Field} */ (target)) });
    }
  }

  /** @param {MouseEvent} event */
  #onClick({ target }) {
    const button = target instanceof Element ? target.closest("button") : null;
    if (button?.dataset.preset) this.#tell({ preset: button.dataset.preset });
    else if (button?.dataset.action === "reset") this.#tell({ reset: true });
    else if (button?.dataset.action === "retry") this.#retry();
  }

  /** Tells what was on its way when Python went down; nothing was when Python itself found the error. */
  #retry() {
    if (this.#changes.empty) this.#changes.add({ text: true });
    this.#work();
  }

  /** @param {Change} change */
  #tell(change) {
    if ("preset" in change || "reset" in change) {
      clearTimeout(this.#typing);
      this.#moment = null;
    }
    this.#changes.add(change);
    this.#work();
  }

  /** Tells Python one change after the other until there is none. */
  async #work() {
    if (this.#working) return;
    this.#working = true;
    this.setAttribute("aria-busy", "true");
    while (!this.#changes.empty) {
      /** @type {Change | undefined} */
      let change;
      let text = "";
      const outcome = await runtime.ask(() => {
        change = this.#changes.take();
        text = this.#text.value;
        return this.#request(text, change);
      });
      if (outcome.kind === "down") {
        if (change) this.#changes.addAgain(change);
        this.#showFailure(outcome.cause, outcome.reason);
        break;
      }
      this.#clearStatus();
      if (this.#changes.empty) this.removeAttribute("aria-busy"); // before the new sentence, which is then read out
      if (this.#text.value === text) this.#show(outcome.response);
      else if (change && !("text" in change)) this.#changes.addAgain(change); // typed meanwhile: on top of the new text
    }
    this.#working = false;
    this.removeAttribute("aria-busy");
  }

  /**
   * @param {string} text
   * @param {Change | undefined} change
   */
  #request(text, change) {
    const onlyMoment = change !== undefined && "moment" in change;
    const told = change === undefined || onlyMoment || "text" in change ? null : change;
    const only = onlyMoment ? ["picture", "time"] : null;
    return { lab: this.#lab, lang: this.lang, element: this.id, text, change: told, moment: this.#moment, only };
  }

  /** @param {any} response see labs.browser.respond */
  #show(response) {
    if (response.error) {
      this.#showFailure("crashed", response.error);
      return;
    }
    this.#showText(response.text);
    for (const [id, state] of Object.entries(response.controls ?? {})) {
      if (!this.#changes.waitsFor(id)) this.#showControl(id, state);
    }
    if (response.time) this.#showTime(response.time);
    for (const [name, html] of Object.entries(response.regions ?? {})) this.#showRegion(name, html);
    if (response.traceHash !== undefined) this.dataset.traceHash = response.traceHash ?? "";
  }

  /** @param {string} text */
  #showText(text) {
    const area = this.#text;
    if (area.value !== text) {
      const { selectionStart, selectionEnd, scrollTop } = area;
      area.value = text;
      area.setSelectionRange(selectionStart, selectionEnd);
      area.scrollTop = scrollTop;
    }
    this.#keepDraft();
  }

  #keepDraft() {
    const { value, defaultValue } = this.#text;
    if (value === defaultValue) store.remove(DRAFT, this.#lab);
    else store.set(DRAFT, this.#lab, value);
  }

  /**
   * @param {string} id
   * @param {any} state
   */
  #showControl(id, state) {
    const field = this.#find(`[data-control="${CSS.escape(id)}"]`);
    if (!(field instanceof HTMLInputElement || field instanceof HTMLSelectElement)) return;
    setField(field, state);
    this.#showOutput(id, field, state.output);
  }

  /** @param {{max: number, value: number, output: string, text: string}} time */
  #showTime(time) {
    const field = this.#find("[data-time]");
    if (!(field instanceof HTMLInputElement)) return;
    setField(field, { max: time.max, value: time.value });
    this.#showOutput("time", field, time.output, time.text);
    const region = this.#region("time");
    if (region) region.hidden = time.max === 0;
    if (this.#moment !== null && this.#moment >= time.max) this.#moment = null;
  }

  /**
   * @param {string} id
   * @param {Field} field
   * @param {string | undefined} output
   * @param {string | undefined} spoken
   */
  #showOutput(id, field, output, spoken = output) {
    if (output === undefined) return;
    const place = this.#find(`[data-output="${CSS.escape(id)}"]`);
    if (place && place.textContent !== output) place.textContent = output;
    if (field.type === "range" && spoken !== undefined) field.setAttribute("aria-valuetext", spoken);
  }

  /**
   * Swaps a region's HTML. It comes from the renderer that wrote the page, which escapes whatever a reader typed.
   * @param {string} name
   * @param {string} html
   */
  #showRegion(name, html) {
    const region = this.#region(name);
    if (!region || (this.#shown.get(name) ?? region.innerHTML) === html) return;
    const focused = region.contains(document.activeElement) && region !== document.activeElement;
    const id = document.activeElement?.id;
    region.innerHTML = html;
    this.#shown.set(name, html);
    if (!focused) return;
    const again = id ? region.querySelector(`#${CSS.escape(id)}`) : null;
    const place = again instanceof HTMLElement ? again : region;
    if (place === region) region.tabIndex = -1;
    place.focus({ preventScroll: true });
  }

  /** @param {number} percent */
  #onProgress(percent) {
    if (!this.#working) return;
    const shown = Math.floor(percent / PROGRESS_STEP) * PROGRESS_STEP;
    const words = percent < 100 ? (this.dataset.loading ?? "").replace("{percent}", String(shown)) : "";
    if (this.#region("status")?.textContent !== words) this.#clearStatus()?.append(words);
  }

  /**
   * Says what happened, with a button to try again; the last result and the draft stay.
   * @param {import("./runtime.js").Cause} cause
   * @param {string} reason
   */
  #showFailure(cause, reason) {
    const status = this.#clearStatus();
    if (!status) return;
    const retry = document.createElement("button");
    Object.assign(retry, { type: "button", textContent: this.dataset.retry ?? "" });
    retry.dataset.action = "retry";
    const detail = document.createElement("code");
    detail.textContent = reason;
    status.setAttribute("role", "alert");
    status.append(this.dataset[cause] ?? "", " ", detail, " ", retry);
  }

  #clearStatus() {
    const status = this.#region("status");
    status?.setAttribute("role", "status");
    status?.replaceChildren();
    return status;
  }

  get #lab() {
    return this.getAttribute("lab") ?? this.id;
  }

  get #text() {
    return /** @type {HTMLTextAreaElement} */ (this.#find("[data-yaml]"));
  }

  /** @param {string} name */
  #region(name) {
    return this.#find(`[data-region="${CSS.escape(name)}"]`);
  }

  /**
   * @param {string} selector
   * @returns {HTMLElement | null}
   */
  #find(selector) {
    return this.querySelector(selector);
  }
}

/** @param {Field} field */
function valueOf(field) {
  return field.type === "checkbox" ? /** @type {HTMLInputElement} */ (field).checked : field.value;
}

/**
 * @param {Field} field
 * @param {any} state
 */
function setField(field, { value, output, checked, disabled, min, max, step }) {
  if (field instanceof HTMLInputElement) {
    for (const [name, limit] of Object.entries({ min, max, step })) if (limit !== undefined) field.setAttribute(name, limit);
    if (checked !== undefined) field.checked = checked;
  }
  if (value !== undefined && value !== null && field.type !== "checkbox") field.value = String(value);
  if (field instanceof HTMLSelectElement && value && field.value !== value) {
    field.add(new Option(output ?? value, value, false, true)); // a value that only the text knows
  }
  if (disabled !== undefined) field.disabled = disabled;
}

customElements.define("gpu-lab", GpuLab);

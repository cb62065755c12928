// @ts-check
/**
 * <gpu-lab>: makes a lab that the site wrote as complete HTML usable. It knows no GPU and no language: it sends what
 * the reader did to labs.browser.respond in the worker, and shows the HTML and the values that come back.
 * The scenario's YAML in the text area is the lab's only state; the draft of it is kept in the store.
 */
import { Changes } from "./changes.js";
import { Drafts } from "./drafts.js";
import { showControl, showTime, valueOf } from "./fields.js";
import { leaveLink, linkFor } from "./links.js";
import { runtime } from "./runtime.js";
import { followBoxes } from "./scrolling.js";
import { prefetch } from "./source.js";
import { Stops } from "./stops.js";
import { copyCommand, save, share } from "./taking.js";
import { buttonFor, say } from "./words.js";

/** @typedef {import("./changes.js").Change} Change */

const NEAR = "600px";
const TYPING_PAUSE = 250; // milliseconds
const HEAD_START = 300; // milliseconds that Python waits for the ready answers
const PROGRESS_STEP = 10; // percent; each new one is read out
const AWAITED = ["picture", "sentence"]; // what the next answer replaces; the status is read out meanwhile

class GpuLab extends HTMLElement {
  #changes = new Changes();
  /** @type {Promise<void> | null} while Python is told what the reader did */
  #working = null;
  #linking = false;
  /** @type {number | null} the moment that the reader chose; null shows the last */
  #moment = null;
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  #typing;
  /** @type {Map<string, string>} the HTML each region got last, so that an unchanged sentence is not read out again */
  #shown = new Map();
  /** @type {Promise<Stops | null> | undefined} */
  #stops;
  #upgraded = false;

  connectedCallback() {
    if (this.#upgraded) return;
    this.#upgraded = true;
    this.#restore();
    this.addEventListener("input", (event) => this.#onInput(event));
    this.addEventListener("compositionend", (event) => this.#onInput(event));
    this.addEventListener("click", (event) => this.#onClick(event));
    this.addEventListener("submit", (event) => event.preventDefault());
    addEventListener("hashchange", () => this.#openLink() && this.#work());
    for (const sign of ["pointerenter", "focusin"]) this.addEventListener(sign, () => this.#start(), { once: true });
    runtime.onProgress((percent) => this.#onProgress(percent));
    this.#startWhenNear();
    if (!savesData()) afterPaint(() => this.#fetchStops());
    followBoxes(this);
  }

  /** The fields as the site wrote them (a browser may have kept others over a reload), then the reader's draft. */
  #restore() {
    this.querySelector("form")?.reset();
    const text = this.#text;
    text.value = text.defaultValue;
    const draft = this.#drafts.text;
    if (draft !== null && draft !== text.defaultValue) {
      text.value = draft;
      this.#changes.add({ text: true });
    }
    this.#sayOpened("");
    this.#openLink();
    this.#markBusy(!this.#changes.empty);
  }

  /** @returns {boolean} whether the page's address holds a link for this lab, which Python is then to open */
  #openLink() {
    const link = linkFor(this);
    if (link === null) return false;
    this.#moment = null;
    this.#changes.add({ link });
    this.scrollIntoView();
    return true;
  }

  #startWhenNear() {
    const observer = new IntersectionObserver(
      (entries) => {
        if (!entries.some((entry) => entry.isIntersecting)) return;
        observer.disconnect();
        if (!this.#changes.empty) this.#work();
        if (savesData()) return;
        this.#whenStopsAreThere(() => {
          prefetch().catch(() => {}); // only a head start: what is wrong shows when Python is loaded
          whenIdle(() => this.#warmUp());
        });
      },
      { rootMargin: NEAR },
    );
    observer.observe(this);
  }

  /** The reader's hand or the keyboard is here. */
  #start() {
    this.#whenStopsAreThere(() => afterPaint(() => runtime.start()));
  }

  /**
   * Python comes after the ready answers: starting, it takes what the first of them needs to be shown at once.
   * @param {() => void} then
   */
  #whenStopsAreThere(then) {
    Promise.race([this.#fetchStops(), new Promise((resolve) => setTimeout(resolve, HEAD_START))]).then(then);
  }

  /** @returns {Promise<Stops | null>} */
  #fetchStops() {
    const name = this.dataset.stops;
    this.#stops ??= name ? Stops.fetch(new URL(`./stops/${name}`, import.meta.url), this.#text.defaultValue) : Promise.resolve(null);
    return this.#stops;
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
      this.#tell({ control: target.dataset.control, value: valueOf(/** @type {import("./fields.js").Field} */ (target)) });
    }
  }

  /** @param {MouseEvent} event */
  #onClick({ target }) {
    const button = target instanceof Element ? target.closest("button") : null;
    if (button?.dataset.preset) this.#tell({ preset: button.dataset.preset });
    else if (button?.dataset.action === "reset") this.#tell({ reset: true });
    else if (button) this.#act(button);
  }

  /** @param {HTMLElement} button */
  #act({ dataset: { action, file = "", head = "" } }) {
    if (action === "retry") this.#retry();
    else if (action === "share") share(this, this.#link());
    else if (action === "copy") copyCommand(this);
    else if (action === "download") save(file, head, this.#text.value);
    else if (action === "restore") this.#bringBack();
    else if (action === "discard") this.#drop();
  }

  /** @returns {Promise<{fragment: string} | {notice: string | null}>} what Python calls the lab as it stands */
  async #link() {
    await this.#working; // so that the link is to what the reader sees next
    this.#linking = true;
    const outcome = await runtime.ask(() => ({ ...this.#request(this.#text.value, undefined), only: ["link"] }));
    this.#linking = false;
    this.#clearStatus();
    if (outcome.kind === "answer" && outcome.response.link) return { fragment: outcome.response.link };
    if (outcome.kind === "down") this.#showFailure(outcome.cause, outcome.reason);
    return { notice: outcome.kind === "down" ? null : (outcome.response.notice ?? outcome.response.error) };
  }

  /** The text that a link took the place of; what is shown now is set aside in its turn. */
  #bringBack() {
    const text = this.#drafts.takeAside();
    if (text === undefined) return;
    this.#setAside(text);
    this.#text.value = text;
    this.#keepDraft();
    this.#tell({ text: true });
    this.#sayOpened("");
  }

  #drop() {
    this.#drafts.takeAside();
    this.#sayOpened("");
  }

  /** @param {string} next the text that takes the place of the reader's */
  #setAside(next) {
    const { value, defaultValue } = this.#text;
    if (value !== defaultValue && value !== next) this.#drafts.setAside(value);
  }

  /** @param {string} notice what became of a link; behind it, whether there are drafts to bring back */
  #sayOpened(notice) {
    const offer = ["restore", "discard"].map((action) => buttonFor(action, this.dataset[action]));
    say(this.#region("opened"), notice, ...(this.#drafts.hasAside ? [this.dataset.aside, ...offer] : []));
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
    if (!("moment" in change) && linkFor(this) !== null) {
      leaveLink();
      this.#sayOpened("");
    }
    this.#changes.add(change);
    this.#work();
  }

  #work() {
    this.#working ??= this.#tellAll().finally(() => { this.#working = null; });
  }

  /** Tells Python one change after the other until there is none. */
  async #tellAll() {
    this.#markBusy(true);
    while (!this.#changes.empty) {
      if (!runtime.isWarm && (await this.#showStop())) continue;
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
      if (this.#changes.empty) this.#markBusy(false); // before the new sentence, which is then read out
      if (this.#text.value === text) this.#show(outcome.response);
      else if (change && !("text" in change)) this.#changes.addAgain(change); // typed meanwhile: on top of the new text
    }
    this.#markBusy(false);
  }

  /** @returns {Promise<boolean>} whether what the next change leads to was known, and is now shown, without Python */
  async #showStop() {
    const stops = await this.#fetchStops();
    const change = this.#changes.next;
    const answer = change && this.#moment === null ? stops?.answer(change, this.#text.value) : undefined;
    if (answer === undefined) return false;
    this.#changes.take();
    this.#clearStatus();
    if (this.#changes.empty) this.#markBusy(false);
    this.#show(answer);
    return true;
  }

  /** @param {boolean} busy */
  #markBusy(busy) {
    for (const name of AWAITED) {
      if (busy) this.#region(name)?.setAttribute("aria-busy", "true");
      else this.#region(name)?.removeAttribute("aria-busy");
    }
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
    if (response.opened) this.#setAside(response.text);
    this.#showText(response.text);
    if (response.notice) this.#sayOpened(response.notice);
    for (const [id, state] of Object.entries(response.controls ?? {})) {
      if (!this.#changes.waitsFor(id)) showControl(this, id, state);
    }
    if (response.time) {
      showTime(this, response.time);
      if (this.#moment !== null && this.#moment >= response.time.max) this.#moment = null;
    }
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
    this.#drafts.text = value === defaultValue ? null : value;
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
    followBoxes(region);
    if (!focused) return;
    const again = id ? region.querySelector(`#${CSS.escape(id)}`) : null;
    const place = again instanceof HTMLElement ? again : region;
    if (place === region) region.tabIndex = -1;
    place.focus({ preventScroll: true });
  }

  /** @param {number} percent */
  #onProgress(percent) {
    if (!this.#working && !this.#linking) return;
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
    const detail = document.createElement("code");
    detail.textContent = reason;
    detail.lang = "en";
    status.setAttribute("role", "alert");
    status.append(this.dataset[cause] ?? "", " ", detail, " ", buttonFor("retry", this.dataset.retry));
  }

  #clearStatus() {
    const status = this.#region("status");
    status?.setAttribute("role", "status");
    status?.replaceChildren();
    return status;
  }

  get #drafts() {
    return new Drafts(this.#lab);
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

function savesData() {
  return Boolean(/** @type {any} */ (navigator).connection?.saveData);
}

/** @param {() => void} start */
function whenIdle(start) {
  if (window.requestIdleCallback) requestIdleCallback(start);
  else setTimeout(start, 1000);
}

/** @param {() => void} start called when what is there now has been painted; in a page out of sight, where nothing is, too */
function afterPaint(start) {
  if (document.hidden) start();
  else requestAnimationFrame(() => setTimeout(start));
}

customElements.define("gpu-lab", GpuLab);

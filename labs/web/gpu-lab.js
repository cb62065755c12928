// @ts-check
/**
 * <gpu-lab>: makes a lab that the site wrote as complete HTML usable. It knows no GPU and no language: it sends what
 * the reader did to labs.browser.respond in the worker, and shows the HTML and the values that come back.
 * The scenario's YAML in the text area is the lab's only state; the draft of it is kept in the store.
 */
import { Changes } from "./changes.js";
import { showControl, showTime, valueOf } from "./fields.js";
import { LabFrame, afterPaint, savesData } from "./frame.js";
import { leaveLink, linkFor } from "./links.js";
import { showRegion } from "./regions.js";
import { runtime } from "./runtime.js";
import { Stops, headStart } from "./stops.js";
import { copyCommand, save, share } from "./taking.js";

/** @typedef {import("./changes.js").Change} Change */

const TYPING_PAUSE = 250; // milliseconds
const AWAITED = ["picture", "sentence"]; // what the next answer replaces; the status is read out meanwhile

class GpuLab extends HTMLElement {
  #changes = new Changes();
  /** @type {Promise<void> | null} while Python is told what the reader did */
  #working = null;
  /** @type {LabFrame | undefined} */
  #framed;
  /** @type {number | null} the moment that the reader chose; null shows the last */
  #moment = null;
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  #typing;
  /** @type {Promise<Stops | null> | undefined} */
  #stops;
  #upgraded = false;

  connectedCallback() {
    if (this.#upgraded) return;
    this.#upgraded = true;
    this.#framed = new LabFrame(this, () => headStart(this.#fetchStops()));
    this.#restore();
    this.addEventListener("input", (event) => this.#onInput(event));
    this.addEventListener("compositionend", (event) => this.#onInput(event));
    this.addEventListener("click", (event) => this.#onClick(event));
    addEventListener("hashchange", () => this.#openLink() && this.#work());
    this.#frame.whenNear(
      () => !this.#changes.empty && this.#work(),
      () => this.#warmUp(),
    );
    if (!savesData()) afterPaint(() => this.#fetchStops());
  }

  /** The fields as the site wrote them (a browser may have kept others over a reload), then the reader's draft. */
  #restore() {
    this.querySelector("form")?.reset();
    const text = this.#text;
    text.value = text.defaultValue;
    const draft = this.#frame.drafts.text;
    if (draft !== null && draft !== text.defaultValue) {
      text.value = draft;
      this.#changes.add({ text: true });
    }
    this.#frame.sayOpened("");
    this.#openLink();
    this.#frame.markBusy(AWAITED, !this.#changes.empty);
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
    else if (action === "discard") this.#frame.drop();
  }

  /** @returns {Promise<{fragment: string} | {notice: string | null}>} what Python calls the lab as it stands */
  async #link() {
    await this.#working; // so that the link is to what the reader sees next
    return this.#frame.link(() => this.#request(this.#text.value, undefined));
  }

  /** The text that a link took the place of; what is shown now is set aside in its turn. */
  #bringBack() {
    const text = this.#frame.drafts.takeAside();
    if (text === undefined) return;
    this.#setAside(text);
    this.#text.value = text;
    this.#keepDraft();
    this.#tell({ text: true });
    this.#frame.sayOpened("");
  }

  /** @param {string} next the text that takes the place of the reader's */
  #setAside(next) {
    const { value, defaultValue } = this.#text;
    if (value !== defaultValue && value !== next) this.#frame.drafts.setAside(value);
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
      this.#frame.sayOpened("");
    }
    this.#changes.add(change);
    this.#work();
  }

  #work() {
    this.#working ??= this.#tellAll().finally(() => { this.#working = null; });
  }

  /** Tells Python one change after the other until there is none. */
  async #tellAll() {
    this.#frame.markBusy(AWAITED, true);
    while (!this.#changes.empty) {
      if (!runtime.isWarm && (await this.#showStop())) continue;
      /** @type {Change | undefined} */
      let change;
      let text = "";
      const outcome = await this.#frame.ask(() => {
        change = this.#changes.take();
        text = this.#text.value;
        return this.#request(text, change);
      });
      if (outcome.kind === "down") {
        if (change) this.#changes.addAgain(change);
        this.#frame.showFailure(outcome.cause, outcome.reason);
        break;
      }
      this.#frame.clearStatus();
      if (this.#changes.empty) this.#frame.markBusy(AWAITED, false); // before the new sentence, which is then read out
      if (this.#text.value === text) this.#show(outcome.response);
      else if (change && !("text" in change)) this.#changes.addAgain(change); // typed meanwhile: on top of the new text
    }
    this.#frame.markBusy(AWAITED, false);
  }

  /** @returns {Promise<boolean>} whether what the next change leads to was known, and is now shown, without Python */
  async #showStop() {
    const stops = await this.#fetchStops();
    const change = this.#changes.next;
    const answer = change && this.#moment === null ? stops?.answer(change, this.#text.value) : undefined;
    if (answer === undefined) return false;
    this.#changes.take();
    this.#frame.clearStatus();
    if (this.#changes.empty) this.#frame.markBusy(AWAITED, false);
    this.#show(answer);
    return true;
  }

  /**
   * @param {string} text
   * @param {Change | undefined} change
   */
  #request(text, change) {
    const onlyMoment = change !== undefined && "moment" in change;
    const told = change === undefined || onlyMoment || "text" in change ? null : change;
    const only = onlyMoment ? ["picture", "time"] : null;
    return { lab: this.#frame.id, lang: this.lang, element: this.id, text, change: told, moment: this.#moment, only };
  }

  /** @param {any} response see labs.browser.respond */
  #show(response) {
    if (response.error) {
      this.#frame.showFailure("crashed", response.error);
      return;
    }
    if (response.opened) this.#setAside(response.text);
    this.#showText(response.text);
    if (response.notice) this.#frame.sayOpened(response.notice);
    for (const [id, state] of Object.entries(response.controls ?? {})) {
      if (!this.#changes.waitsFor(id)) showControl(this, id, state);
    }
    if (response.time) {
      showTime(this, response.time);
      if (this.#moment !== null && this.#moment >= response.time.max) this.#moment = null;
    }
    for (const [name, html] of Object.entries(response.regions ?? {})) showRegion(this.#frame.region(name), html);
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
    this.#frame.drafts.text = value === defaultValue ? null : value;
  }

  get #frame() {
    return /** @type {LabFrame} */ (this.#framed);
  }

  get #text() {
    return /** @type {HTMLTextAreaElement} */ (this.#frame.find("[data-yaml]"));
  }
}

customElements.define("gpu-lab", GpuLab);

// @ts-check
/**
 * The text of a check lab: the page's text area, and over it, once it is there, the editor of `editor.js`. Where that can't
 * be loaded the text area stays and does.
 *
 * @typedef {{from: number, to: number, severity: string, word: string, message: string}} Mark
 * @typedef {{readonly text: string, readonly composing: boolean, setText: (text: string) => void, setMarks: (marks: Mark[]) => void,
 *   select: (from: number, to: number) => void, focus: () => void}} Editor
 */

/** @type {Promise<any> | undefined} */
let loading;

/** A plain script and no module, so that it also loads from a folder. */
function loadEditor() {
  loading ??= new Promise((resolve, reject) => {
    const script = document.createElement("script");
    script.src = new URL("./editor.js", import.meta.url).href;
    script.addEventListener("load", () => resolve(/** @type {any} */ (globalThis).gpuLabEditor));
    script.addEventListener("error", () => reject(new Error("editor.js")));
    document.head.append(script);
  });
  return loading;
}

export class EditedText {
  #area;
  #place;
  #label;
  #onInput;
  /** @type {Editor | null} */
  #editor = null;
  /** @type {Mark[]} */
  #marks = [];
  #wanted = false;

  /**
   * @param {HTMLElement} lab
   * @param {() => void} onInput called when a reader has changed the text, but not while something is being composed
   */
  constructor(lab, onInput) {
    this.#area = /** @type {HTMLTextAreaElement} */ (lab.querySelector("[data-yaml]"));
    this.#place = /** @type {HTMLElement} */ (lab.querySelector("[data-editor]"));
    this.#label = /** @type {HTMLLabelElement} */ (this.#area.labels?.[0]);
    this.#onInput = onInput;
    this.#area.readOnly = false;
    this.#area.value = this.#area.defaultValue; // a browser may have kept another over a reload
    for (const kind of ["input", "compositionend"]) {
      this.#area.addEventListener(kind, (event) => {
        if (!(/** @type {InputEvent} */ (event).isComposing)) onInput();
      });
    }
    this.#label.addEventListener("click", () => this.#editor?.focus());
  }

  get value() {
    return this.#area.value;
  }

  /** @param {string} text */
  set value(text) {
    if (this.#area.value !== text) this.#area.value = text;
    this.#editor?.setText(text);
  }

  get composing() {
    return this.#editor?.composing ?? false;
  }

  /** Puts the editor in the text area's place, but not under the hands of somebody who is typing there. */
  async upgrade() {
    if (this.#wanted) return;
    this.#wanted = true;
    try {
      const { createEditor } = await loadEditor();
      if (document.activeElement === this.#area) {
        await new Promise((resolve) => this.#area.addEventListener("blur", resolve, { once: true }));
      }
      this.#place.hidden = false;
      this.#editor = createEditor({
        place: this.#place,
        text: this.#area.value,
        label: this.#label.textContent ?? "",
        onInput: () => this.#typed(),
      });
      this.#area.hidden = true;
      this.#editor?.setMarks(this.#marks);
      this.#place.closest("gpu-check")?.toggleAttribute("data-editing", true);
    } catch {
      this.#place.hidden = true; // the text area does
    }
  }

  #typed() {
    if (!this.#editor || this.#editor.composing) return;
    if (this.#area.value === this.#editor.text) return;
    this.#area.value = this.#editor.text;
    this.#onInput();
  }

  /** @param {Mark[]} marks */
  set marks(marks) {
    this.#marks = marks;
    this.#editor?.setMarks(marks);
  }

  /**
   * @param {number} from in UTF-16 units
   * @param {number} to
   */
  select(from, to) {
    if (this.#editor) {
      this.#editor.select(from, to);
    } else {
      this.#area.focus();
      this.#area.setSelectionRange(from, to);
    }
  }
}

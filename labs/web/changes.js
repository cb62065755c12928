// @ts-check
/**
 * What a reader did in one lab and Python has not yet been told. The newest wins: a slider drawn along its scale
 * leaves one change, not fifty. Every request carries the whole YAML text and the moment shown, so a change to a
 * control tells an edit of the text and a new moment along with it.
 *
 * @typedef {{control: string, value: string | boolean}} ControlChange
 * @typedef {{preset: string} | {reset: true} | {link: string}} WholeChange
 * @typedef {{text: true}} TextEdited
 * @typedef {{moment: true}} MomentChosen
 * @typedef {ControlChange | WholeChange | TextEdited | MomentChosen} Change
 */

export class Changes {
  /** @type {Map<string, Change>} in the order in which Python will be told */
  #waiting = new Map();

  /** @param {Change} change */
  add(change) {
    const key = keyOf(change);
    if (key === "whole") this.#waiting.clear();
    if (key === "text") this.#waiting.delete("whole");
    this.#waiting.delete(key);
    this.#waiting.set(key, change);
  }

  /**
   * Adds a change that was already on its way, unless the reader has since done something that replaces it.
   * @param {Change} change
   */
  addAgain(change) {
    const key = keyOf(change);
    if (this.#waiting.has(key) || this.#waiting.has("whole")) return;
    this.#waiting = new Map([[key, change], ...this.#waiting]);
  }

  /** @returns {Change | undefined} the next change to tell, which waits on */
  get next() {
    const key = this.#nextKey();
    return this.#waiting.get(key ?? "text") ?? this.#waiting.get("moment");
  }

  /** @returns {Change | undefined} the next change to tell; it and what is told along with it wait no longer */
  take() {
    const next = this.next;
    const key = this.#nextKey();
    if (key) this.#waiting.delete(key);
    this.#waiting.delete("text");
    this.#waiting.delete("moment");
    return next;
  }

  /** @returns {string | undefined} of the next change that is more than what every request carries */
  #nextKey() {
    return [...this.#waiting.keys()].find((waiting) => waiting !== "text" && waiting !== "moment");
  }

  /** @param {string} control whether a change of that control waits, so that its field shows more than Python knows */
  waitsFor(control) {
    return this.#waiting.has(`control ${control}`) || this.#waiting.has("whole");
  }

  get empty() {
    return this.#waiting.size === 0;
  }
}

/** @param {Change} change */
function keyOf(change) {
  if ("control" in change) return `control ${change.control}`;
  if ("text" in change) return "text";
  return "moment" in change ? "moment" : "whole";
}

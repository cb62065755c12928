// @ts-check
/**
 * The drafts of one lab: the reader's text, and those that a link took the place of, newest last. None is lost before
 * the reader drops it.
 */
import { LONGEST, store } from "./store.js";

const DRAFT = "draft";
const ASIDE = "aside";

export class Drafts {
  #lab;
  #store;

  /**
   * @param {string} lab
   * @param {Pick<import("./store.js").Store, "get" | "set" | "remove">} kept
   */
  constructor(lab, kept = store) {
    this.#lab = lab;
    this.#store = kept;
  }

  /** @returns {string | null} */
  get text() {
    return this.#store.get(DRAFT, this.#lab);
  }

  /** @param {string | null} text null where the reader has changed nothing */
  set text(text) {
    if (text === null) this.#store.remove(DRAFT, this.#lab);
    else this.#store.set(DRAFT, this.#lab, text);
  }

  get hasAside() {
    return this.#aside.length > 0;
  }

  /** @param {string} text */
  setAside(text) {
    this.#keep([...this.#aside.filter((kept) => kept !== text), text]);
  }

  /** @returns {string | undefined} the newest of those set aside, which it is no longer */
  takeAside() {
    const aside = this.#aside;
    const text = aside.pop();
    this.#keep(aside);
    return text;
  }

  /** @returns {string[]} */
  get #aside() {
    try {
      const kept = JSON.parse(this.#store.get(ASIDE, this.#lab) ?? "[]");
      return Array.isArray(kept) ? kept.filter((text) => typeof text === "string") : [];
    } catch {
      return [];
    }
  }

  /** @param {string[]} texts of more than the store takes, the oldest go */
  #keep(texts) {
    while (texts.length > 1 && JSON.stringify(texts).length > LONGEST) texts.shift();
    if (texts.length === 0) this.#store.remove(ASIDE, this.#lab);
    else this.#store.set(ASIDE, this.#lab, JSON.stringify(texts));
  }
}

// @ts-check
/**
 * The one place where a reader's work is kept between pages: in this browser only, by kind and id
 * (the draft of a lab today). Where the browser keeps nothing (private mode, blocked, full), it lives as long as the page.
 */

const PREFIX = "gpu-sharing-labs/1/";
export const LONGEST = 512 * 1024; // characters; a scenario has some 1,500, and Python reads up to 100,000

export class Store {
  /** @type {Map<string, string | null>} what the browser did not take */
  #memory = new Map();
  /** @type {() => Storage} */
  #storage;

  /** @param {() => Storage} storage asked at every use, since even naming it throws where it is blocked */
  constructor(storage = () => localStorage) {
    this.#storage = storage;
  }

  /**
   * @param {string} kind
   * @param {string} id
   * @returns {string | null}
   */
  get(kind, id) {
    const key = keyOf(kind, id);
    const kept = this.#memory.get(key);
    if (kept !== undefined) return kept;
    try {
      const value = this.#storage().getItem(key);
      return value !== null && value.length <= LONGEST ? value : null;
    } catch {
      return null;
    }
  }

  /**
   * Keeps a text; one that is too long to be a reader's work is not kept, and the last one stays.
   * @param {string} kind
   * @param {string} id
   * @param {string} value
   */
  set(kind, id, value) {
    if (value.length > LONGEST) return;
    this.#change(keyOf(kind, id), value, (storage, key) => storage.setItem(key, value));
  }

  /**
   * @param {string} kind
   * @param {string} id
   */
  remove(kind, id) {
    this.#change(keyOf(kind, id), null, (storage, key) => storage.removeItem(key));
  }

  /**
   * @param {string} key
   * @param {string | null} value
   * @param {(storage: Storage, key: string) => void} change
   */
  #change(key, value, change) {
    try {
      change(this.#storage(), key);
      this.#memory.delete(key);
    } catch {
      this.#memory.set(key, value);
    }
  }
}

/**
 * @param {string} kind
 * @param {string} id
 */
function keyOf(kind, id) {
  return `${PREFIX}${kind}/${id}`;
}

export const store = new Store();

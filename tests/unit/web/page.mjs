// @ts-check
/** A page, as far as the engine of labs uses one. Import it first: it takes the place of a browser's globals. */

/** An element with attributes and with the parts that a test gives it. */
export class FakeElement extends EventTarget {
  /** @type {Map<string, string>} */
  attributes = new Map();
  /** @type {Record<string, string>} */
  dataset = {};
  /** @type {Record<string, object>} by the selector that is asked for */
  parts = {};
  /** @type {unknown[]} */
  children = [];
  localName = "";
  id = "";

  /** @param {string} name */
  getAttribute(name) {
    return this.attributes.get(name) ?? null;
  }
  /** @param {string} name @param {string} value */
  setAttribute(name, value) {
    this.attributes.set(name, value);
  }
  /** @param {string} name */
  removeAttribute(name) {
    this.attributes.delete(name);
  }
  /** @param {string} selector */
  querySelector(selector) {
    return this.parts[selector] ?? null;
  }
  querySelectorAll() {
    return [];
  }
  contains() {
    return false;
  }
  scrollIntoView() {}
  /** @param {...unknown} children */
  replaceChildren(...children) {
    this.children = children;
  }
}

class FakeObserver {
  observe() {}
}

/** What a test sets, and what it looks at afterwards. */
export const page = {
  /** @type {any[]} the elements in their order */
  elements: [],
  /** @type {Map<string, string>} */
  kept: new Map(),
  /** @type {(request: any) => any} what Python answers */
  answer: () => ({}),
};

/**
 * Puts an element with the id of a lab into the page, without its script running.
 * @template {object} T
 * @param {T} element
 * @param {string} lab
 */
export function placed(element, lab) {
  /** @type {any} */ (element).setAttribute("lab", lab);
  page.elements.push(element);
  return element;
}

/**
 * Forgets what the test before did, and opens an address.
 * @param {string} fragment
 */
export function open(fragment = "") {
  page.elements = [];
  page.kept.clear();
  location.hash = fragment;
}

const globals = {
  HTMLElement: FakeElement,
  HTMLSelectElement: class extends FakeElement {},
  HTMLTextAreaElement: class extends FakeElement {},
  Element: FakeElement,
  IntersectionObserver: FakeObserver,
  ResizeObserver: FakeObserver,
  CSS: { escape: (/** @type {string} */ text) => text },
  customElements: new Map(),
  addEventListener: () => {},
  location: { hash: "", href: "https://labs.invalid/" },
  history: { state: null, replaceState: () => {} },
  localStorage: {
    getItem: (/** @type {string} */ key) => page.kept.get(key) ?? null,
    setItem: (/** @type {string} */ key, /** @type {string} */ value) => page.kept.set(key, value),
    removeItem: (/** @type {string} */ key) => page.kept.delete(key),
  },
  document: {
    activeElement: null,
    createElement: () => new FakeElement(),
    /** @param {string} selector names of elements, or one attribute */
    querySelectorAll: (selector) => page.elements.filter((element) => selector.split(", ").includes(element.localName) || element.attributes.has(selector.slice(1, -1))),
  },
  gpuLabRuntime: {
    isWarm: true,
    percent: 100,
    onProgress: () => {},
    ask: async (/** @type {() => any} */ build) => ({ kind: "answer", response: await page.answer(build()) }),
  },
};
/** @type {any} */ (globals.customElements).define = globals.customElements.set;
for (const [name, value] of Object.entries(globals)) Object.defineProperty(globalThis, name, { value, configurable: true, writable: true });

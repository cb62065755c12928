// @ts-check
/**
 * Putting the steps of a list in order, and new ones into it, by pointer: mouse, pen and finger alike.
 *
 * What is taken hold of is a grip (`data-drag`), and only there a finger does not scroll. Nothing flies after the pointer: what is
 * held is outlined, and a bar shows where it would go. Buttons do the same for everybody else, so that grips are no controls.
 *
 * @typedef {{held: string, place: number}} Drop what was held (`data-drag`), and before which item of the list it was let go
 */

const FAR_PX = 4; // that a pointer moves before it means to drag
const AROUND_PX = 48; // beside the list still counts as on it
const EDGE_PX = 56; // of the window, where it scrolls
const SCROLL_PX = 10; // in a frame

/**
 * @param {HTMLElement} root whose `list` is asked for anew on every move, since an answer may replace it
 * @param {{list: () => HTMLElement | null, drop: (drop: Drop) => void}} told
 */
export function letDrag(root, { list, drop }) {
  root.addEventListener("pointerdown", (event) => {
    const grip = event.target instanceof Element ? event.target.closest("[data-drag]") : null;
    if (grip instanceof HTMLElement && event.isPrimary && event.button === 0) new Drag(root, grip, event, list, drop);
  });
}

class Drag {
  #root;
  #grip;
  #list;
  #drop;
  #from;
  #at; // the pointer, in the window
  #moves = false; // whether the pointer went far enough
  #place = -1; // where the held would go; -1: nowhere
  #ended = new AbortController();

  /**
   * @param {HTMLElement} root
   * @param {HTMLElement} grip
   * @param {PointerEvent} event
   * @param {() => HTMLElement | null} list
   * @param {(drop: Drop) => void} drop
   */
  constructor(root, grip, event, list, drop) {
    this.#root = root;
    this.#grip = grip;
    this.#list = list;
    this.#drop = drop;
    this.#from = this.#at = { x: event.clientX, y: event.clientY };
    const until = { signal: this.#ended.signal };
    const same = (/** @type {PointerEvent} */ { pointerId }) => pointerId === event.pointerId;
    addEventListener("pointermove", (moved) => same(moved) && this.#move(moved), until);
    addEventListener("pointerup", (up) => same(up) && this.#end(true), until);
    addEventListener("pointercancel", (lost) => same(lost) && this.#end(false), until);
    addEventListener("keydown", (pressed) => pressed.key === "Escape" && this.#end(false), until);
    addEventListener("blur", () => this.#end(false), until);
  }

  /** @param {PointerEvent} event */
  #move({ clientX, clientY }) {
    this.#at = { x: clientX, y: clientY };
    if (!this.#moves) {
      if (Math.hypot(clientX - this.#from.x, clientY - this.#from.y) < FAR_PX) return;
      this.#moves = true;
      this.#root.classList.add("gl-dragging");
      this.#item?.classList.add("gl-held");
      requestAnimationFrame(() => this.#scroll());
    }
    this.#aim();
  }

  /** Scrolls on while the pointer is held at an edge of the window. */
  #scroll() {
    if (this.#ended.signal.aborted) return;
    const { y } = this.#at;
    const by = y < EDGE_PX ? -SCROLL_PX : y > innerHeight - EDGE_PX ? SCROLL_PX : 0;
    if (by) {
      scrollBy({ top: by, behavior: "instant" });
      this.#aim();
    }
    requestAnimationFrame(() => this.#scroll());
  }

  /** Shows where the held would go. An answer that replaces the list ends the drag: its places are others now. */
  #aim() {
    if (!this.#grip.isConnected) return this.#end(false);
    const list = this.#list();
    this.#place = list ? placeIn(list, this.#at) : -1;
    unmark(this.#root);
    if (!list || this.#place < 0) return;
    const items = itemsOf(list);
    if (this.#place < items.length) items[this.#place].classList.add("gl-drop-before");
    else (items.at(-1) ?? list).classList.add("gl-drop-after");
  }

  /** @param {boolean} lets whether it is let go, and not given up */
  #end(lets) {
    this.#ended.abort();
    this.#item?.classList.remove("gl-held");
    this.#root.classList.remove("gl-dragging");
    unmark(this.#root);
    if (lets && this.#moves && this.#place >= 0 && this.#grip.isConnected) {
      this.#drop({ held: this.#grip.dataset.drag ?? "", place: this.#place });
    }
  }

  get #item() {
    return this.#grip.closest("li");
  }
}

/** @param {HTMLElement} list */
function itemsOf(list) {
  return [...list.querySelectorAll("li.gl-step")];
}

/** @param {HTMLElement} root */
function unmark(root) {
  for (const marked of root.querySelectorAll(".gl-drop-before, .gl-drop-after")) marked.classList.remove("gl-drop-before", "gl-drop-after");
}

/**
 * Before which item of the list a point lies; -1 where it is not on the list.
 * @param {HTMLElement} list
 * @param {{x: number, y: number}} point
 */
function placeIn(list, { x, y }) {
  const { left, right, top, bottom } = list.getBoundingClientRect();
  if (x < left - AROUND_PX || x > right + AROUND_PX || y < top - AROUND_PX || y > bottom + AROUND_PX) return -1;
  const middles = itemsOf(list).map((item) => item.getBoundingClientRect()).map((box) => (box.top + box.bottom) / 2);
  return middles.filter((middle) => middle < y).length;
}

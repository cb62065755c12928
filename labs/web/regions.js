// @ts-check
/** Swapping the HTML of a lab's regions. It comes from the renderer that wrote the page, which escapes whatever a reader typed. */
import { followBoxes } from "./scrolling.js";

/** @type {WeakMap<Element, string>} the HTML each region got last, so that an unchanged sentence is not read out again */
const shown = new WeakMap();

/**
 * Whoever stood in the region keeps a place in it.
 * @param {HTMLElement | null} region
 * @param {string} html
 */
export function showRegion(region, html) {
  if (!region || (shown.get(region) ?? region.innerHTML) === html) return;
  const focused = region.contains(document.activeElement) && region !== document.activeElement;
  region.innerHTML = html;
  shown.set(region, html);
  followBoxes(region);
  if (!focused) return;
  region.tabIndex = -1;
  region.focus({ preventScroll: true });
}

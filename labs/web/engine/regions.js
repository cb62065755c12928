// @ts-check
/** Swapping the HTML of a lab's regions. It comes from the renderer that wrote the page, which escapes whatever a reader typed. */
import { followBoxes } from "./scrolling.js";

/** @type {WeakMap<Element, string>} the HTML each region got last, so that an unchanged sentence is not read out again */
const shown = new WeakMap();

/**
 * Whoever stood in the region keeps a place in it: the same one, where it is there still.
 * @param {HTMLElement | null} region
 * @param {string} html
 */
export function showRegion(region, html) {
  if (!region || (shown.get(region) ?? region.innerHTML) === html) return;
  const focused = region.contains(document.activeElement) && region !== document.activeElement;
  const id = document.activeElement?.id;
  region.innerHTML = html;
  shown.set(region, html);
  followBoxes(region);
  if (!focused) return;
  const again = id ? region.querySelector(`#${CSS.escape(id)}`) : null;
  const place = again instanceof HTMLElement ? again : region;
  if (place === region) region.tabIndex = -1;
  place.focus({ preventScroll: true });
}

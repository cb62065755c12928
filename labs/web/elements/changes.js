// @ts-check
/**
 * What a reader did in a <gpu-lab> and Python has not yet been told. The newest wins: a slider drawn along its scale leaves one
 * change, not fifty.
 *
 * @typedef {import("../engine/lab-element.js").Change} Change `control` and `value`, `preset`, `reset`, `link` or `show`
 */

/**
 * @param {Change[]} changes
 * @param {Change} change takes the place of an earlier one of its control; of all, where it brings a text of its own
 * @returns {Change[]}
 */
export function withNewest(changes, change) {
  if (bringsText(change)) return [change];
  return [...changes.filter(({ control }) => control === undefined || control !== change.control), change];
}

/** @param {Change} change */
export function bringsText(change) {
  return "preset" in change || "reset" in change || "link" in change;
}

// @ts-check
/** What the script itself says: plain text and buttons, in a place that is read out when it changes. */

/**
 * Says it in that place, and nothing else there; whoever stood on a button of it is not sent back to the top of the page.
 * @param {HTMLElement | null} place
 * @param {...(string | Node | undefined)} parts
 */
export function say(place, ...parts) {
  if (!place) return;
  const stoodHere = place.contains(document.activeElement);
  const said = parts.filter((part) => part !== undefined && part !== "");
  place.replaceChildren(...said.flatMap((part, index) => (index ? [" ", part ?? ""] : [part ?? ""])));
  if (!stoodHere) return;
  const next = place.querySelector("button") ?? place;
  if (next === place) place.tabIndex = -1;
  next.focus({ preventScroll: true });
}

/**
 * @param {string} action
 * @param {string | undefined} words
 */
export function buttonFor(action, words = "") {
  const button = document.createElement("button");
  Object.assign(button, { type: "button", textContent: words });
  button.dataset.action = action;
  return button;
}

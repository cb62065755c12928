// @ts-check
/** The link to a lab as a reader left it: a fragment of the page's address, of which only `lab=<id>` is read here. */

const LINK = "#lab=";
const LONGEST = 10_000; // characters; Python takes fewer and says so

/** @param {string} fragment */
export function addressOf(fragment) {
  return `${location.href.replace(/#.*$/s, "")}#${fragment}`;
}

/**
 * The fragment, if that lab is to deal with it: the lab that it names, or else the first of the page, which then says
 * what is wrong. A lab is known by its attribute `lab`: by the time that the first is asked, the scripts of others may not run.
 * @param {Element} lab
 * @returns {string | null}
 */
export function linkFor(lab) {
  if (!location.hash.startsWith(LINK)) return null;
  const fragment = location.hash.slice(1, LONGEST);
  const id = location.hash.slice(LINK.length).split("&", 1)[0];
  const labs = [...document.querySelectorAll("[lab]")];
  const meant = labs.find((each) => each.getAttribute("lab") === id) ?? labs[0];
  return meant === lab ? fragment : null;
}

/** Takes the link out of the page's address, once the lab is no longer what it says. */
export function leaveLink() {
  history.replaceState(history.state, "", location.href.replace(/#.*$/s, ""));
}

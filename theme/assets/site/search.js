// @ts-check
// Searches the pages of this page's language. Pagefind finds pages; this file finds the sections in them, puts those
// that say the very words first, and shows them as links. Loaded when a reader goes to search, not before.

import { sectionsOf, queryOf } from "./sections.js";

const ROOT = new URL("../../", import.meta.url).pathname;
const PAGES = 12; // of each kind
const TEXTS = { kind: "text" }; // theme/base.html marks them; one kind only, for Pagefind writes several in any order
const LONGEST_WORD = 60; // in characters; failRequestsGreaterThanOne has 26
const NAMED = 4; // the tier of a section whose heading is what was typed
const RESULTS = 30;
const COMPOSING = 229; // the key code of whatever an input method takes for itself

/**
 * @param {HTMLDialogElement} dialog
 * @param {boolean} entered whether what was typed so far is to be opened
 */
export function startSearch(dialog, entered) {
  const input = /** @type {HTMLInputElement} */ (dialog.querySelector("input"));
  const status = /** @type {HTMLElement} */ (dialog.querySelector("[role=status]"));
  const list = /** @type {HTMLElement} */ (dialog.querySelector("ol"));
  const words = dialog.dataset;
  const language = document.documentElement.lang;
  /** @type {Promise<any> | undefined} */
  let engine;
  let asked = 0;
  let answered = Promise.resolve();

  const load = () => {
    engine ??= import(new URL("../search/pagefind.js", import.meta.url).href).then(async (pagefind) => {
      await pagefind.options({ baseUrl: ROOT });
      await pagefind.init();
      return pagefind;
    });
    engine.catch(() => { engine = undefined; });
    return engine;
  };

  const search = async () => {
    const mine = ++asked;
    const query = queryOf(input.value, language);
    if (!query.text) {
      list.replaceChildren();
      status.textContent = "";
      return;
    }
    try {
      const sections = await find(await load(), query, language);
      if (mine !== asked) return;
      list.replaceChildren(...sections.map((section) => itemOf(section, words.note ?? "")));
      list.scrollTop = 0;
      status.textContent = countOf(sections.length, input.value.trim(), words);
    } catch {
      if (mine !== asked) return;
      list.replaceChildren();
      status.textContent = words.failed ?? "";
    }
  };

  /** @param {number} step */
  const move = (step) => {
    const places = [input, ...list.querySelectorAll("a")];
    const now = places.indexOf(/** @type {HTMLAnchorElement} */ (document.activeElement));
    places[Math.max(0, Math.min(places.length - 1, now + step))]?.focus();
  };

  const ask = () => { answered = search(); };

  /** Opens the first result of what was typed, also where its results are still on their way. */
  const openFirst = async () => {
    const typed = input.value;
    await answered;
    if (dialog.open && input.value === typed) list.querySelector("a")?.click();
  };

  input.addEventListener("input", ask);
  dialog.addEventListener("keydown", (event) => {
    // Enter and arrows choose among an input method's candidates; Safari tells the last Enter by its code alone.
    if (event.isComposing || event.keyCode === COMPOSING) return;
    if (event.key === "ArrowDown") move(1);
    else if (event.key === "ArrowUp") move(-1);
    else if (event.key === "Enter" && event.target === input) openFirst();
    else if (event.key === "Escape") dialog.close(); // at once, where a field would first empty itself
    else return;
    event.preventDefault();
  });
  // A section of this very page needs no new page: the dialog gives way to it.
  list.addEventListener("click", (event) => {
    if (event.target instanceof Element && event.target.closest("a")) dialog.close();
  });
  load().catch(() => {});
  ask();
  if (entered) openFirst();
}

/**
 * The sections that answer a query, best first.
 * @param {any} engine
 * @param {import("./sections.js").Query} query
 * @param {string} language
 */
async function find(engine, query, language) {
  /** @param {string | null} asked @param {any} [filters] */
  const pagesOf = async (asked, filters) => (await engine.search(asked, { filters })).results;
  let [texts, all] = await Promise.all([pagesOf(query.asked, TEXTS), pagesOf(query.asked)]);
  const known = new Set(texts.map((/** @type {any} */ page) => page.id));
  const reference = all.filter((/** @type {any} */ page) => !known.has(page.id)).slice(0, PAGES);
  // Pagefind finds words by their beginning. What stands inside one (슬라이싱 in 타임슬라이싱) is looked for in the texts.
  if (texts.length === 0) texts = await pagesOf(null, TEXTS);
  else texts = texts.slice(0, PAGES);
  const sections = (await Promise.all([...texts, ...reference].map((/** @type {any} */ page) => page.data()))).flatMap(
    (page) => sectionsOf(page, query, language).map((section) => ({ ...section, last: !page.filters?.kind })),
  );
  const exact = sections.filter((section) => section.tier > 0);
  // Some of several words are no answer where there are sections with all; Japanese words have no other forms.
  // Nor is a letter another form of a word that no language has.
  const noForms = language === "ja" || query.terms.some((term) => term.length > LONGEST_WORD);
  return (noForms || (query.terms.length > 1 && exact.length) ? exact : sections)
    .sort((a, b) => Number(a.isNote) - Number(b.isNote) || Number(b.tier === NAMED) - Number(a.tier === NAMED)
      || Number(a.last) - Number(b.last) || b.tier - a.tier || b.score - a.score)
    .slice(0, RESULTS);
}

/**
 * @param {number} count
 * @param {string} text
 * @param {DOMStringMap} words
 */
function countOf(count, text, words) {
  const sentence = (count === 0 ? words.none : count === 1 ? words.one : words.many) ?? "";
  return sentence.replace("{count}", String(count)).replace("{query}", () => text);
}

/**
 * @param {import("./sections.js").Section} section
 * @param {string} note what a note is called
 */
function itemOf(section, note) {
  const item = document.createElement("li");
  const link = document.createElement("a");
  link.href = section.url;
  link.append(section.isNote ? note : section.title);
  if (section.page !== section.title) {
    const page = document.createElement("span");
    page.textContent = section.page;
    link.append(" ", page);
  }
  const excerpt = document.createElement("p");
  for (const [text, marked] of section.excerpt) {
    const mark = document.createElement("mark");
    mark.textContent = text;
    excerpt.append(marked ? mark : text);
  }
  item.append(link, excerpt);
  return item;
}

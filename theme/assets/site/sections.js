// @ts-check
/**
 * From a page that Pagefind found to the sections in it that answer a query.
 *
 * @typedef {{text: string, asked: string, terms: string[]}} Query what was typed, as compared; what Pagefind is asked;
 *   the words that a section must hold
 * @typedef {{url: string, title: string, page: string, isNote: boolean, tier: number, score: number, excerpt: [string, boolean][]}} Section
 *   tier: 4 the query is the heading, 3 it is in the heading, 2 in the text, 1 each of its words, 0 another form of a word
 * @typedef {{element: string, id: string, text: string, location: number}} Anchor
 * @typedef {{url: string, raw_content: string, meta: {title: string}, anchors: Anchor[],
 *   weighted_locations: {location: number, balanced_score: number}[]}} Page
 */

const BEFORE = 24; // characters of an excerpt before the first match
const AFTER = 130;

// What Korean attaches to a word, the longest first: "격리는" asks for every "격리".
const PARTICLES = /(?<=..)(?:이라는|에서는|으로는|에게|에서|에는|으로|까지|부터|보다|처럼|이란|라는|은|는|이|가|을|를|의|에|로|와|과|도|만)$/u;

/**
 * @param {string} typed
 * @param {string} language
 * @returns {Query}
 */
export function queryOf(typed, language) {
  const text = plain(typed).trim();
  if (language === "ja") return { text, asked: text, terms: japaneseWords(text) };
  const terms = text.split(/\s+/).filter(Boolean).map((word) => (language === "ko" ? word.replace(PARTICLES, "") : word));
  return { text, asked: terms.join(" "), terms };
}

/** @param {string} text */
function japaneseWords(text) {
  if (!("Segmenter" in Intl)) return text.split(/\s+/);
  const segments = [...new Intl.Segmenter("ja", { granularity: "word" }).segment(text)];
  return segments.filter(({ isWordLike }) => isWordLike).map(({ segment }) => segment);
}

/**
 * The sections of a page with at least one match. Notes are sections of their own.
 * @param {Page} page
 * @param {Query} query
 * @param {string} language
 * @returns {Section[]}
 */
export function sectionsOf(page, query, language) {
  const pieces = piecesOf(page.raw_content);
  const notes = page.anchors.filter(({ id }) => id.startsWith("fn:"));
  const starts = page.anchors
    .filter((anchor) => /^h\d$/i.test(anchor.element) || notes.includes(anchor))
    .sort((a, b) => a.location - b.location);
  const sections = [];
  for (const [index, anchor] of starts.entries()) {
    const end = starts[index + 1]?.location ?? pieces.length;
    const matched = page.weighted_locations.filter(({ location }) => location >= anchor.location && location < end);
    const isNote = notes.includes(anchor);
    const heading = anchor.text.trim();
    const { text, marks } = joined(pieces, anchor.location, end, new Set(matched.map(({ location }) => location)));
    const tier = tierOf(isNote ? "" : heading, text, query, language);
    if (tier === 0 && matched.length === 0) continue;
    const skipped = !isNote && text.startsWith(heading) ? heading.length : 0;
    sections.push({
      url: index === 0 && anchor.element === "h1" ? page.url : `${page.url}#${encodeURIComponent(anchor.id)}`,
      title: heading,
      page: page.meta.title,
      isNote,
      tier,
      score: matched.reduce((sum, { balanced_score: score }) => sum + score, 0),
      excerpt: excerptOf(text, skipped, withLiteral(marks, literal(text, query))),
    });
  }
  return sections;
}

/**
 * Pagefind's words in order, each with what stands between it and the next: that is how its locations count.
 * @param {string} content
 */
function piecesOf(content) {
  const text = content.replaceAll("&lt;", "<").replaceAll("&gt;", ">");
  return text.includes("\u200b") ? text.split("\u200b") : text.split(/\s+/).map((word) => `${word} `);
}

/**
 * @param {string[]} pieces
 * @param {number} start
 * @param {number} end
 * @param {Set<number>} locations
 */
function joined(pieces, start, end, locations) {
  let text = "";
  /** @type {[number, number][]} */
  const marks = [];
  for (let index = start; index < end; index++) {
    const piece = pieces[index] ?? "";
    if (/^[.,;:!?)。、」）]/u.test(piece)) text = text.trimEnd(); // a note's mark was left out before it
    if (locations.has(index)) marks.push([text.length, text.length + piece.trimEnd().length]);
    text += piece;
  }
  return { text: text.trimEnd(), marks };
}

/**
 * @param {string} heading
 * @param {string} text
 * @param {Query} query
 * @param {string} language
 */
function tierOf(heading, text, query, language) {
  const [title, body, whole] = [heading, text, query.asked].map((part) => compared(part, language));
  if (title === whole) return 4;
  if (title?.includes(whole ?? "")) return 3;
  if (body?.includes(whole ?? "")) return 2;
  const all = query.terms.length > 0 && query.terms.every((term) => body?.includes(compared(term, language)));
  return all ? 1 : 0;
}

/** @param {string} text */
function plain(text) {
  return text.normalize("NFKC");
}

/**
 * As compared: without case, and without spaces where the language writes none.
 * @param {string} text
 * @param {string} language
 */
function compared(text, language) {
  const small = plain(text).toLowerCase();
  return language === "ja" ? small.replace(/\s+/g, "") : small.replace(/\s+/g, " ");
}

/**
 * Where the text says what was typed, or else each of its words.
 * @param {string} text
 * @param {Query} query
 * @returns {[number, number][]}
 */
function literal(text, query) {
  /** @type {[number, number][]} */
  const found = [];
  const small = text.toLowerCase();
  if (small.length !== text.length) return found; // letters that change their length: no places to compare
  const whole = query.asked.toLowerCase();
  const words = query.terms.map((word) => word.toLowerCase()).filter((word) => word.length > 1);
  for (const term of small.includes(whole) ? [whole] : words) {
    for (let at = small.indexOf(term); at >= 0; at = small.indexOf(term, at + term.length)) {
      found.push([at, at + term.length]);
    }
  }
  return found;
}

/**
 * The words as typed, and what Pagefind took for another form of one.
 * @param {[number, number][]} marks
 * @param {[number, number][]} exact
 */
function withLiteral(marks, exact) {
  return [...exact, ...marks.filter(([start, end]) => !exact.some(([low, high]) => low < end && start < high))];
}

/**
 * A stretch of text around the first match, as pieces that are marked or not.
 * @param {string} text
 * @param {number} from where the text begins after its heading
 * @param {[number, number][]} marks
 * @returns {[string, boolean][]}
 */
function excerptOf(text, from, marks) {
  const inside = marks.filter(([start]) => start >= from).sort((a, b) => a[0] - b[0]);
  const first = inside[0]?.[0] ?? from;
  let start = Math.max(from, first - BEFORE);
  while (start > from && /[\p{sc=Latn}\p{sc=Hang}\d]/u.test(text[start - 1] ?? "")) start--;
  const end = Math.min(text.length, first + AFTER);
  /** @type {[string, boolean][]} */
  const pieces = [];
  let at = start;
  if (start > from) pieces.push(["… ", false]);
  for (const [low, high] of inside) {
    if (low >= end) break;
    if (low > at) pieces.push([text.slice(at, low), false]);
    if (high > at) pieces.push([text.slice(Math.max(low, at), high), true]);
    at = Math.max(at, high);
  }
  if (at < end) pieces.push([text.slice(at, end), false]);
  if (Math.max(at, end) < text.length) pieces.push([" …", false]);
  return pieces.map(([piece, marked], index) => [index === 0 ? piece.replace(/^[\s.]+/, "") : piece, marked]);
}

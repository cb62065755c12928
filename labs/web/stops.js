// @ts-check
/**
 * What Python will say to whatever a reader does first in a lab, worked out when the site was built (labs/teaching/stops.py):
 * shown until Python is there to say it itself.
 *
 * @typedef {import("./changes.js").Change} Change
 * @typedef {{keys: string[], answers: [pieces: string, numbers: string, word: string][]}} Group
 * @typedef {{format: number, templates: string[], groups: Group[]}} Packed
 * @typedef {{start: number, places: number, pieces: number}} Block the numbers of one template: by place, then by piece
 * @typedef {{order: number[], blocks: Map<number, Block>}} Layout of an answer's numbers, the blocks by template
 * @typedef {{layout: Layout, numbers: number[], word: string}} Told an answer but for its letters
 */

const FORMAT = 1;
const PATIENCE = 5000; // milliseconds; a head start that comes late is none
const [SHORT, FIXED, WORD] = ["\u0001", "\u0002", "\u0003"];

export class Stops {
  #packed;
  /** @type {string[][]} */
  #templates;
  #places;
  /** @type {Map<string, Layout>} by how an answer has its pieces */
  #layouts = new Map();
  /** @type {Map<Group, Told[]>} of each group as many, from its first on, as were needed so far */
  #told = new Map();
  /** @type {string | undefined} the text as first seen */
  #text;
  /** @type {{control: string, text: string} | undefined} where the reader stands, if all but one control is as first seen */
  #at;

  /** @param {Packed} packed */
  constructor(packed) {
    this.#packed = packed;
    this.#templates = packed.templates.map((template) => template.split(/([\u0001-\u0003])/));
    this.#places = this.#templates.map((parts) => parts.filter((part) => part === SHORT || part === FIXED).length);
  }

  /**
   * Fetches the stops of a lab; null where there are none, or none for this text.
   * @param {URL} url
   * @param {string} text of the lab as first seen
   * @returns {Promise<Stops | null>}
   */
  static async fetch(url, text) {
    try {
      const response = await fetch(url, { cache: "no-cache", signal: AbortSignal.timeout(PATIENCE) });
      if (!response.ok || !response.body) return null;
      const packed = await new Response(response.body.pipeThrough(new DecompressionStream("gzip"))).json();
      const stops = packed.format === FORMAT ? new Stops(packed) : null;
      return stops?.answer({ reset: true }, text)?.text === text ? stops : null;
    } catch {
      return null;
    }
  }

  /**
   * @param {Change} change
   * @param {string} text that the change is made to
   * @returns {any | undefined} what Python would answer
   */
  answer(change, text) {
    const key = keyOf(change);
    if (key === undefined || ("control" in change && !this.#isNear(change.control, text))) return undefined;
    const json = this.#unpack(key);
    if (json === undefined) return undefined;
    const answer = JSON.parse(json);
    if ("reset" in change) this.#text = answer.text;
    if ("control" in change) this.#at = { control: change.control, text: answer.text };
    return answer;
  }

  /**
   * Whether in this text everything but that control is as first seen.
   * @param {string} control
   * @param {string} text
   */
  #isNear(control, text) {
    return this.#text === text || (this.#at?.control === control && this.#at.text === text);
  }

  /** @param {string} key */
  #unpack(key) {
    const group = this.#packed.groups.find(({ keys }) => keys.includes(key));
    return group && this.#written(this.#tell(group, group.keys.indexOf(key)));
  }

  /**
   * One answer of a group. Each is told from the one before it, so all up to it are worked out, but not put in letters:
   * that would be most of the time.
   * @param {Group} group
   * @param {number} index
   * @returns {Told}
   */
  #tell(group, index) {
    const [origin] = this.#packed.groups;
    const told = this.#told.get(group) ?? [];
    this.#told.set(group, told);
    let before = told.at(-1) ?? (group === origin ? undefined : this.#tell(origin, 0));
    while (told.length <= index) {
      const [pieces, differences, word] = group.answers[told.length];
      const layout = this.#layout(pieces);
      before = { layout, numbers: numbersOf(layout, differences.split(","), before), word };
      told.push(before);
    }
    return told[index];
  }

  /** @param {string} pieces */
  #layout(pieces) {
    const known = this.#layouts.get(pieces);
    if (known) return known;
    const order = pieces.split(",").map(Number);
    /** @type {Layout["blocks"]} */
    const blocks = new Map();
    let start = 0;
    for (const template of [...order].sort((a, b) => a - b)) {
      const places = this.#places[template];
      const block = blocks.get(template) ?? { start, places, pieces: 0 };
      block.pieces += 1;
      start += places;
      blocks.set(template, block);
    }
    const layout = { order, blocks };
    this.#layouts.set(pieces, layout);
    return layout;
  }

  /** @param {Told} told */
  #written({ layout: { order, blocks }, numbers, word }) {
    /** @type {Map<number, number>} */
    const seen = new Map();
    const parts = [];
    for (const template of order) {
      const piece = seen.get(template) ?? 0;
      seen.set(template, piece + 1);
      const { start, pieces } = /** @type {Block} */ (blocks.get(template));
      let at = start + piece;
      for (const part of this.#templates[template]) {
        if (part === WORD) parts.push(word);
        else if (part === SHORT || part === FIXED) {
          parts.push(written(numbers[at], part === FIXED));
          at += pieces;
        } else parts.push(part);
      }
    }
    return parts.join("");
  }
}

/**
 * @param {Layout} layout
 * @param {string[]} differences from the answer before, or where that has no such piece, from the piece before; "" is 0
 * @param {Told | undefined} before
 * @returns {number[]}
 */
function numbersOf(layout, differences, before) {
  /** @type {number[]} */
  const numbers = [];
  if (before?.layout === layout) return differences.map((difference, at) => Number(difference) + before.numbers[at]);
  for (const [template, { start, places, pieces }] of layout.blocks) {
    const known = before?.layout.blocks.get(template);
    for (let place = 0; place < places; place++) {
      for (let piece = 0; piece < pieces; piece++) {
        const at = start + place * pieces + piece;
        let from = piece ? numbers[at - 1] : 0;
        if (before && known && piece < known.pieces) from = before.numbers[known.start + place * known.pieces + piece];
        numbers.push(Number(differences[at]) + from);
      }
    }
  }
  return numbers;
}

/**
 * @param {number} tenths
 * @param {boolean} fixed
 */
function written(tenths, fixed) {
  return fixed || tenths % 10 ? `${Math.floor(tenths / 10)}.${tenths % 10}` : String(tenths / 10);
}

/**
 * @param {Change} change
 * @returns {string | undefined}
 */
function keyOf(change) {
  if ("reset" in change) return "reset";
  if ("preset" in change) return `preset=${change.preset}`;
  return "control" in change ? `${change.control}=${change.value}` : undefined;
}

// @ts-check
/**
 * What Python will say to whatever a reader does first in a lab, worked out when the site was built (labs/teaching/scenario_lab/stops.py
 * and labs/teaching/rollout_lab/stops.py): shown until Python is there to say it itself.
 *
 * @typedef {import("./lab-element.js").Change} Change
 * @typedef {import("./lab-element.js").Shown} Shown
 * @typedef {{keys: string[], answers: [pieces: string, numbers: string, word: string][]}} Group
 * @typedef {{format: number, templates: string[], groups: Group[]}} Packed
 * @typedef {{start: number, places: number, pieces: number}} Block the numbers of one template: by place, then by piece
 * @typedef {{order: number[], blocks: Map<number, Block>}} Layout of an answer's numbers, the blocks by template
 * @typedef {{layout: Layout, numbers: number[], word: string}} Figures an answer but for its letters
 * @typedef {{changes: number[], words: string[], steps: number[]}} Times when something changes, what each second is called,
 *   where steps lead
 */

const FORMAT = 1;
const PATIENCE = 5000; // milliseconds; a head start that comes late is none
const HEAD_START = 300; // milliseconds that Python waits for the ready answers
const [SHORT, FIXED, WORD] = ["\u0001", "\u0002", "\u0003"];

export class Stops {
  #packed;
  /** @type {string[][]} */
  #templates;
  #places;
  /** @type {Map<string, Layout>} by how an answer has its pieces */
  #layouts = new Map();
  /** @type {Map<Group, Figures[]>} of each group as many, from its first on, as were needed so far */
  #figures = new Map();
  first = ""; // the text as first seen
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
   * @template {typeof Stops} Class
   * @this {Class}
   * @param {string | undefined} name of the file
   * @param {string} text of the lab as first seen
   * @returns {Promise<InstanceType<Class> | null>}
   */
  static async fetch(name, text) {
    if (!name) return null;
    try {
      const url = new URL(`./stops/${name}`, import.meta.url); // beside the script that this is bundled into
      const response = await fetch(url, { cache: "no-cache", signal: AbortSignal.timeout(PATIENCE) });
      if (!response.ok || !response.body) return null;
      const packed = await new Response(response.body.pipeThrough(new DecompressionStream("gzip"))).json();
      if (packed.format !== FORMAT) return null;
      const stops = /** @type {InstanceType<Class>} */ (new this(packed));
      stops.first = text;
      return stops.of("reset")?.text === text ? stops : null;
    } catch {
      return null;
    }
  }

  /**
   * @param {Change[]} changes made one after the other
   * @param {Shown} shown what they are made to
   * @returns {any | undefined} what Python would answer to them all
   */
  answer(changes, shown) {
    /** @type {Record<string, any> | undefined} */
    let answer;
    for (const change of changes) {
      const next = this.answerTo(change, answer ?? shown);
      if (next === undefined) return undefined;
      answer = { ...next, regions: { ...answer?.regions, ...next.regions } };
    }
    return answer;
  }

  /**
   * @param {Change} change
   * @param {Shown} shown
   * @returns {any | undefined}
   */
  answerTo(change, { text }) {
    if ("reset" in change) return this.of("reset");
    if ("preset" in change) return this.of(`preset=${change.preset}`);
    if (!("control" in change) || !this.#isNear(change.control, text)) return undefined;
    const answer = this.of(`${change.control}=${change.value}`);
    if (answer) this.#at = { control: change.control, text: answer.text };
    return answer;
  }

  /**
   * Whether in this text everything but that control is as first seen.
   * @param {string} control
   * @param {string} text
   */
  #isNear(control, text) {
    return this.first === text || (this.#at?.control === control && this.#at.text === text);
  }

  /**
   * @param {string} key
   * @returns {any | undefined} the answer by its key, whatever is shown
   */
  of(key) {
    const group = this.#packed.groups.find(({ keys }) => keys.includes(key));
    return group && JSON.parse(this.#written(this.#tell(group, group.keys.indexOf(key))));
  }

  /**
   * One answer of a group. Each is told from the one before it, so all up to it are worked out, but not put in letters:
   * that would be most of the time.
   * @param {Group} group
   * @param {number} index
   * @returns {Figures}
   */
  #tell(group, index) {
    const [origin] = this.#packed.groups;
    const told = this.#figures.get(group) ?? [];
    this.#figures.set(group, told);
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

  /** @param {Figures} told */
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

export class RolloutStops extends Stops {
  /** @type {Times | undefined} */
  #times;

  /**
   * @param {Change} change
   * @param {Shown} shown
   */
  answerTo(change, { text, at, node }) {
    if ("reset" in change) return this.of("reset");
    if ("preset" in change) return this.of(`preset=${change.preset}`);
    if (text !== this.first || node !== null) return undefined;
    if (typeof change.step === "number") return this.#step(change.step, at);
    if (typeof change.at === "number") return this.#second(change.at);
    return at === null ? this.of(JSON.stringify(change)) : undefined;
  }

  /** @returns {Times} */
  get times() {
    return (this.#times ??= this.of("times") ?? { changes: [], words: [], steps: [] });
  }

  /** @param {number} at as it is since the last change before it, but for what it is called */
  #second(at) {
    const { changes, words } = this.times;
    const answer = this.of(JSON.stringify({ at: changes.findLast((second) => second <= at) }));
    if (answer === undefined || words[at] === undefined) return undefined;
    return { ...answer, at, time: { ...answer.time, value: at, output: words[at], text: words[at] } };
  }

  /**
   * @param {number} step
   * @param {number | null} at
   */
  #step(step, at) {
    const { steps } = this.times;
    const here = at === null ? steps.length : steps.indexOf(at);
    if (here < 0) return undefined;
    const there = Math.max(here + step, 0);
    return there < steps.length ? this.#second(steps[there]) : this.of(JSON.stringify({ end: true }));
  }
}

/**
 * Resolves when the ready answers are there, or have been waited for long enough.
 * @param {Promise<unknown>} fetched
 */
export function headStart(fetched) {
  return Promise.race([fetched, new Promise((resolve) => setTimeout(resolve, HEAD_START))]);
}

/**
 * @param {Layout} layout
 * @param {string[]} differences from the answer before, or where that has no such piece, from the piece before; "" is 0
 * @param {Figures | undefined} before
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

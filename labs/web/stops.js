// @ts-check
/**
 * What Python will say to whatever a reader does first in a lab, worked out when the site was built (labs/teaching/stops.py):
 * shown until Python is there to say it itself.
 *
 * @typedef {import("./changes.js").Change} Change
 * @typedef {{keys: string[], answers: [pieces: string, numbers: string, word: string][]}} Group
 * @typedef {{format: number, templates: string[], groups: Group[]}} Packed
 * @typedef {Map<number, number[][]>} Numbers by template, by piece
 */

const FORMAT = 1;
const PATIENCE = 5000; // milliseconds; a head start that comes late is none
const [SHORT, FIXED, WORD] = ["\u0001", "\u0002", "\u0003"];

export class Stops {
  #packed;
  /** @type {string[][]} */
  #templates;
  /** @type {Map<string, string>} answers as JSON, of the groups that were needed so far */
  #known = new Map();
  /** @type {{numbers: Numbers} | undefined} what every group is told from */
  #first;
  /** @type {{control: string, text: string} | undefined} where the reader stands, if all but one control is as first seen */
  #at;

  /** @param {Packed} packed */
  constructor(packed) {
    this.#packed = packed;
    this.#templates = packed.templates.map((template) => template.split(/([\u0001-\u0003])/));
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
    const json = this.#known.get(key) ?? this.#unpack(key);
    if (json === undefined) return undefined;
    const answer = JSON.parse(json);
    if ("control" in change) this.#at = { control: change.control, text: answer.text };
    return answer;
  }

  /**
   * Whether in this text everything but that control is as first seen.
   * @param {string} control
   * @param {string} text
   */
  #isNear(control, text) {
    const first = this.#known.get("reset");
    return (first !== undefined && JSON.parse(first).text === text) || (this.#at?.control === control && this.#at.text === text);
  }

  /** @param {string} key */
  #unpack(key) {
    const group = this.#packed.groups.find(({ keys }) => keys.includes(key));
    if (!group) return undefined;
    let before = this.#first;
    group.answers.forEach((packed, index) => {
      before = this.#put(packed, before?.numbers ?? new Map());
      this.#first ??= before;
      this.#known.set(group.keys[index], before.json);
    });
    return this.#known.get(key);
  }

  /**
   * Puts an answer together.
   * @param {Group["answers"][number]} packed
   * @param {Numbers} before
   */
  #put([pieces, differences, word], before) {
    const order = pieces.split(",").map(Number);
    const numbers = this.#numbers(order, differences.split(","), before);
    /** @type {Map<number, number>} */
    const seen = new Map();
    const parts = [];
    for (const template of order) {
      const piece = seen.get(template) ?? 0;
      seen.set(template, piece + 1);
      const row = numbers.get(template)?.[piece] ?? [];
      let place = 0;
      for (const part of this.#templates[template]) {
        if (part === WORD) parts.push(word);
        else if (part === SHORT || part === FIXED) parts.push(written(row[place++], part === FIXED));
        else parts.push(part);
      }
    }
    return { json: parts.join(""), numbers };
  }

  /**
   * @param {number[]} order
   * @param {string[]} differences
   * @param {Numbers} before
   * @returns {Numbers}
   */
  #numbers(order, differences, before) {
    /** @type {Numbers} */
    const numbers = new Map();
    for (const template of order) {
      if (!numbers.has(template)) numbers.set(template, []);
      numbers.get(template)?.push([]);
    }
    let next = 0;
    for (const [template, rows] of [...numbers].sort(([a], [b]) => a - b)) {
      const known = before.get(template);
      const places = this.#templates[template].filter((part) => part === SHORT || part === FIXED).length;
      for (let place = 0; place < places; place++) {
        rows.forEach((row, piece) => {
          row.push(Number(differences[next++]) + ((known?.[piece] ?? rows[piece - 1])?.[place] ?? 0));
        });
      }
    }
    return numbers;
  }
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

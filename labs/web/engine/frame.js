// @ts-check
/**
 * What labs that ask Python about a state of theirs have in common, whatever that state is: their regions, what is said
 * while Python loads or after it broke down, when it is started, drafts that were set aside, the link to the lab.
 */
import { runtime } from "../runtime/runtime.js";
import { Drafts } from "./drafts.js";
import { followBoxes } from "./scrolling.js";
import { buttonFor, say } from "./words.js";

const NEAR = "600px";
const PROGRESS_STEP = 10; // percent; each new one is read out

export class LabFrame {
  #lab;
  #first;
  #asking = 0;

  /**
   * @param {HTMLElement} lab the custom element, whose data attributes hold the words
   * @param {() => Promise<unknown>} first what Python waits for: starting, it takes what that needs to be there at once
   */
  constructor(lab, first = () => Promise.resolve()) {
    this.#lab = lab;
    this.#first = first;
    runtime.onProgress((percent) => this.#onProgress(percent));
    for (const sign of ["pointerenter", "focusin"]) lab.addEventListener(sign, () => this.#start(), { once: true });
    lab.addEventListener("submit", (event) => event.preventDefault());
    followBoxes(lab);
  }

  /** The reader's hand or the keyboard is here. */
  async #start() {
    await this.#first();
    afterPaint(() => runtime.start());
  }

  /** The lab's id, by which links and drafts are told apart. */
  get id() {
    return this.#lab.getAttribute("lab") ?? "";
  }

  get drafts() {
    return new Drafts(this.id);
  }

  /** @param {string} name */
  region(name) {
    return this.find(`[data-region="${CSS.escape(name)}"]`);
  }

  /**
   * @param {string} selector
   * @returns {HTMLElement | null}
   */
  find(selector) {
    return this.#lab.querySelector(selector);
  }

  /**
   * @param {(saves: boolean) => void} near called once the lab is near what is shown; told whether the reader saves data
   * @param {() => void} idle called some time after it, when there is nothing better to do, unless the reader saves data
   */
  whenNear(near, idle) {
    const observer = new IntersectionObserver(
      async (entries) => {
        if (!entries.some((entry) => entry.isIntersecting)) return;
        observer.disconnect();
        const saves = savesData();
        near(saves);
        if (saves) return;
        await this.#first();
        runtime.prefetch();
        whenIdle(idle);
      },
      { rootMargin: NEAR },
    );
    observer.observe(this.#lab);
  }

  /**
   * Asks Python; while it loads, the reader is told how far it is, from the first moment on.
   * @param {() => unknown} build
   */
  async ask(build) {
    this.#asking += 1;
    if (runtime.percent < 100) this.#onProgress(runtime.percent);
    try {
      return await runtime.ask(build);
    } finally {
      this.#asking -= 1;
    }
  }

  /**
   * @param {() => object} build the request that is the lab as it stands
   * @returns {Promise<{fragment: string} | {notice: string | null}>} what Python calls that
   */
  async link(build) {
    const outcome = await this.ask(() => ({ ...build(), only: ["link"] }));
    this.clearStatus();
    if (outcome.kind === "answer" && outcome.response.link) return { fragment: outcome.response.link };
    if (outcome.kind === "down") this.showFailure(outcome.cause, outcome.reason);
    return { notice: outcome.kind === "down" ? null : (outcome.response.notice ?? outcome.response.error) };
  }

  /** @param {string} notice what became of a link; behind it, whether there are drafts to bring back */
  sayOpened(notice) {
    const offer = ["restore", "discard"].map((action) => buttonFor(action, this.#lab.dataset[action]));
    say(this.region("opened"), notice, ...(this.drafts.hasAside ? [this.#lab.dataset.aside, ...offer] : []));
  }

  /** Drops what was set aside last. */
  drop() {
    this.drafts.takeAside();
    this.sayOpened("");
  }

  /**
   * @param {string[]} names of the regions that the next answer replaces
   * @param {boolean} busy
   */
  markBusy(names, busy) {
    for (const name of names) {
      if (busy) this.region(name)?.setAttribute("aria-busy", "true");
      else this.region(name)?.removeAttribute("aria-busy");
    }
  }

  /** @param {number} percent */
  #onProgress(percent) {
    if (!this.#asking) return;
    const shown = Math.floor(percent / PROGRESS_STEP) * PROGRESS_STEP;
    const words = percent < 100 ? (this.#lab.dataset.loading ?? "").replace("{percent}", String(shown)) : "";
    if (this.region("status")?.textContent !== words) this.clearStatus()?.append(words);
  }

  /**
   * Says what happened, with a button to try again; the last result and the draft stay.
   * @param {import("../runtime/runtime.js").Cause} cause
   * @param {string} reason
   */
  showFailure(cause, reason) {
    const status = this.clearStatus();
    if (!status) return;
    const detail = document.createElement("code");
    detail.textContent = reason;
    detail.lang = "en";
    status.setAttribute("role", "alert");
    status.append(this.#lab.dataset[cause] ?? "", " ", detail, " ", buttonFor("retry", this.#lab.dataset.retry));
  }

  clearStatus() {
    const status = this.region("status");
    status?.setAttribute("role", "status");
    status?.replaceChildren();
    return status;
  }
}

export function savesData() {
  return Boolean(/** @type {any} */ (navigator).connection?.saveData);
}

/** @param {() => void} start */
function whenIdle(start) {
  if ("requestIdleCallback" in window) requestIdleCallback(start);
  else setTimeout(start, 1000);
}

/** @param {() => void} start called when what is there now has been painted; in a page out of sight, where nothing is, too */
export function afterPaint(start) {
  if (document.hidden) start();
  else requestAnimationFrame(() => setTimeout(start));
}

// @ts-check
/**
 * Python for the page: one worker for all labs, started in this one place. One request is on its way at a time.
 *
 * A worker that breaks down, can't be loaded or does not answer is given up, and everybody who waits is told;
 * the next request starts a new one.
 *
 * @typedef {"failed" | "crashed" | "stopped"} Cause could not be loaded; broke down; did not answer in time
 * @typedef {{kind: "answer", response: any} | {kind: "down", cause: Cause, reason: string}} Outcome
 * @typedef {Pick<Worker, "postMessage" | "terminate"> & Pick<EventTarget, "addEventListener">} WorkerLike
 */
import { createWorker, prefetch } from "./source.js";

/** Seconds. Loading counts from the last sign of life, so that a slow network is no failure. */
const PATIENCE = { loading: 60, answering: 15 };

export class Runtime {
  #createWorker;
  #second;
  /** @type {WorkerLike | null} */
  #worker = null;
  #ready = false;
  #answered = false;
  /** @type {Promise<void> | undefined} */
  #prefetched;
  #percent = 0;
  /** @type {{build: () => unknown, resolve: (outcome: Outcome) => void}[]} the first is on its way once ready */
  #queue = [];
  #sent = 0;
  #silent = 0;
  /** @type {ReturnType<typeof setInterval> | undefined} */
  #clock;
  /** @type {Set<(percent: number) => void>} */
  #listeners = new Set();

  /**
   * @param {() => WorkerLike} createWorker
   * @param {number} second how long one is, in milliseconds
   */
  constructor(createWorker, second = 1000) {
    this.#createWorker = createWorker;
    this.#second = second;
  }

  /** Whether Python has answered once, and so answers the next time at once. */
  get isWarm() {
    return this.#answered;
  }

  /** How far Python is loaded: 100 when it is there. */
  get percent() {
    return this.#ready ? 100 : this.#percent;
  }

  /** @param {(percent: number) => void} listener told of progress while Python loads; 100 when it is there */
  onProgress(listener) {
    this.#listeners.add(listener);
  }

  /** Has the browser fetch what the worker will need: only a head start, so what is wrong shows when Python is loaded. */
  prefetch() {
    this.#prefetched ??= prefetch().catch(() => {});
  }

  /** Starts the worker unless there is one. */
  start() {
    if (this.#worker) return;
    const worker = this.#createWorker();
    this.#worker = worker;
    this.#percent = this.#silent = 0;
    this.#watch();
    worker.addEventListener("message", (event) => {
      if (worker === this.#worker) this.#hear(/** @type {MessageEvent} */ (event).data);
    });
    worker.addEventListener("error", (event) => {
      event.preventDefault();
      if (worker === this.#worker) this.#giveUp(this.#ready ? "crashed" : "failed", /** @type {ErrorEvent} */ (event).message ?? "");
    });
  }

  /**
   * Asks Python, after those who asked before.
   * @param {() => unknown} build makes the request when its turn has come, from what the reader has done by then
   * @returns {Promise<Outcome>}
   */
  ask(build) {
    return new Promise((resolve) => {
      this.#queue.push({ build, resolve });
      this.start();
      if (this.#ready && this.#queue.length === 1) this.#send();
    });
  }

  #send() {
    this.#sent += 1;
    this.#silent = 0;
    this.#watch();
    this.#worker?.postMessage({ id: this.#sent, request: this.#queue[0].build() });
  }

  /** @param {any} message see worker.js */
  #hear(message) {
    this.#silent = 0;
    if (message.kind === "progress") {
      this.#percent = message.percent;
      this.#listeners.forEach((listener) => listener(message.percent));
    } else if (message.kind === "ready") {
      this.#ready = true;
      if (this.#queue.length) this.#send();
      else this.#rest();
    } else if (message.kind === "answer") {
      this.#answered = true;
      this.#queue.shift()?.resolve({ kind: "answer", response: message.response });
      if (this.#queue.length) this.#send();
      else this.#rest();
    } else {
      this.#giveUp(message.kind, message.reason);
    }
  }

  /** @param {Cause} cause @param {string} reason */
  #giveUp(cause, reason) {
    this.#rest();
    this.#worker?.terminate();
    this.#worker = null;
    this.#ready = this.#answered = false;
    for (const { resolve } of this.#queue.splice(0)) resolve({ kind: "down", cause, reason });
  }

  /** Counts seconds of silence one by one: a computer that slept wakes to a count that stood still. */
  #watch() {
    this.#clock ??= setInterval(() => {
      this.#silent += 1;
      const patience = this.#ready ? PATIENCE.answering : PATIENCE.loading;
      if (this.#silent >= patience) this.#giveUp(this.#ready ? "stopped" : "failed", `${patience} s`);
    }, this.#second);
  }

  #rest() {
    clearInterval(this.#clock);
    this.#clock = undefined;
  }
}

/** @type {typeof globalThis & {gpuLabRuntime?: Runtime}} where all scripts of a page find it: each holds a copy of this module */
const shared = globalThis;

export const runtime = (shared.gpuLabRuntime ??= new Runtime(createWorker));

// @ts-check
/**
 * Where a page has Python from when its site is opened from a folder, by double click: there a browser runs no module,
 * no worker and no fetch, but it runs scripts. One holds all of Python (packing/scripts.mjs); the worker is made from a part of it.
 *
 * @typedef {{worker: string, entry: string, files: Record<string, string>}} Folder the worker's script; files as base64 of gzip
 */

/** @type {Promise<Folder> | undefined} */
let folder;

/** @returns {Promise<Folder>} */
function openFolder() {
  folder ??= new Promise((resolve, reject) => {
    /** @type {any} */ (globalThis).gpuLabFolder = resolve;
    const script = document.createElement("script");
    script.src = new URL("./runtime/folder.js", import.meta.url).href;
    script.addEventListener("error", () => {
      folder = undefined;
      reject(new Error("runtime/folder.js"));
    });
    document.head.append(script);
  });
  return folder;
}

/** A worker that comes once the folder's script is there. */
class FolderWorker extends EventTarget {
  /** @type {Worker | null} */
  #worker = null;
  /** @type {unknown[]} */
  #waiting = [];
  #ended = false;

  constructor() {
    super();
    openFolder().then(
      (opened) => this.#start(opened),
      (error) => this.dispatchEvent(new MessageEvent("message", { data: { kind: "failed", reason: error.message } })),
    );
  }

  /** @param {Folder} opened */
  #start({ worker: source, entry, files }) {
    if (this.#ended) return;
    const url = URL.createObjectURL(new Blob([source], { type: "text/javascript" }));
    this.#worker = new Worker(url);
    this.#worker.addEventListener("message", ({ data }) => this.dispatchEvent(new MessageEvent("message", { data })));
    this.#worker.addEventListener("error", (event) => {
      event.preventDefault();
      this.dispatchEvent(new ErrorEvent("error", { message: event.message }));
    });
    for (const message of [{ entry, files }, ...this.#waiting]) this.#worker.postMessage(message);
  }

  /** @param {unknown} message */
  postMessage(message) {
    if (this.#worker) this.#worker.postMessage(message);
    else this.#waiting.push(message);
  }

  terminate() {
    this.#ended = true;
    this.#worker?.terminate();
  }
}

export function createWorker() {
  return new FolderWorker();
}

/** Nothing comes over a network here. */
export async function prefetch() {}

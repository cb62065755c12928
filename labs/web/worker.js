// @ts-check
/**
 * The worker of a page's labs: loads Python from the folder beside it and answers requests one after the other.
 *
 * In:  {id, request}
 * Out: {kind: "progress", percent}           while loading
 *      {kind: "ready"}                       Python answers from now on
 *      {kind: "failed", reason}              Python can't be loaded; nothing more will come
 *      {kind: "answer", id, response}        what labs.browser.respond says
 *      {kind: "crashed", reason}             Python broke down; nothing more will come
 */
import { lockFileContents } from "./pyodide-options.js";

const RUNTIME = new URL("./runtime/", import.meta.url);
const PERCENT = { downloaded: 75, started: 92, loaded: 100 };

const respond = loadPython();
respond.then(
  () => postMessage({ kind: "ready" }),
  (error) => postMessage({ kind: "failed", reason: String(error?.message ?? error) }),
);

self.onmessage = async ({ data: { id, request } }) => {
  const ask = await respond.catch(() => null);
  if (!ask) return;
  try {
    postMessage({ kind: "answer", id, response: JSON.parse(ask(JSON.stringify(request))) });
  } catch (error) {
    postMessage({ kind: "crashed", reason: String(error) });
  }
};

/**
 * Starts Python and returns its `respond`, JSON text in and out.
 * @returns {Promise<(request: string) => string>}
 */
async function loadPython() {
  assertWebAssembly();
  const { pyodide, python, entry, files } = await manifest();
  const indexURL = new URL(`${pyodide}/`, RUNTIME).href;
  const stdLibURL = new URL(python, RUNTIME).href;
  const refused = takeOverFetch({
    [`${indexURL}pyodide.asm.wasm`]: { type: "application/wasm", size: files[`${pyodide}/pyodide.asm.wasm`] },
    [stdLibURL]: { type: "application/zip", size: files[python] },
  });
  const [{ loadPyodide }, { default: createPyodideModule }] = await Promise.all([
    import(`${indexURL}pyodide.js`),
    import(`${indexURL}pyodide.asm.js`),
  ]);
  const options = { indexURL, packageBaseUrl: indexURL, stdLibURL, lockFileContents, createPyodideModule };
  const runtime = await Promise.race([loadPyodide(options), refused]);
  progress(PERCENT.started);
  const module = runtime.pyimport(entry);
  progress(PERCENT.loaded);
  return module.respond;
}

/** Throws where the browser or the page's security policy allows no WebAssembly; Pyodide itself would wait for ever. */
function assertWebAssembly() {
  new WebAssembly.Module(Uint8Array.of(0x00, 0x61, 0x73, 0x6d, 0x01, 0x00, 0x00, 0x00));
}

/** Which files to load; asked anew every time, since it alone keeps its name when the site changes. */
async function manifest() {
  const response = await fetch(new URL("manifest.json", RUNTIME), { cache: "no-cache" });
  if (!response.ok) throw new Error(`runtime/manifest.json: ${response.status} ${response.statusText}`);
  return response.json();
}

/**
 * Starts the large downloads before Pyodide asks for them, counts their bytes, and gives them the type that
 * compiling while loading needs, whatever the server calls them.
 * @param {Record<string, {type: string, size: number}>} expected
 * @returns {Promise<never>} rejected when one can't be had or the WebAssembly can't be set up: Pyodide only logs these
 */
function takeOverFetch(expected) {
  const total = Object.values(expected).reduce((sum, { size }) => sum + size, 0);
  let received = 0;
  const count = new Map(
    Object.entries(expected).map(([url, { type }]) => [url, download(url, type, (bytes) => {
      received += bytes;
      progress(Math.floor((received / total) * PERCENT.downloaded));
    })]),
  );
  const original = self.fetch.bind(self);
  self.fetch = (input, init) => count.get(String(input)) ?? original(input, init);

  const instantiate = WebAssembly.instantiateStreaming;
  return new Promise((_, reject) => {
    for (const response of count.values()) response.catch(reject);
    WebAssembly.instantiateStreaming = async (source, imports) => {
      try {
        return await instantiate(source, imports);
      } catch (error) {
        reject(error);
        throw error;
      }
    };
  });
}

/**
 * @param {string} url
 * @param {string} type
 * @param {(bytes: number) => void} onBytes
 */
async function download(url, type, onBytes) {
  const response = await fetch(url);
  if (!response.ok || !response.body) throw new Error(`${url}: ${response.status} ${response.statusText}`);
  const counted = new TransformStream({
    transform(chunk, controller) {
      onBytes(chunk.byteLength);
      controller.enqueue(chunk);
    },
  });
  return new Response(response.body.pipeThrough(counted), { headers: { "Content-Type": type } });
}

let told = -1;

/** @param {number} percent */
function progress(percent) {
  if (percent <= told) return;
  told = percent;
  postMessage({ kind: "progress", percent });
}

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
import { openFiles } from "./files.js";
import { lockFileContents } from "./pyodide-options.js";

const PERCENT = { downloaded: 75, started: 92, loaded: 100 };

const respond = loadPython();
respond.then(
  () => postMessage({ kind: "ready" }),
  (error) => postMessage({ kind: "failed", reason: String(error?.message ?? error) }),
);

self.onmessage = async ({ data: { id, request } }) => {
  if (id === undefined) return; // files, for a site opened from a folder
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
  const refused = watchWebAssembly();
  const { loadPyodide, options, entry, lost } = await openFiles((share) => progress(Math.floor(share * PERCENT.downloaded)));
  const runtime = await Promise.race([loadPyodide({ ...options, lockFileContents }), lost, refused]);
  progress(PERCENT.started);
  const module = runtime.pyimport(entry);
  progress(PERCENT.loaded);
  return module.respond;
}

/** Throws where the browser or the page's security policy allows no WebAssembly; Pyodide itself would wait for ever. */
function assertWebAssembly() {
  new WebAssembly.Module(Uint8Array.of(0x00, 0x61, 0x73, 0x6d, 0x01, 0x00, 0x00, 0x00));
}

/** @returns {Promise<never>} rejected when the WebAssembly can't be set up, for lack of memory say: Pyodide only logs that */
function watchWebAssembly() {
  const instantiate = WebAssembly.instantiateStreaming;
  return new Promise((_, reject) => {
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

let told = -1;

/** @param {number} percent */
function progress(percent) {
  if (percent <= told) return;
  told = percent;
  postMessage({ kind: "progress", percent });
}

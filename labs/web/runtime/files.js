// @ts-check
/**
 * The files of Python, from the folder beside the worker. A site opened from a folder has folder/files.js.
 *
 * @typedef {{loadPyodide: (options: object) => Promise<any>, options: object, entry: string, lost: Promise<never>}} Files
 *   what to start Python with; `lost` is rejected when a file can't be had, which Pyodide only logs
 */

const RUNTIME = new URL("./runtime/", import.meta.url);

/**
 * @param {(share: number) => void} progress told how much has come, up to 1
 * @returns {Promise<Files>}
 */
export async function openFiles(progress) {
  const { pyodide, python, entry, files } = await manifest();
  const indexURL = new URL(`${pyodide}/`, RUNTIME).href;
  const stdLibURL = new URL(python, RUNTIME).href;
  const expected = {
    [`${indexURL}pyodide.asm.wasm`]: { type: "application/wasm", size: files[`${pyodide}/pyodide.asm.wasm`] },
    [stdLibURL]: { type: "application/zip", size: files[python] },
  };
  const lost = takeOverFetch(expected, progress);
  const [{ loadPyodide }, { default: createPyodideModule }] = await Promise.all([
    import(`${indexURL}pyodide.js`),
    import(`${indexURL}pyodide.asm.js`),
  ]);
  return { loadPyodide, options: { indexURL, packageBaseUrl: indexURL, stdLibURL, createPyodideModule }, entry, lost };
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
 * @param {(share: number) => void} progress
 * @returns {Promise<never>}
 */
function takeOverFetch(expected, progress) {
  const total = Object.values(expected).reduce((sum, { size }) => sum + size, 0);
  let received = 0;
  const coming = new Map(
    Object.entries(expected).map(([url, { type }]) => [url, download(url, type, (bytes) => {
      received += bytes;
      progress(received / total);
    })]),
  );
  const original = self.fetch.bind(self);
  self.fetch = (input, init) => coming.get(String(input)) ?? original(input, init);
  return new Promise((_, reject) => {
    for (const response of coming.values()) response.catch(reject);
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

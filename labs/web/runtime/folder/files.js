// @ts-check
/** The files of Python as the page of a site opened from a folder sends them: see folder/source.js. */

const NOWHERE = "https://folder.invalid/"; // addresses that Pyodide asks for and gets from here

/** @type {Promise<{entry: string, files: Record<string, string>}>} */
const sent = new Promise((resolve) => {
  self.addEventListener("message", ({ data }) => { if (data.files) resolve(data); });
});

/**
 * @param {(share: number) => void} progress
 * @returns {Promise<import("../files.js").Files>}
 */
export async function openFiles(progress) {
  const { entry, files } = await sent;
  const open = (/** @type {string} */ name, /** @type {string} */ type) => unpacked(files[name], type);
  const wasm = open("pyodide.asm.wasm", "application/wasm");
  const python = open("python.zip", "application/zip");
  const modules = await Promise.all(["pyodide.js", "pyodide.asm.js"].map(async (name) => addressOf(await open(name, "text/javascript"))));
  const responses = new Map([[`${NOWHERE}pyodide.asm.wasm`, wasm], [`${NOWHERE}python.zip`, python]]);
  self.fetch = async (input) => {
    const response = await responses.get(String(input));
    if (!response) throw new TypeError(`there is no ${input} in the folder`);
    return response;
  };
  Object.assign(self, { importScripts() { throw new TypeError("modules only"); } }); // by which Pyodide knows that it may import
  const [{ loadPyodide }, { default: createPyodideModule }] = await Promise.all(modules.map((address) => import(address)));
  progress(1);
  const options = { indexURL: NOWHERE, packageBaseUrl: NOWHERE, stdLibURL: `${NOWHERE}python.zip`, createPyodideModule };
  return { loadPyodide, options, entry, lost: Promise.all([wasm, python]).then(() => new Promise(() => {})) };
}

/**
 * @param {string} packed base64 of gzip
 * @param {string} type
 */
async function unpacked(packed, type) {
  const { body } = await fetch(`data:application/gzip;base64,${packed}`);
  if (!body) throw new Error("the folder's script is damaged");
  return new Response(body.pipeThrough(new DecompressionStream("gzip")), { headers: { "Content-Type": type } });
}

/** @param {Response} response */
async function addressOf(response) {
  return URL.createObjectURL(await response.blob());
}

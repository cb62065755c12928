// @ts-check
/** Where a page has Python from: the worker and the files beside the script that this is bundled into. A site opened from a folder has folder/source.js. */

export function createWorker() {
  return new Worker(new URL("./worker.js", import.meta.url), { type: "module" });
}

/** Asks the browser to fetch what the worker will need when there is nothing better to do. */
export async function prefetch() {
  const folder = new URL("./runtime/", import.meta.url);
  const response = await fetch(new URL("manifest.json", folder), { cache: "no-cache" });
  if (!response.ok) return;
  const { pyodide, python } = await response.json();
  for (const [name, as] of [[`${pyodide}/pyodide.js`, "script"], [`${pyodide}/pyodide.asm.js`, "script"], [`${pyodide}/pyodide.asm.wasm`, "fetch"], [python, "fetch"]]) {
    const link = document.createElement("link");
    Object.assign(link, { rel: "prefetch", as, crossOrigin: "anonymous", href: new URL(name, folder).href });
    document.head.append(link);
  }
}

// @ts-check
/**
 * Makes the scripts that a page loads, each one file with all that it imports:
 *
 *   node labs/web/packing/scripts.mjs --out .cache/scripts --editor .cache/editor [--runtime .cache/runtime]
 *
 *   gpu-lab.js, ...       the module of each custom element
 *   worker.js             the module of their worker
 *
 *   editor.js             CodeMirror with editor/editor.mjs, a plain script that sets `gpuLabEditor`
 *   packages.json         the packages in the scripts and in the editor, whose notices the site must carry (hooks/notices.py)
 *
 * With the packed runtime, for a site that is opened from a folder, by double click: there a browser takes neither modules nor
 * fetch. So elements are plain scripts, the two modules of runtime/folder/ take the place of those of the same name, and
 *
 *   runtime/folder.js     holds the worker's script, and the runtime's files as base64 of gzip
 *
 * What is there already and the same is left alone.
 */
import { existsSync, mkdirSync, readFileSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { basename, dirname, join, relative, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { gzipSync } from "node:zlib";

const ROOT = resolve(dirname(fileURLToPath(import.meta.url)), "../../..");
const WEB = join(ROOT, "labs", "web");
const ELEMENTS = readdirSync(join(WEB, "elements")).filter((name) => name.startsWith("gpu-")).map((name) => join(WEB, "elements", name));
const WORKER = join(WEB, "runtime", "worker.js");
const EDITOR = join(WEB, "editor", "editor.mjs");

/** @type {import("esbuild").BuildOptions} */
const MODULE = { format: "esm" };

/** @type {import("esbuild").BuildOptions} */
const PLAIN = {
  format: "iife",
  define: { "import.meta.url": "scriptAddress" },
  banner: { js: '(() => {\n"use strict";\nconst scriptAddress = globalThis.document?.currentScript.src;' },
  footer: { js: "})();" },
  plugins: [
    {
      name: "folder",
      setup: (build) => build.onResolve({ filter: /^\.\/(source|files)\.js$/ }, ({ path }) => ({ path: join(WEB, "runtime", "folder", path) })),
    },
  ],
};

/**
 * Scripts as names and texts, and the names of the packages in them.
 * @param {string[]} entries
 * @param {import("esbuild").BuildOptions} options
 */
async function bundles(entries, options) {
  const { build } = await import("esbuild");
  const shared = { entryPoints: entries, absWorkingDir: ROOT, outdir: ROOT, entryNames: "[name]", bundle: true, minify: true, write: false };
  const built = await build({ ...shared, target: "es2022", legalComments: "none", charset: "utf8", metafile: true, logLevel: "error", ...options });
  const files = /** @type {import("esbuild").OutputFile[]} */ (built.outputFiles).map(({ path, text }) => [basename(path), text]);
  const names = Object.keys(built.metafile?.inputs ?? {}).flatMap((path) => path.match(/node_modules\/((?:@[^/]+\/)?[^/]+)\//)?.[1] ?? []);
  return { files, packages: [...new Set(names)].sort() };
}

/**
 * The elements and their worker; with the packed runtime, those of a folder.
 * @param {string} [runtime]
 */
async function scripts(runtime) {
  if (runtime === undefined) return bundles([...ELEMENTS, WORKER], MODULE);
  const elements = await bundles(ELEMENTS, PLAIN);
  const worker = await bundles([WORKER], PLAIN);
  const files = [...elements.files, folder(runtime, worker.files[0][1])];
  return { files, packages: [...new Set([...elements.packages, ...worker.packages])].sort() };
}

/**
 * What runtime/folder/source.js asks for.
 * @param {string} runtime
 * @param {string} worker the worker's script
 */
function folder(runtime, worker) {
  const { pyodide, python, entry } = JSON.parse(readFileSync(join(runtime, "manifest.json"), "utf8"));
  const paths = Object.fromEntries(["pyodide.js", "pyodide.asm.js", "pyodide.asm.wasm"].map((name) => [name, join(pyodide, name)]));
  const files = Object.entries({ ...paths, "python.zip": python }).map(([name, path]) => [name, packed(readFileSync(join(runtime, path)))]);
  return ["runtime/folder.js", `gpuLabFolder(${JSON.stringify({ worker, entry, files: Object.fromEntries(files) })});\n`];
}

/** @param {Buffer} content */
function packed(content) {
  return gzipSync(content, { level: 9 }).toString("base64");
}

/**
 * Makes a folder hold these files alone.
 * @param {string} out
 * @param {string[][]} files names and texts
 */
function write(out, files) {
  if (files.every(([name, text]) => existsSync(join(out, name)) && readFileSync(join(out, name), "utf8") === text)) return;
  rmSync(out, { recursive: true, force: true });
  for (const [name, text] of files) {
    mkdirSync(dirname(join(out, name)), { recursive: true });
    writeFileSync(join(out, name), text);
  }
  console.log(`Scripts of the pages are in ${relative(process.cwd(), out) || "."}.`);
}

try {
  const { values } = parseArgs({ options: { out: { type: "string" }, editor: { type: "string" }, runtime: { type: "string" } } });
  const { out, editor: place, runtime } = values;
  if (!out || !place) throw new TypeError("Say where to: --out FOLDER --editor FOLDER.");
  const own = await scripts(runtime && resolve(runtime));
  const editor = await bundles([EDITOR], { format: "iife", globalName: "gpuLabEditor" });
  write(resolve(out), own.files);
  write(resolve(place), [...editor.files, ["packages.json", JSON.stringify({ scripts: own.packages, editor: editor.packages })]]);
} catch (error) {
  const { code, message } = /** @type {Error & {code?: string}} */ (error);
  console.error(code === "ERR_MODULE_NOT_FOUND" ? "esbuild is not in node_modules: run python3 dev.py setup, then try again." : message);
  process.exitCode = 1;
}

// @ts-check
/**
 * Makes the folder of the browser's Python runtime:
 *
 *   node labs/web/packing/python.mjs --out .cache/runtime --python .venv/bin/python
 *
 *   manifest.json                 names and sizes of the files below; the only file whose name stays when content changes
 *   pyodide-<version>/            Pyodide's loader and WebAssembly as published. Its modules are named .js here:
 *                                 some web servers do not know .mjs, and browsers refuse a module of unknown type
 *   python-<content hash>.zip     the standard library's needed part, SimPy and labs, compiled (freeze.py)
 *
 * Does nothing where the folder was made from the same inputs. The zip is tried before it is kept.
 */
import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from "node:fs";
import { basename, dirname, join, relative, resolve, sep } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { parseArgs } from "node:util";
import { lockFileContents } from "../runtime/pyodide-options.js";

const HERE = dirname(fileURLToPath(import.meta.url));
const ROOT = resolve(HERE, "../../..");
const PYODIDE = join(ROOT, "node_modules", "pyodide");
const LABS = join(ROOT, "labs");
const PACKAGES = ["simpy"]; // beside labs, by the names they are imported by
const ENTRY = "labs.browser";
const PYODIDE_FILES = { "pyodide.mjs": "pyodide.js", "pyodide.asm.mjs": "pyodide.asm.js", "pyodide.asm.wasm": "pyodide.asm.wasm" };

/** A reason to stop that needs no stack trace. */
class Refusal extends Error {}

/**
 * The folders of the pure-Python packages that go into the zip, as installed for that interpreter.
 * @param {string} python
 * @returns {string[]}
 */
function packageFolders(python) {
  const ask = `
import importlib.util, json, pathlib
print(json.dumps([str(pathlib.Path(importlib.util.find_spec(name).origin).parent) for name in ${JSON.stringify(PACKAGES)}]))`;
  try {
    return JSON.parse(execFileSync(python, ["-I", "-c", ask], { encoding: "utf8", stdio: ["ignore", "pipe", "ignore"] }));
  } catch {
    throw new Refusal(`${python} does not find ${PACKAGES.join(" and ")}: run python3 dev.py setup, then try again.`);
  }
}

/**
 * Files under a folder by their name in the zip, sorted.
 * @param {string} folder
 * @param {string} prefix
 * @param {(name: string) => boolean} wanted
 * @returns {[string, Buffer][]}
 */
function filesUnder(folder, prefix, wanted) {
  const names = readdirSync(folder, { recursive: true, encoding: "utf8" }).map((name) => name.split(sep).join("/"));
  return names
    .filter((name) => wanted(name) && statSync(join(folder, name)).isFile())
    .sort()
    .map((name) => [`${prefix}/${name}`, readFileSync(join(folder, name))]);
}

/**
 * The application: labs with its data, and the packages it uses.
 * @param {string[]} folders of the packages
 */
function applicationFiles(folders) {
  // Left out: the browser's own part, and published measurements, against which only terminal and build hold predictions.
  const ours = (/** @type {string} */ name) =>
    !/(^|\/)(__pycache__|\.|py\.typed$)|^web\/|^simulation\/data\/(points|datasets)\./.test(name);
  const source = (/** @type {string} */ name) => name.endsWith(".py");
  return [
    ...filesUnder(LABS, "labs", ours),
    ...folders.flatMap((folder) => filesUnder(folder, basename(folder), source)),
  ];
}

/** @param {Iterable<string | Buffer>} parts */
function digest(parts) {
  const hash = createHash("sha256");
  for (const part of parts) hash.update(String(part.length)).update("\0").update(part);
  return hash.digest("hex");
}

/**
 * The manifest of a folder made earlier, if all its files are there.
 * @param {string} folder
 */
function manifestOf(folder) {
  try {
    const manifest = JSON.parse(readFileSync(join(folder, "manifest.json"), "utf8"));
    const whole = Object.entries(manifest.files).every(([name, size]) => statSync(join(folder, name)).size === size);
    return whole ? manifest : null;
  } catch {
    return null;
  }
}

/**
 * What the zip is tried with, as JSON texts.
 * @param {string} python
 * @returns {string[]}
 */
function trialRequests(python) {
  const ask = `import json, labs.browser as entry; print(json.dumps([json.dumps(request) for request in entry.trial_requests()]))`;
  return JSON.parse(execFileSync(python, ["-c", ask], { encoding: "utf8", cwd: ROOT, stdio: ["ignore", "pipe", "inherit"] }));
}

/**
 * Compiles the application into the zip and returns the zip's bytes, having tried them.
 * @param {[string, Buffer][]} application
 * @param {string[]} requests that it is tried with
 * @param {string} workFolder
 */
async function freeze(application, requests, workFolder) {
  const { loadPyodide } = await import(pathToFileURL(join(PYODIDE, "pyodide.mjs")).href);
  const python = await loadPyodide({ indexURL: PYODIDE });
  for (const [name, content] of application) {
    python.FS.mkdirTree(dirname(`/source/${name}`));
    python.FS.writeFile(`/source/${name}`, content);
  }
  python.FS.mkdirTree("/freeze");
  python.FS.writeFile("/freeze/freeze.py", readFileSync(join(HERE, "freeze.py")));
  python.runPython("import sys; sys.path.append('/freeze')");
  const answers = JSON.parse(python.pyimport("freeze").freeze_folder("/source", "/freeze/python.zip", ENTRY, JSON.stringify(requests)));
  const archive = python.FS.readFile("/freeze/python.zip");

  const path = join(workFolder, "python.zip");
  writeFileSync(path, archive);
  const trial = await loadPyodide({ indexURL: PYODIDE, stdLibURL: path, lockFileContents });
  const { respond } = trial.pyimport(ENTRY);
  requests.forEach((request, index) => {
    if (respond(request) !== answers[index]) throw new Refusal(`The packed runtime answers ${request} otherwise than its sources do.`);
  });
  rmSync(path);
  return Buffer.from(archive);
}

/** @param {string} out @param {string} python */
async function pack(out, python) {
  if (!existsSync(join(PYODIDE, "pyodide.asm.wasm"))) {
    throw new Refusal("Pyodide is not in node_modules: run python3 dev.py setup, then try again.");
  }
  const { version } = JSON.parse(readFileSync(join(PYODIDE, "package.json"), "utf8"));
  if (version !== lockFileContents.info.version) {
    throw new Refusal(`Pyodide ${version} is installed, labs/web/runtime/pyodide-options.js is for ${lockFileContents.info.version}: make them agree.`);
  }
  const application = applicationFiles(packageFolders(python));
  const recipe = ["python.mjs", "freeze.py", "../runtime/pyodide-options.js"].map((name) => readFileSync(join(HERE, name)));
  const inputs = digest([version, ...recipe, ...application.flat()]);
  if (manifestOf(out)?.inputs === inputs) return;

  const started = performance.now();
  const fresh = `${out}.new`;
  rmSync(fresh, { recursive: true, force: true });
  const folder = `pyodide-${version}`;
  mkdirSync(join(fresh, folder), { recursive: true });
  for (const [from, to] of Object.entries(PYODIDE_FILES)) cpSync(join(PYODIDE, from), join(fresh, folder, to));
  const archive = await freeze(application, trialRequests(python), fresh);
  const zip = `python-${digest([archive]).slice(0, 16)}.zip`;
  writeFileSync(join(fresh, zip), archive);
  const files = Object.fromEntries(filesUnder(fresh, ".", () => true).map(([name, content]) => [name.slice(2), content.length]));
  const manifest = { format: 1, pyodide: folder, python: zip, entry: ENTRY, files, inputs };
  writeFileSync(join(fresh, "manifest.json"), `${JSON.stringify(manifest, null, 2)}\n`);
  rmSync(out, { recursive: true, force: true });
  renameSync(fresh, out);
  const seconds = ((performance.now() - started) / 1000).toFixed(1);
  console.log(`The browser's Python is in ${relative(process.cwd(), out) || "."} (${zip}, ${(archive.length / 1e6).toFixed(1)} MB, ${seconds} s).`);
}

try {
  const { values } = parseArgs({ options: { out: { type: "string" }, python: { type: "string" } } });
  if (!values.out || !values.python) throw new Refusal("Say where to and with which Python: --out FOLDER --python INTERPRETER.");
  await pack(resolve(values.out), values.python);
} catch (error) {
  const { name, message } = /** @type {Error} */ (error);
  const told = error instanceof Refusal || name === "PythonError" || (error instanceof TypeError && "code" in error);
  console.error(told ? message.trim() : error);
  process.exitCode = 1;
}

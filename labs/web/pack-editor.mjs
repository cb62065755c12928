// @ts-check
/**
 * Makes the editor of check labs one plain script:
 *
 *   node labs/web/pack-editor.mjs --out .cache/editor
 *
 *   editor.js      CodeMirror with editor/editor.mjs; sets `gpuLabEditor`
 *   packages.json  the packages that are in it, whose notices the site must carry (hooks/notices.py)
 *
 * Does nothing where the folder was made from the same inputs.
 */
import { createHash } from "node:crypto";
import { existsSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";

const HERE = dirname(fileURLToPath(import.meta.url));
const ROOT = resolve(HERE, "../..");
const ENTRY = join(HERE, "editor", "editor.mjs");

/**
 * The packages that a bundle holds, by name.
 * @param {string[]} inputs the bundle's files, from the project's root
 */
function packagesIn(inputs) {
  const names = inputs.flatMap((path) => path.match(/node_modules\/((?:@[^/]+\/)?[^/]+)\//)?.[1] ?? []);
  return [...new Set(names)].sort();
}

/** @param {string} out */
async function pack(out) {
  const lock = join(ROOT, "package-lock.json");
  const recipe = [fileURLToPath(import.meta.url), ENTRY, lock].map((path) => readFileSync(path));
  const hash = createHash("sha256");
  for (const part of recipe) hash.update(String(part.length)).update("\0").update(part);
  const inputs = hash.digest("hex");
  const stamp = join(out, "stamp");
  if (existsSync(stamp) && readFileSync(stamp, "utf8") === inputs) return;

  const { build } = await import("esbuild");
  const { metafile, outputFiles } = await build({
    entryPoints: [ENTRY],
    absWorkingDir: ROOT,
    bundle: true,
    format: "iife",
    globalName: "gpuLabEditor",
    target: "es2022",
    minify: true,
    legalComments: "none",
    charset: "utf8",
    metafile: true,
    write: false,
    logLevel: "error",
  });
  const fresh = `${out}.new`;
  rmSync(fresh, { recursive: true, force: true });
  mkdirSync(fresh, { recursive: true });
  writeFileSync(join(fresh, "editor.js"), outputFiles[0].contents);
  writeFileSync(join(fresh, "packages.json"), JSON.stringify(packagesIn(Object.keys(metafile.inputs))));
  writeFileSync(join(fresh, "stamp"), inputs);
  rmSync(out, { recursive: true, force: true });
  renameSync(fresh, out);
  console.log(`The editor: ${Math.round(outputFiles[0].contents.length / 1000)} kB`);
}

const { values } = parseArgs({ options: { out: { type: "string", default: ".cache/editor" } } });
try {
  await pack(resolve(values.out));
} catch (error) {
  const { code, message } = /** @type {Error & {code?: string}} */ (error);
  const missing = code === "ERR_MODULE_NOT_FOUND" ? "esbuild is not in node_modules: run python3 dev.py setup, then try again." : message;
  console.error(missing);
  process.exitCode = 1;
}

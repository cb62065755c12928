// @ts-check
/**
 * What Pyodide would read from pyodide-lock.json (119 KB): the site has no further packages to offer,
 * so the few lines that it checks are enough.
 */
export const lockFileContents = {
  info: { abi_version: "2026_0", arch: "wasm32", platform: "emscripten_5_0_3", python: "3.14.2", version: "314.0.7" },
  packages: {},
};

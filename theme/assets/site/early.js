// @ts-check
// Before the first paint: the reader's choice of colours. Without one, the style sheet follows the system.
(() => {
  try {
    const scheme = localStorage.getItem("gpulab.scheme");
    if (scheme === "light" || scheme === "dark") document.documentElement.dataset.glScheme = scheme;
  } catch {
    // Storage is forbidden here (a sandboxed frame): the system's scheme it is.
  }
})();

// @ts-check
// In pages of `dev.py serve` only: reloads a page once it has been built again.

/** @returns {Promise<string>} which build the server has of this page's language */
const built = async () => (await fetch(`/-/built${location.pathname}`, { cache: "no-store" })).text();

const first = await built();
setInterval(async () => {
  // While the server is away there is nothing to reload.
  const now = await built().catch(() => first);
  if (now !== first) location.reload();
}, 500);

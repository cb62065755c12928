// @ts-check
// What a page's frame does beyond HTML: colours, languages, search, copy buttons, the contents list, scrolling boxes.
// A page is complete without it.

/** The reader's choice of colours; "system" forgets it. */
function offerSchemes() {
  const select = /** @type {HTMLSelectElement | null} */ (document.querySelector("[data-gl-scheme]"));
  if (!select) return;
  const root = document.documentElement;
  select.value = root.dataset.glScheme ?? "system";
  select.addEventListener("change", () => {
    if (select.value === "system") delete root.dataset.glScheme;
    else root.dataset.glScheme = select.value;
    keep("scheme", select.value === "system" ? null : select.value);
  });
  select.closest("label")?.removeAttribute("hidden");
}

/**
 * Keeps a choice in this browser; where storage is forbidden, it holds for this page.
 * @param {string} name
 * @param {string | null} value null forgets it
 */
function keep(name, value) {
  try {
    if (value === null) localStorage.removeItem(`gpulab.${name}`);
    else localStorage.setItem(`gpulab.${name}`, value);
  } catch {
    // As said above.
  }
}

/**
 * Heading ids are the same in every language, so the other language opens at the section being read.
 * Whoever chose a language, or waved an offer away, is not asked again.
 */
function offerLanguages() {
  for (const link of /** @type {NodeListOf<HTMLAnchorElement>} */ (document.querySelectorAll(":is(.gl-languages, .gl-offer) a"))) {
    link.addEventListener("click", () => {
      link.hash = location.hash;
      keep("language-offer", "answered");
    });
  }
  for (const button of document.querySelectorAll(".gl-offer button")) {
    button.addEventListener("click", () => {
      keep("language-offer", "answered");
      delete document.documentElement.dataset.glOffer;
      document.getElementById("content")?.focus({ preventScroll: true });
    });
  }
}

/** A dialog on a button, "/" and Ctrl+K; what it searches with is loaded at the first sign that a reader goes there. */
function offerSearch() {
  const dialog = /** @type {HTMLDialogElement | null} */ (document.querySelector(".gl-search"));
  const button = /** @type {HTMLButtonElement | null} */ (document.querySelector(".gl-search-open"));
  if (!dialog || !button) return;
  const fromFolder = location.protocol === "file:";
  dialog.toggleAttribute("data-folder", fromFolder);
  let started = fromFolder;
  let entered = false; // before there was anything to search with
  const start = async () => {
    if (started) return;
    started = true;
    try {
      (await import("./search.js")).startSearch(dialog, entered);
    } catch {
      started = false;
      const status = dialog.querySelector("[role=status]");
      if (status) status.textContent = dialog.dataset.failed ?? "";
    }
  };
  const open = () => {
    if (!dialog.open) dialog.showModal();
    dialog.querySelector("input")?.select();
    start();
  };
  button.addEventListener("click", open);
  button.addEventListener("pointerenter", start);
  button.addEventListener("focus", start);
  addEventListener("keydown", (event) => {
    const slash = event.key === "/" && !event.ctrlKey && !event.metaKey && !event.altKey;
    const k = event.key.toLowerCase() === "k" && (event.ctrlKey || event.metaKey) && !event.altKey && !event.shiftKey;
    if (!(slash || k) || event.isComposing || isWriting(event.target)) return;
    event.preventDefault();
    open();
  });
  dialog.addEventListener("keydown", (event) => {
    if (event.key !== "Enter" || event.isComposing || !(event.target instanceof HTMLInputElement)) return;
    event.preventDefault(); // it asks, and would close the form
    entered = true;
  });
  dialog.addEventListener("click", (event) => { if (event.target === dialog) dialog.close(); });
  button.hidden = false;
}

/**
 * Whether keys are letters there and no commands.
 * @param {EventTarget | null} target
 */
function isWriting(target) {
  return target instanceof Element && target.closest("textarea, select, [contenteditable], input:not([type=range], [type=checkbox])") !== null;
}

function offerCopies() {
  if (!navigator.clipboard) return;
  const { copy = "", copied = "" } = document.body.dataset;
  for (const block of document.querySelectorAll(".gl-article div.highlight")) {
    const button = document.createElement("button");
    button.type = "button";
    button.className = "gl-copy";
    button.textContent = copy;
    const code = block.querySelector("code");
    button.addEventListener("click", async () => {
      try {
        await navigator.clipboard.writeText(code?.textContent ?? "");
        button.textContent = copied;
        setTimeout(() => { button.textContent = copy; }, 2000);
      } catch {
        // Not allowed here, as in a frame of another origin: it is selected, for the reader to copy.
        if (code) getSelection()?.selectAllChildren(code);
      }
    });
    block.append(button);
  }
}

/** A box that scrolls sideways must be reachable by keyboard; one that does not would be a stop for nothing. */
function focusScrollingBoxes() {
  const boxes = document.querySelectorAll(".gl-article pre, .gl-table");
  const observer = new ResizeObserver((entries) => {
    for (const { target } of entries) {
      if (target.scrollWidth > target.clientWidth) target.setAttribute("tabindex", "0");
      else target.removeAttribute("tabindex");
    }
  });
  for (const box of boxes) observer.observe(box);
}

/** Open beside the text on wide screens, folded above it on narrow ones; marks the section being read. */
function followContents() {
  const list = document.querySelector(".gl-toc details");
  if (!list) return;
  const wide = matchMedia("(min-width: 75em)");
  const fold = () => list.toggleAttribute("open", wide.matches);
  wide.addEventListener("change", fold);
  fold();

  const links = /** @type {HTMLAnchorElement[]} */ ([...list.querySelectorAll("a")]);
  const headings = links.map((link) => document.getElementById(decodeURIComponent(link.hash.slice(1))));
  const mark = () => {
    let current = -1;
    headings.forEach((heading, index) => {
      if (heading && heading.getBoundingClientRect().top < innerHeight * 0.3) current = index;
    });
    links.forEach((link, index) => {
      if (index === current) link.setAttribute("aria-current", "true");
      else link.removeAttribute("aria-current");
    });
  };
  addEventListener("scroll", () => requestAnimationFrame(mark), { passive: true });
  mark();
}

/**
 * A field over a table of which it shows only the rows with all the words that are written into it.
 * The words it says itself come with the element, in the page's language.
 */
function offerFilters() {
  for (const place of /** @type {NodeListOf<HTMLElement>} */ (document.querySelectorAll("gl-filter"))) {
    const rows = [...(place.closest(".gl-article")?.querySelectorAll("tbody tr") ?? [])];
    if (rows.length === 0) continue;
    const { label = "", none = "", shown = "" } = place.dataset;
    const input = document.createElement("input");
    input.type = "search";
    const caption = document.createElement("label");
    caption.append(label, " ", input);
    const status = document.createElement("span");
    status.setAttribute("role", "status");
    const filter = () => {
      const words = input.value.toLowerCase().split(/\s+/).filter(Boolean);
      let count = 0;
      for (const row of rows) {
        const text = (row.textContent ?? "").toLowerCase();
        const fits = words.every((word) => text.includes(word));
        row.toggleAttribute("hidden", !fits);
        if (fits) count += 1;
      }
      const told = shown.replace("{shown}", String(count)).replace("{all}", String(rows.length));
      status.textContent = count === 0 ? none : words.length === 0 ? "" : told;
    };
    input.addEventListener("input", filter);
    place.append(caption, status);
    if (input.value) filter(); // a browser may keep it over a reload
  }
}

offerSchemes();
offerLanguages();
offerSearch();
offerCopies();
offerFilters();
focusScrollingBoxes();
followContents();

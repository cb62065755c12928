// @ts-check
// What a page's frame does beyond HTML: colours, copy buttons, the contents list, scrolling boxes.
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
    try {
      if (select.value === "system") localStorage.removeItem("gpulab.scheme");
      else localStorage.setItem("gpulab.scheme", select.value);
    } catch {
      // Storage is forbidden here: the choice holds for this page.
    }
  });
  select.closest("label")?.removeAttribute("hidden");
}

/** Heading ids are the same in every language, so the other language opens at the section being read. */
function keepSectionAcrossLanguages() {
  for (const link of /** @type {NodeListOf<HTMLAnchorElement>} */ (document.querySelectorAll(".gl-languages a"))) {
    link.addEventListener("click", () => { link.hash = location.hash; });
  }
}

function offerCopies() {
  if (!navigator.clipboard) return;
  const { copy = "", copied = "" } = document.body.dataset;
  for (const block of document.querySelectorAll(".gl-article div.highlight")) {
    const button = document.createElement("button");
    button.type = "button";
    button.className = "gl-copy";
    button.textContent = copy;
    button.addEventListener("click", async () => {
      await navigator.clipboard.writeText(block.querySelector("code")?.textContent ?? "");
      button.textContent = copied;
      setTimeout(() => { button.textContent = copy; }, 2000);
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

offerSchemes();
keepSectionAcrossLanguages();
offerCopies();
focusScrollingBoxes();
followContents();

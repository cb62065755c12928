// @ts-check
/**
 * A box that scrolls sideways must be reachable by keyboard; one that does not would be a stop for nothing. Python
 * writes every box as reachable, which is right without scripts.
 */
const BOXES = ".gl-scroll";

const observer = new ResizeObserver((entries) => {
  for (const { target } of entries) {
    if (!target.isConnected) observer.unobserve(target);
    else if (target.scrollWidth > target.clientWidth) target.setAttribute("tabindex", "0");
    else target.removeAttribute("tabindex");
  }
});

/**
 * Follows the boxes that are now under `root`.
 * @param {Element} root
 */
export function followBoxes(root) {
  for (const box of root.querySelectorAll(BOXES)) observer.observe(box);
}

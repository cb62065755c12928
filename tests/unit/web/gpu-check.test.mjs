// @ts-check
import assert from "node:assert/strict";
import { test } from "node:test";
import { FakeElement, open, page, placed } from "./page.mjs";
import "../../../labs/web/elements/gpu-check.js";

/**
 * A check lab in a page in which this draft is kept; Python is still thinking.
 * @param {object} draft
 */
function labWith(draft) {
  open();
  page.answer = () => new Promise(() => {});
  page.kept.set("gpu-sharing-labs/1/draft/check-fine", JSON.stringify(draft));
  const area = Object.assign(new FakeElement(), { value: "", defaultValue: "", labels: [new FakeElement()] });
  const lab = placed(/** @type {any} */ (new (/** @type {any} */ (customElements.get("gpu-check")))()), "check-fine");
  lab.parts = { "[data-yaml]": area };
  lab.connectedCallback();
  return lab;
}

for (const edited of [true, false]) {
  test(`a draft of the site as it was before is ${edited ? "" : "not "}set aside for a sample where it was ${edited ? "" : "not "}edited`, () => {
    const lab = labWith({ text: "version: v1\n", node: "", deployer: "", sample: "", edited });
    assert.equal(lab.shown.text, "version: v1\n");
    lab.replace({ sample: "fine" });
    assert.equal(page.kept.has("gpu-sharing-labs/1/aside/check-fine"), edited);
  });
}

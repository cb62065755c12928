// @ts-check
/** The engine with an element that is none of the site's: what holds for it holds for a kind of lab that somebody adds. */
import assert from "node:assert/strict";
import { beforeEach, test } from "node:test";
import { FakeElement, open, page, placed } from "./page.mjs";
import { LabElement } from "../../../labs/web/engine/lab-element.js";
import { linkFor } from "../../../labs/web/engine/links.js";

const DRAFT = "gpu-sharing-labs/1/draft/cards";
const ASIDE = "gpu-sharing-labs/1/aside/cards";

class GpuCounter extends LabElement {
  count = 0;
  opened = new FakeElement();

  constructor() {
    super();
    /** @type {any} */ (this).parts = { '[data-region="opened"]': this.opened };
  }
  get shown() {
    return { count: this.count };
  }
  /** @param {any} kept */
  takes({ count }) {
    return Number.isInteger(count);
  }
  /** @param {any} state */
  take({ count, changes }) {
    this.count = count;
    return changes;
  }
  /** @param {any} response */
  show({ count }) {
    this.count = count;
  }
}

/** A counter whose script runs. */
function counter() {
  const lab = placed(new GpuCounter(), "cards");
  lab.connectedCallback();
  return lab;
}

/** @param {GpuCounter} lab @param {string} action of the button that is pressed */
async function press(lab, action) {
  lab.act(/** @type {any} */ ({ dataset: { action } }));
  await answered();
}

/** Until Python, which answers at once, has answered all. */
function answered() {
  return new Promise((resolve) => setTimeout(resolve));
}

/** @param {number} count @param {object[]} changes that wait */
function draft(count, changes = []) {
  return JSON.stringify({ count, own: true, changes });
}

beforeEach(() => {
  open();
  page.answer = ({ count, changes }) => ({ count: changes.reduce((/** @type {number} */ sum, /** @type {any} */ { add = 0 }) => sum + add, count) });
});

test("a link to a lab of a new kind is opened by that lab, though others stand before it", () => {
  open("#lab=cards&v=1");
  const first = placed(new FakeElement(), "slots-and-memory");
  assert.deepEqual(counter().changes, [{ link: "lab=cards&v=1" }]);
  assert.equal(linkFor(/** @type {any} */ (first)), null);
});

test("a link to a lab further down, whose script does not run yet, is left to it", () => {
  open("#lab=later&v=1");
  const lab = placed(new GpuCounter(), "cards");
  placed(new FakeElement(), "later");
  lab.connectedCallback();
  assert.deepEqual(lab.changes, []);
});

test("a link to a lab that is not in the page is one of the first lab's, of whatever kind", () => {
  open("#lab=none&v=1");
  assert.deepEqual(counter().changes, [{ link: "lab=none&v=1" }]);
});

test("what Python refuses is not told again after a reload", async () => {
  page.kept.set(DRAFT, draft(3));
  page.answer = () => ({ ok: false, error: "ValueError: no such change" });
  const lab = counter();
  lab.tell({ add: "x" });
  assert.equal(page.kept.get(DRAFT), draft(3, [{ add: "x" }]));
  await answered();
  assert.equal(page.kept.get(DRAFT), draft(3));
  assert.deepEqual(counter().changes, []);
});

test("of drafts set aside the newest that can be read is brought back", async () => {
  page.kept.set(ASIDE, JSON.stringify([draft(1), draft(2), '{"count": "many"}', "{"]));
  const lab = counter();
  await press(lab, "restore");
  assert.equal(lab.count, 2);
  assert.equal(page.kept.get(ASIDE), JSON.stringify([draft(1)]));
});

test("where no draft set aside can be read, none is offered any more, and the lab stays as it is", async () => {
  page.kept.set(ASIDE, JSON.stringify(["{"]));
  const lab = counter();
  assert.notDeepEqual(lab.opened.children, []);
  await press(lab, "restore");
  assert.deepEqual(lab.opened.children, []);
  assert.equal(lab.count, 0);
});

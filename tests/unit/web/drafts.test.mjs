// @ts-check
import assert from "node:assert/strict";
import { test } from "node:test";
import { Drafts } from "../../../labs/web/engine/drafts.js";
import { LONGEST, Store } from "../../../labs/web/engine/store.js";

function fresh() {
  const kept = new Map();
  const storage = /** @type {any} */ ({
    getItem: (/** @type {string} */ key) => kept.get(key) ?? null,
    setItem: (/** @type {string} */ key, /** @type {string} */ value) => kept.set(key, value),
    removeItem: (/** @type {string} */ key) => kept.delete(key),
  });
  return { kept, drafts: new Drafts("a", new Store(() => storage)) };
}

test("a draft is kept until there is none", () => {
  const { drafts, kept } = fresh();
  drafts.text = "mine";
  assert.equal(drafts.text, "mine");
  drafts.text = null;
  assert.equal(drafts.text, null);
  assert.equal(kept.size, 0);
});

test("of several set aside the newest comes back first, each once", () => {
  const { drafts } = fresh();
  for (const text of ["one", "two", "one"]) drafts.setAside(text);
  assert.deepEqual([drafts.takeAside(), drafts.takeAside(), drafts.takeAside()], ["one", "two", undefined]);
  assert.equal(drafts.hasAside, false);
});

test("where they are more than the store takes, the oldest goes", () => {
  const { drafts } = fresh();
  for (const letter of ["a", "b", "c"]) drafts.setAside(letter.repeat(LONGEST / 2 - 10));
  assert.equal(drafts.takeAside()?.[0], "c");
  assert.equal(drafts.takeAside()?.[0], "b");
  assert.equal(drafts.takeAside(), undefined);
});

test("what somebody else wrote into the store is no draft", () => {
  for (const value of ["{", "5", "null", '{"length": 3}', "[1, null]"]) {
    const { drafts, kept } = fresh();
    kept.set("gpu-sharing-labs/1/aside/a", value);
    assert.equal(drafts.hasAside, false);
    assert.equal(drafts.takeAside(), undefined);
  }
});

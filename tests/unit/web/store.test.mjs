// @ts-check
import assert from "node:assert/strict";
import { test } from "node:test";
import { LONGEST, Store } from "../../../labs/web/engine/store.js";

/** A browser's storage, as far as the store uses it. */
class FakeStorage {
  kept = new Map();
  full = false;
  getItem(/** @type {string} */ key) {
    return this.kept.get(key) ?? null;
  }
  setItem(/** @type {string} */ key, /** @type {string} */ value) {
    if (this.full) throw new DOMException("full", "QuotaExceededError");
    this.kept.set(key, value);
  }
  removeItem(/** @type {string} */ key) {
    this.kept.delete(key);
  }
}

/** @param {FakeStorage} storage */
const storeOver = (storage) => new Store(() => /** @type {any} */ (storage));

test("a draft is found by kind and id in a later page, under a versioned key", () => {
  const storage = new FakeStorage();
  storeOver(storage).set("draft", "slots-and-memory", "format: 1");
  assert.equal(storeOver(storage).get("draft", "slots-and-memory"), "format: 1");
  assert.equal(storeOver(storage).get("draft", "other"), null);
  assert.deepEqual([...storage.kept.keys()], ["gpu-sharing-labs/1/draft/slots-and-memory"]);
});

test("a removed draft is gone", () => {
  const store = storeOver(new FakeStorage());
  store.set("draft", "a", "x");
  store.remove("draft", "a");
  assert.equal(store.get("draft", "a"), null);
});

test("where storage is blocked, a draft lives as long as the page", () => {
  const store = new Store(() => {
    throw new DOMException("blocked", "SecurityError");
  });
  store.set("draft", "a", "x");
  assert.equal(store.get("draft", "a"), "x");
  store.remove("draft", "a");
  assert.equal(store.get("draft", "a"), null);
});

test("where storage is full, the newest draft still counts, and is kept once there is room", () => {
  const storage = new FakeStorage();
  const store = storeOver(storage);
  store.set("draft", "a", "old");
  storage.full = true;
  store.set("draft", "a", "new");
  assert.equal(store.get("draft", "a"), "new");
  storage.full = false;
  store.set("draft", "a", "newest");
  assert.equal(storeOver(storage).get("draft", "a"), "newest");
});

test("a text far too long is neither kept nor read", () => {
  const storage = new FakeStorage();
  const store = storeOver(storage);
  store.set("draft", "a", "x");
  store.set("draft", "a", "y".repeat(LONGEST + 1));
  assert.equal(store.get("draft", "a"), "x");
  storage.kept.set("gpu-sharing-labs/1/draft/b", "y".repeat(LONGEST + 1));
  assert.equal(store.get("draft", "b"), null);
});

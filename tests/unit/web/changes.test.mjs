// @ts-check
import assert from "node:assert/strict";
import { test } from "node:test";
import { Changes } from "../../../labs/web/changes.js";

/** @param {...import("../../../labs/web/changes.js").Change} added */
function told(...added) {
  const changes = new Changes();
  for (const change of added) changes.add(change);
  return all(changes);
}

/** @param {Changes} changes */
function all(changes) {
  const taken = [];
  while (!changes.empty) taken.push(changes.take());
  return taken;
}

test("of one control only the newest value is told", () => {
  assert.deepEqual(told({ control: "big", value: "37" }, { control: "big", value: "6" }), [{ control: "big", value: "6" }]);
});

test("two controls are told one after the other, in the order of their last change", () => {
  const big = { control: "big", value: "6" };
  const cards = { control: "cards", value: "2" };
  assert.deepEqual(told({ control: "big", value: "9" }, cards, big), [cards, big]);
});

test("a preset and a reset make everything before them void", () => {
  for (const whole of [{ preset: "small" }, /** @type {const} */ ({ reset: true })]) {
    assert.deepEqual(told({ control: "big", value: "6" }, { text: true }, { moment: true }, whole), [whole]);
  }
});

test("an edit of the text makes a preset before it void", () => {
  assert.deepEqual(told({ preset: "small" }, { text: true }), [{ text: true }]);
});

test("a control tells the text and the moment along, since every request carries them", () => {
  const big = { control: "big", value: "6" };
  assert.deepEqual(told({ text: true }, { moment: true }, big), [big]);
  assert.deepEqual(told(big, { text: true }, { moment: true }), [big]);
});

test("a moment alone is told as such", () => {
  assert.deepEqual(told({ moment: true }, { moment: true }), [{ moment: true }]);
});

test("a change told again comes first, unless the reader replaced it", () => {
  const changes = new Changes();
  changes.add({ control: "cards", value: "2" });
  changes.addAgain({ control: "big", value: "6" });
  changes.addAgain({ control: "cards", value: "9" });
  assert.deepEqual(all(changes), [{ control: "big", value: "6" }, { control: "cards", value: "2" }]);

  changes.add({ reset: true });
  changes.addAgain({ control: "big", value: "6" });
  assert.deepEqual(all(changes), [{ reset: true }]);
});

test("a field whose change waits is known, and every field while a preset waits", () => {
  const changes = new Changes();
  changes.add({ control: "big", value: "6" });
  assert.equal(changes.waitsFor("big"), true);
  assert.equal(changes.waitsFor("cards"), false);
  changes.add({ preset: "small" });
  assert.equal(changes.waitsFor("cards"), true);
});

test("the next change can be looked at before it is taken", () => {
  const changes = new Changes();
  assert.equal(changes.next, undefined);
  for (const change of /** @type {const} */ ([{ text: true }, { control: "big", value: "6" }, { moment: true }])) changes.add(change);
  assert.deepEqual(changes.next, { control: "big", value: "6" });
  assert.deepEqual(changes.take(), { control: "big", value: "6" });
  assert.equal(changes.next, undefined);
});

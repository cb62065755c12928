// @ts-check
import assert from "node:assert/strict";
import { test } from "node:test";
import { withNewest } from "../../../labs/web/elements/changes.js";

/** @param {...import("../../../labs/web/elements/changes.js").Change} made one after the other */
function waiting(...made) {
  return made.reduce((/** @type {object[]} */ changes, change) => withNewest(changes, change), []);
}

const big = { control: "big", value: "6" };
const cards = { control: "cards", value: "2" };

test("of one control only the newest value is told", () => {
  assert.deepEqual(waiting({ control: "big", value: "37" }, big), [big]);
});

test("two controls are told in the order of their last change", () => {
  assert.deepEqual(waiting({ control: "big", value: "9" }, cards, big), [cards, big]);
});

test("a preset, a reset and a link make everything before them void", () => {
  for (const whole of [{ preset: "small" }, { reset: true }, { link: "lab=a" }]) {
    assert.deepEqual(waiting({ show: true }, big, { preset: "two" }, whole), [whole]);
  }
});

test("a control is told on top of the preset before it, and of a draft that is shown again", () => {
  assert.deepEqual(waiting({ preset: "small" }, big), [{ preset: "small" }, big]);
  assert.deepEqual(waiting({ show: true }, big), [{ show: true }, big]);
});

// @ts-check
import assert from "node:assert/strict";
import { test } from "node:test";
import { Runtime } from "../../../labs/web/runtime/runtime.js";

class FakeWorker extends EventTarget {
  /** @type {any[]} */
  got = [];
  terminated = false;
  postMessage(/** @type {any} */ message) {
    this.got.push(message);
  }
  terminate() {
    this.terminated = true;
  }
  /** @param {any} data */
  says(data) {
    this.dispatchEvent(new MessageEvent("message", { data }));
  }
  answers() {
    const { id, request } = this.got[this.got.length - 1];
    this.says({ kind: "answer", id, response: `answer to ${request}` });
  }
}

/** A runtime over fake workers; its seconds last a millisecond. */
function started() {
  /** @type {FakeWorker[]} */
  const workers = [];
  const runtime = new Runtime(() => {
    workers.push(new FakeWorker());
    return workers[workers.length - 1];
  }, 1);
  return { runtime, workers };
}

test("one worker serves the page, however often it is started", () => {
  const { runtime, workers } = started();
  runtime.start();
  runtime.start();
  runtime.ask(() => "a");
  assert.equal(workers.length, 1);
  workers[0].says({ kind: "failed", reason: "" });
});

test("requests go out one at a time, in order, and are built when their turn has come", async () => {
  const { runtime, workers } = started();
  let text = "early";
  const first = runtime.ask(() => `first ${text}`);
  const second = runtime.ask(() => `second ${text}`);
  const [worker] = workers;
  assert.deepEqual(worker.got, []);
  worker.says({ kind: "ready" });
  assert.deepEqual(worker.got.map(({ request }) => request), ["first early"]);
  text = "late";
  worker.answers();
  assert.deepEqual(worker.got.map(({ request }) => request), ["first early", "second late"]);
  worker.answers();
  assert.deepEqual(await first, { kind: "answer", response: "answer to first early" });
  assert.deepEqual(await second, { kind: "answer", response: "answer to second late" });
});

test("everyone who waits is told of a breakdown, and the next request starts a new worker", async () => {
  const { runtime, workers } = started();
  const waiting = [runtime.ask(() => "a"), runtime.ask(() => "b")];
  workers[0].says({ kind: "ready" });
  workers[0].says({ kind: "crashed", reason: "out of memory" });
  const down = { kind: "down", cause: "crashed", reason: "out of memory" };
  assert.deepEqual(await Promise.all(waiting), [down, down]);
  assert.equal(workers[0].terminated, true);

  const again = runtime.ask(() => "c");
  workers[1].says({ kind: "ready" });
  workers[0].says({ kind: "answer", id: 1, response: "too late" });
  workers[1].answers();
  assert.deepEqual(await again, { kind: "answer", response: "answer to c" });
});

test("an error of the worker before it is ready is a failure to load", async () => {
  const { runtime, workers } = started();
  const asked = runtime.ask(() => "a");
  workers[0].dispatchEvent(Object.assign(new Event("error"), { message: "no module" }));
  assert.deepEqual(await asked, { kind: "down", cause: "failed", reason: "no module" });
});

test("a worker that does not answer is stopped", async () => {
  const { runtime, workers } = started();
  const asked = runtime.ask(() => "a");
  workers[0].says({ kind: "ready" });
  const outcome = await asked;
  assert.equal(outcome.kind === "down" && outcome.cause, "stopped");
  assert.equal(workers[0].terminated, true);
});

test("loading that stands still is a failure; an idle worker is left alone", async () => {
  const { runtime, workers } = started();
  const outcome = await runtime.ask(() => "a");
  assert.equal(outcome.kind === "down" && outcome.cause, "failed");

  runtime.start();
  workers[1].says({ kind: "ready" });
  await new Promise((resolve) => setTimeout(resolve, 100));
  assert.equal(workers[1].terminated, false);
});

test("it is warm from its first answer on, and no more when it is given up", async () => {
  const { runtime, workers } = started();
  const asked = runtime.ask(() => "a");
  workers[0].says({ kind: "ready" });
  assert.equal(runtime.isWarm, false);
  workers[0].says({ kind: "answer", id: 1, response: {} });
  await asked;
  assert.equal(runtime.isWarm, true);
  workers[0].says({ kind: "crashed", reason: "" });
  assert.equal(runtime.isWarm, false);
});

test("progress is told to every lab of the page", () => {
  const { runtime, workers } = started();
  /** @type {number[]} */
  const heard = [];
  runtime.onProgress((percent) => heard.push(percent));
  runtime.start();
  workers[0].says({ kind: "progress", percent: 40 });
  assert.deepEqual(heard, [40]);
  workers[0].says({ kind: "failed", reason: "" });
});

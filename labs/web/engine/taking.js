// @ts-check
/** What a reader takes along from a lab: a link to it as it stands, its scenario as a file, the command that runs it. */
import { addressOf } from "./links.js";
import { say } from "./words.js";

const SAVING = 60_000; // milliseconds in which a browser has surely read the file

/**
 * Copies the address of the lab as it stands; where that is not allowed, shows it to be copied by hand.
 * @param {HTMLElement} lab
 * @param {Promise<{fragment: string} | {notice: string | null}>} made why there is no link; null where that is told elsewhere
 */
export async function share(lab, made) {
  const address = made.then((known) => {
    if ("fragment" in known) return addressOf(known.fragment);
    throw new Error("there is no link");
  });
  const copied = await copy(address);
  const known = await made;
  if ("notice" in known) say(placeIn(lab), known.notice ?? "");
  else if (copied) say(placeIn(lab), lab.dataset.copied);
  else offer(lab, await address);
}

/** @param {HTMLElement} lab */
export async function copyCommand(lab) {
  const command = lab.querySelector(".gl-command code");
  if (command) await copyFrom(lab, command);
}

/**
 * Copies the text of an element; where that is not allowed, selects it.
 * @param {HTMLElement} lab
 * @param {Element} element
 */
export async function copyFrom(lab, element) {
  const copied = await copy(Promise.resolve(element.textContent ?? ""));
  if (!copied) getSelection()?.selectAllChildren(element);
  say(placeIn(lab), copied ? lab.dataset.copied : lab.dataset.byHand);
}

/**
 * Saves a scenario below a comment that says how to run it.
 * @param {string} file
 * @param {string} head
 * @param {string} text
 */
export function save(file, head, text) {
  const whole = text.startsWith(head) ? text : `${head}\n${text}`;
  const link = document.createElement("a");
  link.href = URL.createObjectURL(new Blob([whole], { type: "application/yaml" }));
  link.download = file;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), SAVING);
}

/**
 * Puts a text into the clipboard, also one that is still on its way: browsers allow it only while a click is fresh.
 * @param {Promise<string>} text
 * @returns {Promise<boolean>} false where the browser does not allow it, as on plain-http pages, or there is no text
 */
async function copy(text) {
  text.catch(() => {}); // told by the answer
  try {
    const blob = text.then((known) => new Blob([known], { type: "text/plain" }));
    await navigator.clipboard.write([new ClipboardItem({ "text/plain": blob })]);
    return true;
  } catch {
    return false;
  }
}

/**
 * @param {HTMLElement} lab
 * @param {string} address selected, for the reader to copy
 */
function offer(lab, address) {
  const label = document.createElement("label");
  const field = document.createElement("input");
  Object.assign(field, { readOnly: true, value: address });
  label.append(lab.dataset.link ?? "", field);
  say(placeIn(lab), lab.dataset.byHand, label);
  field.focus();
  field.select();
}

/**
 * @param {HTMLElement} lab
 * @returns {HTMLElement | null}
 */
function placeIn(lab) {
  return lab.querySelector('[data-region="taken"]');
}

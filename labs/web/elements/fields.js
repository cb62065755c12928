// @ts-check
/**
 * The fields of a lab's form, which Python tells what to show.
 *
 * @typedef {HTMLInputElement | HTMLSelectElement} Field
 */

/** @param {Field} field */
export function valueOf(field) {
  return field.type === "checkbox" ? /** @type {HTMLInputElement} */ (field).checked : field.value;
}

/**
 * @param {HTMLElement} lab
 * @param {string} id
 * @param {any} state see labs.browser.respond
 */
export function showControl(lab, id, state) {
  const field = lab.querySelector(`[data-control="${CSS.escape(id)}"]`);
  if (!(field instanceof HTMLInputElement || field instanceof HTMLSelectElement)) return;
  setField(field, state);
  showOutput(lab, id, field, state.output);
}

/**
 * @param {HTMLElement} lab
 * @param {{max: number, value: number, output: string, text: string}} time
 */
export function showTime(lab, time) {
  const field = lab.querySelector("[data-time]");
  if (!(field instanceof HTMLInputElement)) return;
  setField(field, { max: time.max, value: time.value });
  showOutput(lab, "time", field, time.output, time.text);
  const region = /** @type {HTMLElement | null} */ (lab.querySelector('[data-region="time"]'));
  if (region) region.hidden = time.max === 0;
}

/**
 * @param {HTMLElement} lab
 * @param {string} id
 * @param {Field} field
 * @param {string | undefined} output
 * @param {string | undefined} spoken
 */
function showOutput(lab, id, field, output, spoken = output) {
  if (output === undefined) return;
  const place = lab.querySelector(`[data-output="${CSS.escape(id)}"]`);
  if (place && place.textContent !== output) place.textContent = output;
  if (field.type === "range" && spoken !== undefined) field.setAttribute("aria-valuetext", spoken);
}

/**
 * @param {Field} field
 * @param {any} state
 */
function setField(field, { value, output, checked, disabled, min, max, step }) {
  if (field instanceof HTMLInputElement) {
    for (const [name, limit] of Object.entries({ min, max, step })) if (limit !== undefined) field.setAttribute(name, limit);
    if (checked !== undefined) field.checked = checked;
  }
  if (value !== undefined && value !== null && field.type !== "checkbox") field.value = String(value);
  if (field instanceof HTMLSelectElement && value && field.value !== value) {
    field.add(new Option(output ?? value, value, false, true)); // a value that only the text knows
  }
  if (disabled !== undefined) field.disabled = disabled;
}

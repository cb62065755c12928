// @ts-check
/**
 * The editor of check labs: CodeMirror 6 in a shadow root, where its styles are adopted and a strict style policy holds.
 * It knows no rule and no language: it is given marks with their words, and tells when the text changed.
 * pack-editor.mjs makes one plain script of it, which sets `gpuLabEditor`.
 *
 * @typedef {{from: number, to: number, severity: string, word: string, message: string}} Mark
 */
import { defaultKeymap, history, historyKeymap } from "@codemirror/commands";
import { yaml } from "@codemirror/lang-yaml";
import { HighlightStyle, indentUnit, syntaxHighlighting } from "@codemirror/language";
import { Annotation, EditorState, RangeSet, StateEffect, StateField } from "@codemirror/state";
import { Decoration, EditorView, GutterMarker, gutter, hoverTooltip, keymap, lineNumbers } from "@codemirror/view";
import { tags } from "@lezer/highlight";

const SIGNS = /** @type {Record<string, string>} */ ({ error: "✕", warning: "!", info: "i" });
const ORDER = ["error", "warning", "info"];

/** Told with a change that was not typed here. */
const given = Annotation.define();
/** @type {import("@codemirror/state").StateEffectType<Mark[]>} */
const setMarks = StateEffect.define();

const theme = EditorView.theme({
  "&": { color: "var(--gl-ink)", backgroundColor: "var(--gl-ticket)", border: "1px solid var(--gl-edge)", borderRadius: "4px", fontSize: "var(--gl-editor-size, 0.8125rem)" },
  "&.cm-focused": { outline: "2px solid var(--gl-accent)", outlineOffset: "2px" },
  ".cm-scroller": {
    maxHeight: "34rem",
    overflow: "auto",
    lineHeight: "1.5",
    fontFamily: "ui-monospace, SFMono-Regular, Menlo, Consolas, 'Noto Sans Mono CJK JP', monospace",
  },
  ".cm-content": { minHeight: "10rem", padding: "0.6em 0", caretColor: "var(--gl-ink)" },
  ".cm-line": { padding: "0 0.8em 0 0.5em" },
  ".cm-gutters": { color: "var(--gl-soft)", backgroundColor: "var(--gl-ticket)", borderRight: "1px solid var(--gl-line)" },
  ".cm-lineNumbers .cm-gutterElement": { padding: "0 0.5em 0 0.7em", minWidth: "2.2em" },
  ".cm-marks": { width: "1.5em" },
  ".cm-marks .cm-gutterElement": { textAlign: "center", cursor: "default" },
  ".cm-mark": { fontWeight: "700" },
  ".cm-mark-error": { color: "var(--gl-alarm)" },
  ".cm-mark-warning": { color: "var(--gl-ts)" },
  ".cm-mark-info": { color: "var(--gl-accent)" },
  ".cm-found": { textDecorationLine: "underline", textDecorationSkipInk: "none", textUnderlineOffset: "3px", textDecorationThickness: "1.5px" },
  ".cm-found-error": { textDecorationStyle: "wavy", textDecorationColor: "var(--gl-alarm)" },
  ".cm-found-warning": { textDecorationStyle: "dashed", textDecorationColor: "var(--gl-ts)" },
  ".cm-found-info": { textDecorationStyle: "dotted", textDecorationColor: "var(--gl-accent)" },
  ".cm-tooltip": { color: "var(--gl-ink)", backgroundColor: "var(--gl-paper)", border: "1px solid var(--gl-edge)", borderRadius: "4px" },
  ".cm-told": { maxWidth: "26rem", padding: "0.4em 0.7em", fontSize: "0.8125rem", lineHeight: "1.5" },
});

const colours = HighlightStyle.define([
  { tag: [tags.propertyName, tags.definition(tags.propertyName)], color: "var(--gl-accent)" },
  { tag: tags.comment, color: "var(--gl-soft)", fontStyle: "italic" },
  { tag: [tags.string, tags.content], color: "var(--gl-ink)" },
  { tag: [tags.meta, tags.separator, tags.punctuation], color: "var(--gl-soft)" },
]);

class Sign extends GutterMarker {
  /** @param {string} severity @param {string} words */
  constructor(severity, words) {
    super();
    this.severity = severity;
    this.words = words;
  }

  /** @param {Sign} other */
  eq(other) {
    return this.severity === other.severity && this.words === other.words;
  }

  toDOM() {
    const sign = document.createElement("span");
    sign.className = `cm-mark cm-mark-${this.severity}`;
    sign.textContent = SIGNS[this.severity] ?? "i";
    sign.title = this.words;
    return sign;
  }
}

/** @typedef {{marks: Mark[], signs: RangeSet<GutterMarker>, stretches: import("@codemirror/view").DecorationSet}} Marked */

const marked = StateField.define({
  create: () => /** @type {Marked} */ ({ marks: [], signs: RangeSet.empty, stretches: Decoration.none }),
  update(value, change) {
    for (const effect of change.effects) if (effect.is(setMarks)) return read(effect.value, change.state);
    if (!change.docChanged) return value;
    const marks = value.marks.map((mark) => ({ ...mark, from: change.changes.mapPos(mark.from, 1), to: change.changes.mapPos(mark.to, -1) }));
    return { marks, signs: value.signs.map(change.changes), stretches: value.stretches.map(change.changes) };
  },
  provide: (field) => EditorView.decorations.from(field, ({ stretches }) => stretches),
});

/**
 * @param {Mark[]} marks
 * @param {EditorState} state
 * @returns {Marked}
 */
function read(marks, state) {
  const length = state.doc.length;
  const inside = marks.map((mark) => ({ ...mark, from: Math.min(mark.from, length), to: Math.min(Math.max(mark.to, mark.from), length) }));
  /** @type {Map<number, Mark[]>} */
  const lines = new Map();
  for (const mark of inside) {
    const { from } = state.doc.lineAt(mark.from);
    lines.set(from, [...(lines.get(from) ?? []), mark]);
  }
  const signs = [...lines].map(([from, here]) => {
    const worst = ORDER.find((severity) => here.some((mark) => mark.severity === severity)) ?? "info";
    return new Sign(worst, here.map(({ word, message }) => `${word}: ${message}`).join("\n")).range(from);
  });
  const stretches = inside
    .filter(({ from, to }) => to > from)
    .map(({ from, to, severity }) => Decoration.mark({ class: `cm-found cm-found-${severity}` }).range(from, to));
  return { marks: inside, signs: RangeSet.of(signs, true), stretches: Decoration.set(stretches, true) };
}

const margin = gutter({ class: "cm-marks", markers: (view) => view.state.field(marked).signs });

const told = hoverTooltip((view, place) => {
  const here = view.state.field(marked).marks.filter(({ from, to }) => from <= place && place <= to);
  if (here.length === 0) return null;
  const create = () => {
    const dom = document.createElement("div");
    dom.className = "cm-told";
    for (const { word, message } of here) {
      const line = document.createElement("div");
      line.textContent = `${word}: ${message}`;
      dom.append(line);
    }
    return { dom };
  };
  return { pos: Math.min(...here.map(({ from }) => from)), end: Math.max(...here.map(({ to }) => to)), create };
});

/**
 * Writes over a selection: left to itself, Chromium keeps the look of what was there in a style attribute, which a strict
 * policy blocks and reports.
 * @param {InputEvent} event
 * @param {EditorView} view
 */
function writeOver(event, view) {
  const plain = event.inputType === "insertText" && event.data !== null && event.cancelable && !event.isComposing;
  if (!plain || view.state.selection.main.empty || view.composing) return false;
  view.dispatch(view.state.replaceSelection(event.data), { userEvent: "input.type", scrollIntoView: true });
  event.preventDefault();
  return true;
}

/**
 * The same for what is composed over a selection.
 * @param {CompositionEvent} _
 * @param {EditorView} view
 */
function composeOver(_, view) {
  if (!view.state.selection.main.empty) view.dispatch(view.state.replaceSelection(""), { userEvent: "delete.selection" });
  return false;
}

/**
 * @param {object} wanted
 * @param {HTMLElement} wanted.place whose shadow root the editor is in
 * @param {string} wanted.text
 * @param {string} wanted.label what the editor is called, read out
 * @param {() => void} wanted.onInput called when something was typed, and when a composition has ended
 */
export function createEditor({ place, text, label, onInput }) {
  const root = place.shadowRoot ?? place.attachShadow({ mode: "open" });
  const view = new EditorView({
    parent: root,
    root,
    state: EditorState.create({
      doc: text,
      extensions: [
        lineNumbers(),
        margin,
        marked,
        told,
        history(),
        yaml(),
        indentUnit.of("  "),
        syntaxHighlighting(colours),
        keymap.of([...defaultKeymap, ...historyKeymap]), // without Tab, which leaves the editor
        theme,
        EditorState.tabSize.of(2),
        EditorView.contentAttributes.of({ "aria-label": label, autocapitalize: "off" }),
        EditorView.updateListener.of((update) => {
          const typed = update.docChanged && !update.transactions.some((change) => change.annotation(given));
          if (typed) onInput();
        }),
        EditorView.domEventHandlers({ beforeinput: writeOver, compositionstart: composeOver, compositionend: () => { setTimeout(onInput); } }),
      ],
    }),
  });

  return {
    get text() {
      return view.state.doc.toString();
    },

    /** Whether something is being composed, in Japanese or Korean say, that is not yet text. */
    get composing() {
      return view.composing || view.compositionStarted;
    },

    /**
     * Takes over a text, changing only the stretch that differs: the cursor and what can be undone stay.
     * @param {string} next
     */
    setText(next) {
      const now = view.state.doc.toString();
      let from = 0;
      while (from < now.length && from < next.length && now[from] === next[from]) from += 1;
      let [to, end] = [now.length, next.length];
      while (to > from && end > from && now[to - 1] === next[end - 1]) [to, end] = [to - 1, end - 1];
      if (to > from || end > from) view.dispatch({ changes: { from, to, insert: next.slice(from, end) }, annotations: given.of(true) });
    },

    /** @param {Mark[]} marks */
    setMarks(marks) {
      view.dispatch({ effects: setMarks.of(marks) });
    },

    /**
     * Moves the cursor to a stretch, into view, and the keyboard with it.
     * @param {number} from
     * @param {number} to
     */
    select(from, to) {
      const length = view.state.doc.length;
      const selection = { anchor: Math.min(from, length), head: Math.min(to, length) };
      view.dispatch({ selection, effects: EditorView.scrollIntoView(selection.anchor, { y: "center" }) });
      view.focus();
    },

    focus() {
      view.focus();
    },
  };
}

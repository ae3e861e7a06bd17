import { type EditorState, type Extension, RangeSet, StateEffect, StateField } from "@codemirror/state";
import { Decoration, type DecorationSet, EditorView, GutterMarker, gutterLineClass } from "@codemirror/view";

/** What the database said about a place in the SQL. */
export type ErrorMark = { line: number; column: number | null; message: string };

type Marks = { text: DecorationSet; gutter: RangeSet<GutterMarker> };

const none: Marks = { text: Decoration.none, gutter: RangeSet.empty };
const setMark = StateEffect.define<ErrorMark | null>();
const failedLine = Decoration.line({ class: "cm-failedLine" });
const gutterMark = new (class extends GutterMarker {
  override elementClass = "cm-failedLineNumber";
})();

/** Changing the line that failed removes its mark: what was said no longer holds. */
const marks = StateField.define<Marks>({
  create: () => none,
  update(before, transaction) {
    let now = before;
    if (transaction.docChanged && before.text !== Decoration.none) {
      const touched = linesOf(before, transaction.startState).some(({ from, to }) =>
        transaction.changes.touchesRange(from, to),
      );
      now = touched
        ? none
        : { text: before.text.map(transaction.changes), gutter: before.gutter.map(transaction.changes) };
    }
    for (const effect of transaction.effects)
      if (effect.is(setMark)) now = effect.value ? marksOf(effect.value, transaction.state) : none;
    return now;
  },
  provide: (field) => [
    EditorView.decorations.from(field, ({ text }) => text),
    gutterLineClass.from(field, ({ gutter }) => gutter),
  ],
});

function linesOf({ text }: Marks, state: EditorState): { from: number; to: number }[] {
  const cursor = text.iter();
  return cursor.value ? [state.doc.lineAt(cursor.from)] : [];
}

function marksOf({ line: number, column, message }: ErrorMark, state: EditorState): Marks {
  if (number < 1 || number > state.doc.lines) return none;
  const line = state.doc.line(number);
  const start = Math.min(line.from + (column ?? 1) - 1, line.to);
  const rest = line.text.slice(start - line.from);
  const length = column === null ? rest.length : Math.max(1, /^[\p{L}\p{N}_$]*/u.exec(rest)?.[0].length ?? 1);
  const end = Math.min(start + length, line.to);
  const place = Decoration.mark({ class: "cm-failedPlace", attributes: { title: message } });
  return {
    text: Decoration.set([failedLine.range(line.from), ...(end > start ? [place.range(start, end)] : [])]),
    gutter: RangeSet.of(gutterMark.range(line.from)),
  };
}

export const errorMarks: Extension = [
  marks,
  EditorView.baseTheme({
    ".cm-failedLine": { backgroundColor: "var(--critical-soft)" },
    ".cm-failedPlace": {
      textDecoration: "underline wavy var(--critical)",
      textDecorationSkipInk: "none",
      textUnderlineOffset: "3px",
    },
    ".cm-failedLineNumber": { color: "var(--critical)", fontWeight: "600" },
  }),
];

export function showErrorMark(view: EditorView, mark: ErrorMark | null): void {
  view.dispatch({ effects: setMark.of(mark) });
}

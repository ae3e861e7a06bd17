"use client";
/** A SQL editor that knows the data source's tables. Tab leaves it, as it does any field. */
import { autocompletion, closeBrackets, closeCompletion, completionKeymap } from "@codemirror/autocomplete";
import { defaultKeymap, history, historyKeymap } from "@codemirror/commands";
import { bracketMatching } from "@codemirror/language";
import { Compartment, EditorState, Prec } from "@codemirror/state";
import { EditorView, keymap, lineNumbers } from "@codemirror/view";
import { type Ref, useEffect, useImperativeHandle, useMemo, useRef } from "react";
import { cn } from "@/components/ui/class-names.ts";
import { useFieldControl } from "@/components/ui/field.tsx";
import type { DatabaseSchema } from "@/server/data-sources/database-schema.ts";
import { dialectOf } from "@/server/data-sources/dialects/dialects.ts";
import { postgresql } from "@/server/data-sources/dialects/postgresql.ts";
import type { Kind } from "@/server/data-sources/kinds.ts";
import type { Known, KnownTable } from "./sql-completion.ts";
import { keywordsOf, sqlCompletionSource } from "./sql-completion-source.ts";
import { type ErrorMark, errorMarks, showErrorMark } from "./sql-error-mark.ts";
import { separatorAfter } from "./sql-insert.ts";
import { editorDialectOf, sqlLook } from "./sql-look.ts";
import { sqlMarks } from "./sql-marks.ts";

/** What a page can do with the editor, besides changing its text. */
export type SqlEditorHandle = {
  /** Writes a name at the cursor, as a change that can be undone, and moves the focus there. */
  insertName: (name: string, kind: "table" | "column") => void;
  /** Replaces all of the text, as a change that can be undone. */
  replace: (text: string) => void;
  /** Moves the cursor to a line, and a column if it is known. */
  goTo: (place: { line: number; column: number | null }) => void;
};

/** Shared empty lists, so that editors without parameters or results keep a stable reference. */
const noNames: readonly string[] = [];
const noResults: readonly KnownTable[] = [];

export function SqlEditor({
  value,
  onChange,
  onBlur,
  engine,
  tables,
  schemaName = "",
  tableName = "",
  parameters = noNames,
  results = noResults,
  readOnly = false,
  onRun,
  onRunSelection,
  onSelection,
  handle,
  mark = null,
  className,
}: {
  value: string;
  onChange: (sql: string) => void;
  onBlur?: () => void;
  engine: Kind | null;
  tables: DatabaseSchema["items"];
  /** Tables of this schema complete without qualification. */
  schemaName?: string;
  /** Columns of this table complete without qualification. */
  tableName?: string;
  /** The names that `{{` offers. */
  parameters?: readonly string[];
  /** The results of earlier steps. */
  results?: readonly KnownTable[];
  readOnly?: boolean;
  /** On Ctrl-Enter or Cmd-Enter. */
  onRun?: () => void;
  /** On Ctrl-Shift-Enter or Cmd-Shift-Enter. */
  onRunSelection?: () => void;
  /** Tells what is selected, if it is more than space. */
  onSelection?: (selected: SelectedSql | null) => void;
  handle?: Ref<SqlEditorHandle>;
  /** What the database said about a place in the text. Changing that line removes it. */
  mark?: ErrorMark | null;
  /** May set its minimum and maximum height with `--sql-min` and `--sql-max`. */
  className?: string;
}) {
  const control = useFieldControl();
  const parent = useRef<HTMLDivElement>(null);
  const view = useRef<EditorView | null>(null);
  const language = useRef(new Compartment());
  const described = useRef(new Compartment());
  const known = useMemo(
    (): Known => ({
      dialect: (engine && dialectOf(engine)) ?? postgresql,
      items: tables,
      keywords: keywordsOf(editorDialectOf(engine)),
      ...{ schemaName, tableName, parameters, results },
    }),
    [engine, tables, schemaName, tableName, parameters, results],
  );
  // Values that change with every keystroke are read when needed.
  const latest = useRef({ onChange, onBlur, onRun, onRunSelection, onSelection, known });
  const start = useRef(value);
  useEffect(() => {
    latest.current = { onChange, onBlur, onRun, onRunSelection, onSelection, known };
  });
  useImperativeHandle(handle, () => ({
    insertName(name, kind) {
      const editor = view.current;
      if (!editor || editor.state.readOnly) return;
      const { from } = editor.state.selection.main;
      const text = separatorAfter(editor.state.sliceDoc(0, from), kind) + name;
      editor.dispatch({ ...editor.state.replaceSelection(text), scrollIntoView: true, userEvent: "input" });
      editor.focus();
    },
    replace(text) {
      const editor = view.current;
      if (!editor || editor.state.readOnly || editor.state.doc.toString() === text) return;
      editor.dispatch({
        changes: { from: 0, to: editor.state.doc.length, insert: text },
        userEvent: "input",
      });
      editor.focus();
    },
    goTo({ line: number, column }) {
      const editor = view.current;
      if (!editor) return;
      const line = editor.state.doc.line(Math.min(Math.max(1, number), editor.state.doc.lines));
      const anchor = Math.min(line.from + (column ?? 1) - 1, line.to);
      editor.dispatch({ selection: { anchor }, scrollIntoView: true });
      editor.focus();
    },
  }));

  useEffect(() => {
    if (!parent.current) return;
    const run = (running: EditorView) => {
      closeCompletion(running);
      latest.current.onRun?.();
      return latest.current.onRun !== undefined;
    };
    const runSelection = (running: EditorView) => {
      closeCompletion(running);
      latest.current.onRunSelection?.();
      return latest.current.onRunSelection !== undefined;
    };
    const editor = new EditorView({
      parent: parent.current,
      state: EditorState.create({
        doc: start.current,
        extensions: [
          lineNumbers(),
          history(),
          bracketMatching(),
          closeBrackets(),
          autocompletion({ icons: false, override: [sqlCompletionSource(() => latest.current.known)] }),
          Prec.highest(
            keymap.of([
              { key: "Mod-Enter", run },
              { key: "Mod-Shift-Enter", run: runSelection },
            ]),
          ),
          keymap.of([...completionKeymap, ...historyKeymap, ...defaultKeymap]),
          EditorView.lineWrapping,
          sqlLook(),
          sqlMarks,
          errorMarks,
          language.current.of([]),
          described.current.of([]),
          EditorView.updateListener.of((update) => {
            if (update.docChanged) latest.current.onChange(update.state.doc.toString());
            if (update.docChanged || update.selectionSet)
              latest.current.onSelection?.(selectedIn(update.state));
            if (update.focusChanged && !update.view.hasFocus) latest.current.onBlur?.();
          }),
        ],
      }),
    });
    view.current = editor;
    return () => {
      view.current = null;
      editor.destroy();
    };
  }, []);

  // Changes from outside, such as inserting an example.
  useEffect(() => {
    const editor = view.current;
    const text = editor?.state.doc.toString();
    if (editor && text !== value)
      editor.dispatch({ changes: { from: 0, to: text?.length ?? 0, insert: value } });
  }, [value]);

  useEffect(() => {
    view.current?.dispatch({ effects: language.current.reconfigure(editorDialectOf(engine).extension) });
  }, [engine]);

  useEffect(() => {
    if (view.current) showErrorMark(view.current, mark);
  }, [mark]);

  const { id, "aria-describedby": describedBy, "aria-invalid": invalid } = control;
  useEffect(() => {
    const attributes: Record<string, string> = { "aria-label": "SQL" };
    if (id) attributes.id = id;
    if (describedBy) attributes["aria-describedby"] = describedBy;
    if (invalid) attributes["aria-invalid"] = "true";
    if (readOnly) attributes["aria-readonly"] = "true";
    view.current?.dispatch({
      effects: described.current.reconfigure([
        EditorView.contentAttributes.of(attributes),
        EditorState.readOnly.of(readOnly),
      ]),
    });
  }, [id, describedBy, invalid, readOnly]);

  return (
    <div
      ref={parent}
      className={cn(
        "overflow-hidden rounded-md border border-control bg-surface focus-within:outline-2 focus-within:outline-offset-[-1px] focus-within:outline-accent has-[[aria-invalid=true]]:border-critical has-[[aria-readonly=true]]:bg-sunken",
        className,
      )}
    />
  );
}

/** Selected SQL, and where in the text it begins. */
export type SelectedSql = { from: number; sql: string };

function selectedIn(state: EditorState): SelectedSql | null {
  const { from, to } = state.selection.main;
  const sql = state.sliceDoc(from, to);
  return sql.trim() === "" ? null : { from, sql };
}

"use client";
/** A SQL editor that knows the data source's tables. Tab leaves it, as it does any field. */
import {
  autocompletion,
  type Completion,
  type CompletionContext,
  type CompletionResult,
  type CompletionSource,
  closeBrackets,
  closeCompletion,
  completionKeymap,
} from "@codemirror/autocomplete";
import { defaultKeymap, history, historyKeymap } from "@codemirror/commands";
import { type SQLNamespace, sql } from "@codemirror/lang-sql";
import { bracketMatching } from "@codemirror/language";
import { Compartment, EditorState, Prec } from "@codemirror/state";
import { EditorView, keymap, lineNumbers } from "@codemirror/view";
import { useEffect, useRef } from "react";
import { cn } from "@/components/ui/class-names.ts";
import { useFieldControl } from "@/components/ui/field.tsx";
import type { DatabaseSchema, Kind } from "@/server/data-sources/schema.ts";
import { editorDialectOf, sqlLook } from "./sql-look.ts";
import { sqlMarks } from "./sql-marks.ts";

/** A completion in addition to the schema: `label` replaces what `match` finds before the cursor. */
export type Offer = { label: string; detail?: string; match: "parameter" | "result" | "word" };

/** One shared empty list, so that editors without offers keep a stable reference. */
const nothing: readonly Offer[] = [];

export function SqlEditor({
  value,
  onChange,
  onBlur,
  engine,
  tables,
  schemaName = "",
  tableName = "",
  offers = nothing,
  readOnly = false,
  onRun,
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
  offers?: readonly Offer[];
  readOnly?: boolean;
  /** On Ctrl-Enter or Cmd-Enter. */
  onRun?: () => void;
  /** May set its minimum and maximum height with `--sql-min` and `--sql-max`. */
  className?: string;
}) {
  const control = useFieldControl();
  const parent = useRef<HTMLDivElement>(null);
  const view = useRef<EditorView | null>(null);
  const language = useRef(new Compartment());
  const described = useRef(new Compartment());
  // Values that change with every keystroke are read when needed.
  const latest = useRef({ onChange, onBlur, onRun, offers });
  const start = useRef(value);
  useEffect(() => {
    latest.current = { onChange, onBlur, onRun, offers };
  });

  useEffect(() => {
    if (!parent.current) return;
    const run = (running: EditorView) => {
      closeCompletion(running);
      latest.current.onRun?.();
      return latest.current.onRun !== undefined;
    };
    const offered: CompletionSource = (context) => completionAt(context, latest.current.offers);
    const editor = new EditorView({
      parent: parent.current,
      state: EditorState.create({
        doc: start.current,
        extensions: [
          lineNumbers(),
          history(),
          bracketMatching(),
          closeBrackets(),
          autocompletion({ icons: false }),
          Prec.highest(keymap.of([{ key: "Mod-Enter", run }])),
          keymap.of([...completionKeymap, ...historyKeymap, ...defaultKeymap]),
          EditorView.lineWrapping,
          sqlLook(),
          sqlMarks,
          EditorState.languageData.of(() => [{ autocomplete: offered }]),
          language.current.of([]),
          described.current.of([]),
          EditorView.updateListener.of((update) => {
            if (update.docChanged) latest.current.onChange(update.state.doc.toString());
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
    const schema = namespaceOf(tables);
    const nearest = {
      ...(schemaName !== "" && { defaultSchema: schemaName }),
      ...(tableName !== "" && { defaultTable: tableName }),
    };
    view.current?.dispatch({
      effects: language.current.reconfigure(
        sql({ dialect: editorDialectOf(engine), schema, keywordCompletion, ...nearest }),
      ),
    });
  }, [engine, tables, schemaName, tableName]);

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

/** Columns by table by schema, each column with its type. */
function namespaceOf(items: DatabaseSchema["items"]): SQLNamespace {
  return Object.fromEntries(
    items.map(({ schemaName, tables }) => [
      schemaName,
      Object.fromEntries(
        tables.map(({ tableName, columns }) => [
          tableName,
          columns.map(({ name, type }) => ({ label: name, detail: type, type: "property" })),
        ]),
      ),
    ]),
  );
}

/** What must precede the cursor for each kind of offer. */
const before: Record<Offer["match"], RegExp> = {
  parameter: /\{\{\s*\w*$/,
  result: /@@?\w*$/,
  word: /\w+$/,
};

function completionAt(context: CompletionContext, offers: readonly Offer[]): CompletionResult | null {
  for (const match of ["parameter", "result", "word"] as const) {
    const found = context.matchBefore(before[match]);
    if (!found) continue;
    const options = offers.filter((offer) => offer.match === match);
    if (options.length === 0) return null;
    const isClosed = match === "parameter" && context.state.sliceDoc(context.pos, context.pos + 2) === "}}";
    return {
      from: found.from,
      // Also replace the auto-closed brackets.
      ...(isClosed && { to: context.pos + 2 }),
      options: options.map(({ label, detail }) => ({ label, ...(detail && { detail }) })),
      validFor: before[match],
    };
  }
  return null;
}

/** The dialects have hundreds of keywords, so they rank below what the data source has. */
const keywordCompletion = (label: string, type: string): Completion => ({ label, type, boost: -50 });

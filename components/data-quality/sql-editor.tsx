"use client";
/** An editor for SQL that knows the data source's tables. Tab leaves it, as it leaves every field. */
import { autocompletion, closeBrackets, completionKeymap } from "@codemirror/autocomplete";
import { defaultKeymap, history, historyKeymap } from "@codemirror/commands";
import { MSSQL, MySQL, PostgreSQL, type SQLNamespace, sql } from "@codemirror/lang-sql";
import { bracketMatching, HighlightStyle, syntaxHighlighting } from "@codemirror/language";
import { Compartment, EditorState } from "@codemirror/state";
import { EditorView, keymap, lineNumbers } from "@codemirror/view";
import { tags } from "@lezer/highlight";
import { useEffect, useRef } from "react";
import { useFieldControl } from "@/components/ui/field.tsx";
import { styleNonce } from "@/components/ui/style-nonce.ts";
import type { DatabaseSchema, Kind } from "@/server/data-sources/schema.ts";

const look = EditorView.theme({
  "&": { fontSize: "13px", backgroundColor: "transparent", color: "var(--ink)" },
  "&.cm-focused": { outline: "none" },
  ".cm-content": {
    fontFamily: "var(--font-mono)",
    padding: "8px 0",
    minHeight: "8.5rem",
    caretColor: "var(--ink)",
  },
  ".cm-scroller": { maxHeight: "24rem", lineHeight: "1.5" },
  ".cm-gutters": { backgroundColor: "transparent", color: "var(--ink-3)", border: "none" },
  ".cm-cursor": { borderLeftColor: "var(--ink)" },
  "&.cm-focused > .cm-scroller > .cm-selectionLayer .cm-selectionBackground, .cm-selectionBackground": {
    backgroundColor: "var(--accent-soft)",
  },
  ".cm-matchingBracket, &.cm-focused .cm-matchingBracket": { backgroundColor: "var(--hover)" },
  ".cm-tooltip": {
    backgroundColor: "var(--surface)",
    border: "1px solid var(--line)",
    borderRadius: "5px",
    boxShadow: "var(--float)",
  },
  ".cm-tooltip-autocomplete > ul > li[aria-selected]": {
    backgroundColor: "var(--accent-soft)",
    color: "var(--ink)",
  },
  ".cm-completionDetail": { color: "var(--ink-3)", fontStyle: "normal" },
});

const colours = HighlightStyle.define([
  { tag: tags.keyword, color: "var(--accent)", fontWeight: "500" },
  { tag: [tags.comment, tags.lineComment, tags.blockComment], color: "var(--ink-3)", fontStyle: "italic" },
  { tag: [tags.string, tags.number, tags.bool, tags.null], color: "var(--stalled)" },
]);

export function SqlEditor({
  value,
  onChange,
  onBlur,
  engine,
  tables,
  schemaName,
  tableName,
}: {
  value: string;
  onChange: (sql: string) => void;
  onBlur: () => void;
  engine: Kind | null;
  tables: DatabaseSchema["items"];
  schemaName: string;
  tableName: string;
}) {
  const control = useFieldControl();
  const parent = useRef<HTMLDivElement>(null);
  const view = useRef<EditorView | null>(null);
  const language = useRef(new Compartment());
  const described = useRef(new Compartment());
  const tell = useRef({ onChange, onBlur });
  const start = useRef(value);
  useEffect(() => {
    tell.current = { onChange, onBlur };
  });

  useEffect(() => {
    if (!parent.current) return;
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
          keymap.of([...completionKeymap, ...historyKeymap, ...defaultKeymap]),
          EditorView.lineWrapping,
          EditorView.cspNonce.of(styleNonce()),
          look,
          syntaxHighlighting(colours),
          language.current.of([]),
          described.current.of([]),
          EditorView.updateListener.of((update) => {
            if (update.docChanged) tell.current.onChange(update.state.doc.toString());
            if (update.focusChanged && !update.view.hasFocus) tell.current.onBlur();
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

  // What was changed outside, by an example for instance.
  useEffect(() => {
    const editor = view.current;
    const text = editor?.state.doc.toString();
    if (editor && text !== value)
      editor.dispatch({ changes: { from: 0, to: text?.length ?? 0, insert: value } });
  }, [value]);

  useEffect(() => {
    const dialect = engine === "MySql" ? MySQL : engine === "SqlServer" ? MSSQL : PostgreSQL;
    const schema = namespaceOf(tables);
    // What is completed without being qualified: the contract's own columns, and the tables beside its own.
    const nearest = {
      ...(schemaName !== "" && { defaultSchema: schemaName }),
      ...(tableName !== "" && { defaultTable: tableName }),
    };
    view.current?.dispatch({
      effects: language.current.reconfigure(sql({ dialect, schema, ...nearest })),
    });
  }, [engine, tables, schemaName, tableName]);

  const { id, "aria-describedby": describedBy, "aria-invalid": invalid } = control;
  useEffect(() => {
    const attributes: Record<string, string> = { "aria-label": "SQL" };
    if (id) attributes.id = id;
    if (describedBy) attributes["aria-describedby"] = describedBy;
    if (invalid) attributes["aria-invalid"] = "true";
    view.current?.dispatch({
      effects: described.current.reconfigure(EditorView.contentAttributes.of(attributes)),
    });
  }, [id, describedBy, invalid]);

  return (
    <div
      ref={parent}
      className="overflow-hidden rounded-md border border-control bg-surface focus-within:outline-2 focus-within:outline-offset-[-1px] focus-within:outline-accent has-[[aria-invalid=true]]:border-critical"
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

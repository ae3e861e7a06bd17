"use client";
import { sql } from "@codemirror/lang-sql";
import { EditorState } from "@codemirror/state";
import { EditorView, lineNumbers } from "@codemirror/view";
import { useEffect, useRef } from "react";
import { editorDialectOf, sqlLook } from "@/components/queries/sql-look.ts";
import type { Kind } from "@/server/data-sources/kinds.ts";

/** Read-only SQL with highlighting and line numbers. */
export function SqlText({ text, label, engine }: { text: string; label: string; engine: Kind | null }) {
  const parent = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (!parent.current) return;
    const view = new EditorView({
      parent: parent.current,
      doc: text,
      extensions: [
        lineNumbers(),
        EditorView.lineWrapping,
        EditorView.contentAttributes.of({ "aria-label": label, "aria-readonly": "true" }),
        EditorState.readOnly.of(true),
        sqlLook(),
        sql({ dialect: editorDialectOf(engine) }),
      ],
    });
    return () => view.destroy();
  }, [text, label, engine]);
  return <div ref={parent} className="overflow-hidden [--sql-max:28rem] [--sql-min:0]" />;
}

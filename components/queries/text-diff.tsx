"use client";
import { sql } from "@codemirror/lang-sql";
import { MergeView, unifiedMergeView } from "@codemirror/merge";
import { EditorState, type Extension } from "@codemirror/state";
import { EditorView, lineNumbers } from "@codemirror/view";
import { useEffect, useRef } from "react";
import { useFits } from "@/components/ui/use-fits.ts";
import type { Kind } from "@/server/data-sources/kinds.ts";
import { editorDialectOf, sqlLook } from "./sql-look.ts";

/** Side by side from this width up, inline below it. */
const wide = "(min-width: 900px)";

const look = EditorView.theme({
  ".cm-content": { minHeight: "0" },
  ".cm-scroller": { maxHeight: "none" },
  "&.cm-merge-a .cm-changedLine, .cm-deletedChunk": { backgroundColor: "var(--critical-soft)" },
  "&.cm-merge-b .cm-changedLine, .cm-changedLine, .cm-inlineChangedLine": {
    backgroundColor: "var(--ok-soft)",
  },
  // In addition to the color, removed text is struck through and added text underlined.
  "&.cm-merge-a .cm-changedText, .cm-deletedChunk .cm-deletedText": {
    background: "none",
    textDecoration: "line-through",
    textDecorationColor: "var(--critical)",
  },
  "&.cm-merge-b .cm-changedText, .cm-changedText": {
    background: "none",
    textDecoration: "underline",
    textDecorationColor: "var(--ok)",
    textUnderlineOffset: "3px",
  },
  ".cm-changeGutter": { width: "3px" },
  "&.cm-merge-a .cm-changedLineGutter, .cm-deletedLineGutter": { background: "var(--critical)" },
  "&.cm-merge-b .cm-changedLineGutter, .cm-changedLineGutter": { background: "var(--ok)" },
  ".cm-collapsedLines": {
    background: "var(--sunken)",
    color: "var(--ink-2)",
    padding: "4px 8px",
  },
});

/** A diff of two SQL texts. */
export function TextDiff({
  before,
  beforeLabel,
  after,
  afterLabel,
  engine,
}: {
  before: string;
  beforeLabel: string;
  after: string;
  afterLabel: string;
  engine: Kind | null;
}) {
  const parent = useRef<HTMLDivElement>(null);
  const isWide = useFits(wide);
  useEffect(() => {
    if (!parent.current) return;
    const textOf = (label: string): Extension => [
      lineNumbers(),
      EditorView.lineWrapping,
      EditorView.contentAttributes.of({ "aria-label": `SQL of ${label}`, "aria-readonly": "true" }),
      EditorState.readOnly.of(true),
      // Before the default look: earlier extensions take precedence.
      look,
      sqlLook(),
      sql({ dialect: editorDialectOf(engine) }),
    ];
    const collapseUnchanged = { margin: 3, minSize: 6 };
    const view = isWide
      ? new MergeView({
          parent: parent.current,
          a: { doc: before, extensions: textOf(beforeLabel) },
          b: { doc: after, extensions: textOf(afterLabel) },
          collapseUnchanged,
        })
      : new EditorView({
          parent: parent.current,
          doc: after,
          extensions: [
            unifiedMergeView({ original: before, mergeControls: false, collapseUnchanged }),
            textOf(afterLabel),
          ],
        });
    return () => view.destroy();
  }, [before, beforeLabel, after, afterLabel, engine, isWide]);
  return (
    <div className="overflow-hidden rounded-md border bg-surface">
      <div className="hidden grid-cols-2 border-b bg-sunken text-xs text-ink-2 min-[900px]:grid">
        <span className="px-3 py-1.5">{beforeLabel}</span>
        <span className="border-l px-3 py-1.5">{afterLabel}</span>
      </div>
      <div className="border-b bg-sunken px-3 py-1.5 text-xs text-ink-2 min-[900px]:hidden">
        From {beforeLabel} to {afterLabel}
      </div>
      <div
        ref={parent}
        className="max-h-[70vh] overflow-auto [&_.cm-editor:focus-within]:outline-2! [&_.cm-editor:focus-within]:outline-offset-[-2px]! [&_.cm-editor:focus-within]:outline-accent! [&_.cm-mergeViewEditor+.cm-mergeViewEditor]:border-l"
      />
    </div>
  );
}

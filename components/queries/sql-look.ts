import { MSSQL, MySQL, PostgreSQL, type SQLDialect } from "@codemirror/lang-sql";
import { HighlightStyle, syntaxHighlighting } from "@codemirror/language";
import { type Extension, StateEffect } from "@codemirror/state";
import { EditorView, ViewPlugin } from "@codemirror/view";
import { tags } from "@lezer/highlight";
import { styleNonce } from "@/components/ui/style-nonce.ts";
import type { Kind } from "@/server/data-sources/schema.ts";

/** How SQL looks wherever it is edited or compared, in the colours of the console's theme. */

const look = EditorView.theme({
  "&": { fontSize: "13px", backgroundColor: "transparent", color: "var(--ink)" },
  "&.cm-focused": { outline: "none" },
  ".cm-content": {
    fontFamily: "var(--font-mono)",
    padding: "8px 0",
    minHeight: "var(--sql-min, 8.5rem)",
    caretColor: "var(--ink)",
  },
  ".cm-scroller": { maxHeight: "var(--sql-max, 24rem)", lineHeight: "1.5" },
  ".cm-gutters": { backgroundColor: "transparent", color: "var(--ink-3)", border: "none" },
  ".cm-cursor": { borderLeftColor: "var(--ink)" },
  "&.cm-focused > .cm-scroller > .cm-selectionLayer .cm-selectionBackground, .cm-selectionBackground": {
    backgroundColor: "var(--accent-soft)",
  },
  ".cm-matchingBracket, &.cm-focused .cm-matchingBracket": { backgroundColor: "var(--hover)" },
  ".cm-parameter": {
    backgroundColor: "var(--warning-soft)",
    color: "var(--warning)",
    borderRadius: "3px",
  },
  ".cm-parameter *, .cm-result *": { color: "inherit" },
  ".cm-result": { backgroundColor: "var(--accent-soft)", color: "var(--accent)", borderRadius: "3px" },
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

/**
 * The lines are measured once the font is there: until then another one stands in, whose lines are higher, and the
 * numbers beside them would stay where those were. A theme that is added, even an empty one, has them measured anew.
 */
const measuredInItsFont = ViewPlugin.define((view) => {
  let isThere = true;
  const measure = () => {
    if (isThere) view.dispatch({ effects: StateEffect.appendConfig.of(EditorView.theme({})) });
  };
  // Where it cannot be loaded, what stands in has been measured already.
  document.fonts.load('13px "JetBrains Mono Variable"').then(
    () => requestAnimationFrame(measure),
    () => {},
  );
  return {
    destroy() {
      isThere = false;
    },
  };
});

export function sqlLook(): Extension {
  return [EditorView.cspNonce.of(styleNonce()), look, measuredInItsFont, syntaxHighlighting(colours)];
}

/** What an engine speaks; what joins earlier results reads PostgreSQL's. */
export function dialectOf(engine: Kind | null): SQLDialect {
  return engine === "MySql" ? MySQL : engine === "SqlServer" ? MSSQL : PostgreSQL;
}

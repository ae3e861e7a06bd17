import { MSSQL, MySQL, PostgreSQL, SQLDialect, StandardSQL } from "@codemirror/lang-sql";
import { HighlightStyle, syntaxHighlighting } from "@codemirror/language";
import { type Extension, StateEffect } from "@codemirror/state";
import { EditorView, ViewPlugin } from "@codemirror/view";
import { tags } from "@lezer/highlight";
import { styleNonce } from "@/components/ui/style-nonce.ts";
import type { DialectName } from "@/server/data-sources/dialects/dialect.ts";
import { dialectOf } from "@/server/data-sources/dialects/dialects.ts";
import type { Kind } from "@/server/data-sources/kinds.ts";

/** The look of SQL in editors and comparisons, in the console's theme colors. */

const look = EditorView.theme({
  "&": { fontSize: "13px", backgroundColor: "transparent", color: "var(--ink)" },
  "&.cm-focused": { outline: "none" },
  ".cm-content": {
    fontFamily: "var(--font-mono)",
    // "!=" and ">=" stay two characters.
    fontVariantLigatures: "none",
    padding: "8px 0",
    minHeight: "var(--sql-min, 8.5rem)",
    caretColor: "var(--ink)",
  },
  // A browser that replaces text may write the look of what was there onto the line, and it would stay in another theme.
  ".cm-line": { color: "inherit !important", fontWeight: "inherit !important" },
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
  ".cm-tooltip.cm-tooltip-autocomplete > ul > completion-section": {
    color: "var(--ink-3)",
    borderBottom: "1px solid var(--line)",
    fontFamily: "var(--font-sans)",
    fontSize: "11px",
    opacity: "1",
  },
  ".cm-tooltip.cm-completionInfo": { padding: "4px 8px", fontFamily: "var(--font-sans)" },
  ".cm-completionDetail": { color: "var(--ink-3)", fontStyle: "normal" },
});

const colors = HighlightStyle.define([
  { tag: tags.keyword, color: "var(--accent)", fontWeight: "500" },
  { tag: [tags.comment, tags.lineComment, tags.blockComment], color: "var(--ink-3)", fontStyle: "italic" },
  { tag: [tags.string, tags.number, tags.bool, tags.null], color: "var(--stalled)" },
]);

/**
 * Measures the lines again once the font has loaded: the fallback font has taller lines, and the line numbers would
 * stay misaligned. Adding any theme, even an empty one, triggers a new measurement.
 */
const measuredInItsFont = ViewPlugin.define((view) => {
  let isThere = true;
  const measure = () => {
    if (isThere) view.dispatch({ effects: StateEffect.appendConfig.of(EditorView.theme({})) });
  };
  // If the font fails to load, the fallback has already been measured.
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
  return [EditorView.cspNonce.of(styleNonce()), look, measuredInItsFont, syntaxHighlighting(colors)];
}

const editorDialects: Record<DialectName, SQLDialect> = {
  postgresql: PostgreSQL,
  mysql: MySQL,
  sqlserver: MSSQL,
  clickhouse: SQLDialect.define({
    ...StandardSQL.spec,
    keywords: `${StandardSQL.spec.keywords} anti array asof final format global ilike limit offset prewhere sample semi settings totals`,
    types: `${StandardSQL.spec.types} string fixedstring uint8 uint16 uint32 uint64 int8 int16 int32 int64 float32 float64 datetime datetime64 date32 uuid nullable lowcardinality map tuple enum8 enum16`,
    backslashEscapes: true,
    identifierQuotes: '`"',
    hashComments: true,
  }),
  trino: SQLDialect.define({
    ...StandardSQL.spec,
    keywords: `${StandardSQL.spec.keywords} array bernoulli cross cube describe explain filter first groups if ignore last lateral limit match_recognize nulls offset ordinality over partition pattern qualify respect rollup sets show system tablesample try_cast unnest window`,
    types: `${StandardSQL.spec.types} bigint ipaddress json map real row tinyint uuid varbinary`,
    identifierQuotes: '"',
  }),
  snowflake: SQLDialect.define({
    ...StandardSQL.spec,
    keywords: `${StandardSQL.spec.keywords} asof exclude flatten ilike lateral limit minus offset pivot qualify rename rlike sample seed tablesample unpivot`,
    types: `${StandardSQL.spec.types} array binary geography geometry number object string text timestamp_ltz timestamp_ntz timestamp_tz variant vector`,
    backslashEscapes: true,
    doubleDollarQuotedStrings: true,
    slashComments: true,
    identifierQuotes: '"',
  }),
  bigquery: SQLDialect.define({
    ...StandardSQL.spec,
    keywords: `${StandardSQL.spec.keywords} array assert_rows_modified except exclude for_system_time ignore limit lookup nulls offset pivot qualify respect safe_cast struct tablesample unnest unpivot window`,
    types: `${StandardSQL.spec.types} bignumeric bool bytes datetime float64 geography int64 json range string struct`,
    backslashEscapes: true,
    doubleQuotedStrings: true,
    identifierQuotes: "`",
    hashComments: true,
  }),
  // PostgreSQL's, with what DuckDB adds.
  duckdb: SQLDialect.define({
    ...PostgreSQL.spec,
    keywords: `${PostgreSQL.spec.keywords} anti asof exclude glob pivot positional qualify sample semi summarize unpivot`,
    types: `${PostgreSQL.spec.types} blob hugeint struct tinyint ubigint uinteger usmallint utinyint`,
  }),
};

/** The SQL dialect of an engine; steps that join earlier results use PostgreSQL's. */
export function editorDialectOf(engine: Kind | null): SQLDialect {
  return editorDialects[(engine && dialectOf(engine)?.name) ?? "postgresql"];
}

import { filledRows, type ObservedColumn } from "../../profile/observed-column.ts";
import type { ObservedTable } from "../../profile/observed-table.ts";
import type { Candidate, Detector } from "../candidate.ts";
import { quoted, rowsOf } from "../doubted.ts";
import { meantBy, type Trouble, troubles } from "../garbled.ts";
import { mostDoubted, rowsOfValues, valuesAgainst, withoutTheirCharacters } from "../rare-values.ts";
import { saidInGeneral } from "../said-in-general.ts";

/** Texts that went through a wrong encoding, or that carry what was meant for a browser or a program. */
export const encodings: Detector = (table) =>
  table.columns.filter(({ kind }) => kind === "text").flatMap((column) => inColumn(table, column));

function inColumn(table: ObservedTable, column: ObservedColumn): Candidate[] {
  const byTrouble = new Map<Trouble, number[]>();
  for (const [index, value] of column.values.entries()) {
    // Most texts are plain, and need one look.
    if (!suspicious.test(value)) continue;
    const trouble = troubles.find(({ has }) => has(value));
    if (!trouble) continue;
    const found = byTrouble.get(trouble);
    if (found) found.push(index);
    else byTrouble.set(trouble, [index]);
  }
  const all = filledRows(column);
  return [...byTrouble]
    .filter(([trouble, indexes]) => {
      const share = rowsOfValues(column, indexes) / all;
      return share <= trouble.most && !isHabit(trouble, share, all);
    })
    .map(([trouble, indexes]) => candidateOf(table, column, trouble, indexes))
    .filter(({ condition }) => condition?.is !== "oneOf" || condition.values.length <= mostDoubted);
}

const suspicious = /[^\u0020-\u007e]|[&<%\\?]|u00[c-f]/i;

/** In a few rows one exception is a large share: that HTML is there says nothing when there are hardly any other texts. */
const isHabit = (trouble: Trouble, share: number, all: number) => trouble.most < 0.1 && all < 20 && share > 0;

function candidateOf(
  table: ObservedTable,
  column: ObservedColumn,
  trouble: Trouble,
  indexes: readonly number[],
): Candidate {
  const { features, ...against } = valuesAgainst(table, column, indexes);
  const first = column.values[indexes[0] ?? -1] ?? "";
  const meant = trouble.name === "mojibake" ? meantBy(first) : null;
  const example = meant === null ? quoted(first) : `${quoted(first)} for ${quoted(meant)}`;
  const pattern = trouble.name === "control" ? "^[^[:cntrl:]]*$" : withoutTheirCharacters(column, indexes);
  const length = column.values.reduce((sum, value) => sum + value.length, 0) / column.values.length;
  const is = (...names: Trouble["name"][]) => Number(names.includes(trouble.name));
  return {
    kind: "Encoding",
    ...against,
    condition: saidInGeneral(table, column, indexes, trouble.mark),
    statement: `${rowsOf(against.rows.length, against.outOf)} of ${table.tableName} ${saysOf(trouble, against.rows.length)} in ${column.name}: ${example}.`,
    rule: pattern === null ? null : { type: "Pattern", configuration: { column: column.name, pattern } },
    features: {
      ...features,
      isCertain: is("mojibake", "replacement", "otherPage", "control"),
      isInvisible: is("invisible"),
      isMarkup: is("html", "escaped"),
      isLost: is("lost"),
      isSpace: is("space"),
      // Long texts are prose, and have more of everything.
      isLong: Math.min(1, length / 100),
    },
  };
}

/** `3 rows have …`, `1 row has …`. */
const saysOf = ({ says }: Trouble, rows: number) => (rows === 1 ? says.replace(/^have /, "has ") : says);

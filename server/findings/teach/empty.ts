import { type ObservedColumn, rowsWith } from "../../profile/observed-column.ts";
import type { ObservedTable } from "../../profile/observed-table.ts";
import { type Condition, rowsAgainst } from "../condition.ts";
import { placeholderOf } from "../placeholders.ts";
import { rowsOfValues } from "../rare-values.ts";
import type { Reason } from "./reason.ts";
import { valuesCondition } from "./values-condition.ts";

/** By the share of the column's rows: what is empty in most rows is meant to be. */
const priors = { few: 0.4, some: 0.25, most: 0.05, sureWord: 0.5, word: 0.3 };
const upTo = { few: 0.05, some: 0.5 };

/** Cells with nothing in them, and cells with a word that stands for nothing. Pure. */
export const emptyReasons = (table: ObservedTable): Reason[] =>
  table.columns.flatMap((column) => [...emptyOf(table, column), ...wordsFor(table, column)]);

function emptyOf(table: ObservedTable, column: ObservedColumn): Reason[] {
  const { name, kind } = column;
  const isNull: Condition = { is: "null", column: name };
  const condition: Condition =
    kind === "text" ? { is: "any", of: [isNull, { is: "blank", column: name }] } : isNull;
  const rows = rowsAgainst(condition, table);
  const share = rows.length / table.rowCount;
  if (rows.length === 0 || rows.length === table.rowCount) return [];
  return [
    {
      key: `Empty ${name}`,
      kind: "MissingValue",
      column: name,
      families: [],
      because: "is empty",
      rows,
      prior: share <= upTo.few ? priors.few : share <= upTo.some ? priors.some : priors.most,
      condition,
    },
  ];
}

function wordsFor(table: ObservedTable, column: ObservedColumn): Reason[] {
  const { name, kind, values } = column;
  const placeholders = [...values.keys()].filter((index) => placeholderOf(values[index] ?? "") !== null);
  if (kind !== "text") return [];
  const isSure = (index: number) => placeholderOf(values[index] ?? "") === "sure";
  return [...Map.groupBy(placeholders, isSure)].map(([sure, indexes]) => ({
    key: `${sure ? "Sure" : "Possible"} placeholder ${name}`,
    kind: "DisguisedMissing",
    column: name,
    families: [`${sure ? "Sure" : "Possible"} placeholder`],
    because: sure ? "has a word that stands for no value" : "may stand for no value",
    rows: rowsWith(column, indexes),
    prior:
      rowsOfValues(column, indexes) > table.rowCount * upTo.some
        ? priors.most
        : sure
          ? priors.sureWord
          : priors.word,
    condition: valuesCondition(column, indexes),
  }));
}

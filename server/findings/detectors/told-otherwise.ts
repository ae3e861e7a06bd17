import type { ObservedColumn } from "../../profile/observed-column.ts";
import type { ObservedTable } from "../../profile/observed-table.ts";
import { plural } from "../../text.ts";
import type { Candidate, Detector } from "../candidate.ts";
import type { Condition } from "../condition.ts";
import { rowsByValue } from "../dependencies.ts";
import { have, quoted, rowsOf } from "../doubted.ts";
import { agreementOf, type Tellers, tellersIn } from "../several-tellers.ts";
import { tellerWeights, votesFor } from "../teller-weights.ts";

/** Columns that tellers agree about in fewer pairs of rows, or hardly more often than any two rows, are their own. */
const least = { within: 0.25, lift: 5, values: 10, votes: 2 };
/** The value that most tell is taken for right where it has so many more votes than the next one. */
const majority = 1.5;

/** Several sources tell of the same things, and some tell otherwise than most, or nothing. */
export const toldOtherwise: Detector = (table) => {
  const tellers = tellersIn(table);
  if (!tellers) return [];
  return table.columns.flatMap((column) => {
    if (column === tellers.teller || column === tellers.thing || column.values.length < least.values)
      return [];
    const { within, overall } = agreementOf(tellers.thing, column);
    if (within < least.within || within < overall * least.lift) return [];
    return candidateOf(table, tellers, column, within) ?? [];
  });
};

/** What most tell of one thing, and the values that others tell, NULL (-1) and blank texts among them. */
type Vote = { thing: number; usual: number; others: readonly number[]; rows: readonly number[] };

function votesOn({ teller, thing }: Tellers, column: ObservedColumn): Vote[] {
  const isTold = (value: number) => value >= 0 && column.values[value]?.trim() !== "";
  const things = rowsByValue(thing);
  const told = things.map((rows) =>
    [...rows]
      .map((row) => ({ teller: teller.rows[row] ?? -1, value: column.rows[row] ?? -1 }))
      .filter(({ value }) => isTold(value)),
  );
  const weights = tellerWeights(teller, told);
  return things.flatMap((rows, index) => {
    const ranked = [...votesFor(told[index] ?? [], weights)].sort((a, b) => b[1] - a[1]);
    const [[usual, votes] = [-1, 0], [, next] = [-1, 0]] = ranked;
    const voters = (told[index] ?? []).filter(({ value }) => value === usual).length;
    if (voters < least.votes || votes < next * majority) return [];
    const others = [...new Set([...rows].map((row) => column.rows[row] ?? -1))].filter(
      (value) => value !== usual,
    );
    if (others.length === 0) return [];
    return [
      { thing: index, usual, others, rows: rows.filter((row) => others.includes(column.rows[row] ?? -1)) },
    ];
  });
}

function candidateOf(
  table: ObservedTable,
  { teller, thing }: Tellers,
  column: ObservedColumn,
  within: number,
): Candidate | null {
  const votes = votesOn({ teller, thing }, column);
  const rows = Int32Array.from(votes.flatMap((vote) => vote.rows)).sort();
  const [first] = votes;
  if (!first) return null;
  const text = (of: ObservedColumn, value: number) =>
    value < 0 ? "nothing" : quoted(of.values[value] ?? "");
  return {
    kind: "Inconsistent",
    table,
    columns: [column.name],
    rows,
    condition: { is: "any", of: votes.map((vote) => conditionOf(thing, column, vote)) },
    outOf: table.rowCount,
    statement: `${rowsOf(rows.length, table.rowCount)} of ${table.tableName} ${have(rows.length)} another ${column.name} than most ${teller.name} tell of the same ${thing.name}: of ${text(thing, first.thing)}, ${text(column, first.others[0] ?? -1)} instead of ${text(column, first.usual)}${votes.length > 1 ? `, and so on for ${plural(votes.length - 1, "more", "more")}` : ""}.`,
    rule: null,
    features: { isToldBySeveral: 1, within, tellers: Math.min(1, teller.values.length / 20) },
    evidence: {},
  };
}

function conditionOf(
  thing: ObservedColumn,
  column: ObservedColumn,
  { thing: value, others }: Vote,
): Condition {
  const texts = others.filter((other) => other >= 0).map((other) => column.values[other] ?? "");
  const told: Condition[] = [
    ...(texts.length > 0 ? [{ is: "oneOf" as const, column: column.name, values: texts }] : []),
    ...(others.includes(-1) ? [{ is: "null" as const, column: column.name }] : []),
  ];
  return {
    is: "all",
    of: [
      { is: "oneOf", column: thing.name, values: [thing.values[value] ?? ""] },
      { is: "any", of: told },
    ],
  };
}

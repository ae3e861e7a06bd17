import { plural, shortened } from "../text.ts";
import { problemNoun } from "./problem-noun.ts";
import type { ProblemKind, TableReference } from "./schema.ts";
import { isBlind } from "./severity.ts";

/** What an incident and its problems are called. Pure. */

const because = (what: string, why: string | null) => (why ? `${what}: ${why}` : what);

export const failedWords = (status: "Failed" | "Timeout", error: string | null): string =>
  because(status === "Timeout" ? "Timed out" : "Could not run", error);

export const stalledWords = (reason: string): string => because("Stalled", reason);

export const belowThresholdWords = (score: number, threshold: number): string =>
  `Score ${score}, below ${threshold}`;

export const notEvaluatedWords = (reason: string): string => because("Could not be evaluated", reason);

type Named = {
  name: string;
  kind: ProblemKind;
  reason: string;
  dataSourceIds: readonly number[];
  tables: readonly TableReference[];
  /** Of a problem of a watched table. */
  tableId?: number | null;
};

const maxTitle = 200;

/**
 * What happened, in one sentence: "Orders: score 62, below 80", "3 checks of public.orders found problems",
 * "4 tables of Warehouse have problems", "3 checks of public.orders and 2 tables made from it found problems", "8 checks of
 * Warehouse could not run". `origin` is the table that all others are made from, if there is one.
 */
export function titleOf(
  problems: readonly Named[],
  sourceNames: ReadonlyMap<number, string>,
  origin: TableReference | null = null,
): string {
  const [first] = problems;
  if (!first) return "Nothing is wrong";
  if (problems.length === 1)
    return shortened(
      `${first.name}: ${first.reason.charAt(0).toLowerCase()}${first.reason.slice(1)}`,
      maxTitle,
    );
  const blind = problems.filter(({ kind }) => isBlind(kind)).length;
  const did =
    blind === problems.length ? "could not run" : blind === 0 ? "found problems" : "failed or could not run";
  const noun = problemNoun(problems.map(({ tableId }) => tableId != null));
  const subject = plural(problems.length, noun);
  if (noun === "table") {
    const source = sourceOf(problems, sourceNames);
    const which = fromOrigin(problems, origin) ?? `${subject}${source ? ` of ${source}` : ""}`;
    return shortened(`${which} have problems`, maxTitle);
  }
  const place = `${subject}${placeOf(problems, sourceNames, origin)}`;
  return shortened(noun === "problem" ? place : `${place} ${did}`, maxTitle);
}

/** The table that all read, or how many tables, or the data source; nothing if they have none in common. */
function placeOf(
  problems: readonly Named[],
  sourceNames: ReadonlyMap<number, string>,
  origin: TableReference | null,
): string {
  const isRead = (by: Named, table: TableReference) =>
    by.tables.some((each) => each.dataSourceId === table.dataSourceId && nameOf(each) === nameOf(table));
  const common = problems[0]?.tables.find((table) => problems.every((each) => isRead(each, table)));
  if (common) return ` of ${nameOf(common)}`;
  const made = fromOrigin(problems, origin);
  if (made) return ` of ${made}`;
  const source = sourceOf(problems, sourceNames);
  if (source === null) return "";
  const tables = new Set(problems.flatMap((each) => each.tables.map(nameOf)));
  return tables.size > 1 ? ` of ${plural(tables.size, "table")} in ${source}` : ` of ${source}`;
}

const nameOf = (table: TableReference) => `${table.schemaName}.${table.tableName}`;

/** "public.orders and 2 tables made from it"; null if no table is where all others come from. */
function fromOrigin(problems: readonly Named[], origin: TableReference | null): string | null {
  const all = new Set(
    problems.flatMap((each) => each.tables.map((table) => `${table.dataSourceId} ${nameOf(table)}`)),
  );
  return origin && all.size > 1
    ? `${nameOf(origin)} and ${plural(all.size - 1, "table")} made from it`
    : null;
}

/** The data source that all read; null if they have none in common. */
function sourceOf(problems: readonly Named[], sourceNames: ReadonlyMap<number, string>): string | null {
  const source = problems[0]?.dataSourceIds.find((id) =>
    problems.every(({ dataSourceIds }) => dataSourceIds.includes(id)),
  );
  return (source !== undefined && sourceNames.get(source)) || null;
}

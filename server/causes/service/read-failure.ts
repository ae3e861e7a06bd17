import type { SignedIn } from "../../auth/principal.ts";
import { isSourceError } from "../../data-sources/engines/engine.ts";
import { namedIn } from "../../data-sources/named-in.ts";
import { useDatabase } from "../../data-sources/service/connected-sources.ts";
import { getSchema } from "../../data-sources/service/read-schema.ts";
import { asProblem } from "../../data-sources/source-problem.ts";
import { problemIn } from "../../errors.ts";
import type { Condition } from "../../findings/condition.ts";
import { valueAt } from "../../profile/observed-column.ts";
import { type ObservedTable, observe } from "../../profile/observed-table.ts";
import { findTable } from "../../profile/service/find-table.ts";
import { readTable } from "../../profile/service/read-table.ts";
import { getRunnableQuery, type QueryResult, runSteps } from "../../queries/service/run.ts";
import { getSubscription } from "../../subscriptions/service/subscriptions.ts";
import { figure } from "../../text.ts";
import { findSegments } from "../find-segments.ts";
import { segmentInWords } from "../in-words.ts";
import type { ComparedRows } from "../schema.ts";
import type { Part, SegmentCounts } from "../segment.ts";
import { shiftInWords, shiftsOf } from "../shifted-rows.ts";
import { countSince, type Since } from "../since.ts";
import { rowsOfFinding } from "./explain-finding.ts";
import { mayShow, readExplained, whyNothing } from "./explain-rows.ts";
import { rowsOfRule } from "./explain-rule.ts";
import type { Failure } from "./find-subject.ts";
import { type RowsAsked, rowsWith } from "./rows-asked.ts";
import { type AlreadyUpstream, alreadyUpstream } from "./upstream-rows.ts";

/** What the rows of one failure say. */
export type ReadRows = {
  rows: ComparedRows;
  segments: { parts: Part[]; statement: string; counts: SegmentCounts }[];
  since: Since[] | null;
  upstream: AlreadyUpstream[];
  /** Why there is no segment; null if there is one. */
  note: string | null;
};

const limits = { resultRows: 20_000, resultBytes: 32 * 1024 * 1024, readMs: 30_000, countMs: 30_000 };
const hour = 3_600_000;

export const nameOfFailure = (failure: Failure): string =>
  failure.is === "Alert" ? failure.alert.sentence : failure.name;

/**
 * The rows of a failure: those that fail and what they have in common, or those that are missing or too many. Throws what a
 * data source that does not respond throws, and rejected for what is not about rows.
 */
export async function readFailure(
  ctx: SignedIn,
  failure: Failure,
  moments: readonly Date[],
): Promise<ReadRows> {
  switch (failure.is) {
    case "Rule":
      return failingRows(
        ctx,
        await rowsOfRule(ctx, { id: failure.contractId, ruleId: failure.ruleId }),
        moments,
      );
    case "Finding":
      return failingRows(ctx, await rowsOfFinding(ctx, failure.id), moments);
    case "Result":
      return resultRows(ctx, failure.subscriptionId, moments);
    case "Alert":
      return alertRows(ctx, failure, moments);
  }
}

async function failingRows(ctx: SignedIn, asked: RowsAsked, moments: readonly Date[]): Promise<ReadRows> {
  const { segments, since, failingRows: failing, totalRows } = await readExplained(ctx, asked, moments);
  return {
    rows: "Failing",
    segments: segments.map((each) => ({ ...each, statement: segmentInWords(each, each.counts) })),
    since,
    upstream: await alreadyUpstream(ctx, asked, failing),
    note: segments.length > 0 ? null : whyNothing(failing, totalRows),
  };
}

const noRows = (note: string): ReadRows => ({
  ...{ rows: "Failing", segments: [], since: null, upstream: [], note },
});

async function alertRows(
  ctx: SignedIn,
  { alert, table: watched }: Extract<Failure, { is: "Alert" }>,
  moments: readonly Date[],
): Promise<ReadRows> {
  const { dataSourceId, arrivalColumn } = watched;
  const { kind, measure, columnName, openedAt, lastSeenAt } = alert;
  if (kind === "Schema" || kind === "Gone") return noRows("What changed is the table itself, not its rows");
  const table = await findTable(ctx, dataSourceId, watched);
  const asked = { dataSourceId, table, mode: "Masked" as const };
  const failing: Condition["is"] | null =
    measure === "NullShare" ? "null" : measure === "BlankShare" ? "blank" : null;
  if (failing && columnName !== null)
    return failingRows(
      ctx,
      { ...asked, about: [columnName], ...rowsWith(table, { is: failing, column: columnName }) },
      moments,
    );
  if (arrivalColumn === null) return noRows("No column says when its rows came, so they cannot be compared");
  // The day, or the hour, that was first unusual.
  const length = measure === "HourRows" ? hour : 24 * hour;
  const window = { from: new Date(openedAt.getTime() - length), until: lastSeenAt };
  if (window.until.getTime() - window.from.getTime() > 7 * 24 * hour)
    window.until = new Date(window.from.getTime() + 7 * 24 * hour);
  const read = await readWhole(asked);
  if (kind === "Volume" || kind === "Late") {
    const found = shiftsOf(read, arrivalColumn, window, mayShow("Masked"));
    if (found === null) return noRows("Too little is known of the time before");
    const { shifts, came, usual } = found;
    const words = (count: number) => figure(String(Math.round(count)));
    return {
      ...noRows(`${words(came)} rows came, and ${words(usual)} usually do, of all kinds alike`),
      rows: "Difference",
      segments: shifts.map((shift) => ({ ...shift, statement: shiftInWords(shift) })).slice(0, 3),
      ...(shifts.length > 0 && { note: null }),
    };
  }
  return newRows(read, arrivalColumn, window);
}

/** What the rows of a stretch of time have more often than others. */
function newRows(
  all: ObservedTable,
  arrivalColumn: string,
  { from, until }: { from: Date; until: Date },
): ReadRows {
  const arrival = all.columns.find(({ name }) => name === arrivalColumn);
  const rows = Array.from({ length: all.rowCount }, (_, row) => row).filter((row) => {
    const at = arrival?.moments?.[arrival.rows[row] ?? -1] ?? Number.NaN;
    return at >= from.getTime() && at < until.getTime();
  });
  const times = all.columns.filter(({ moments, isPrimaryKey }) => moments || isPrimaryKey);
  const failing = someOf(all, rows);
  const found = findSegments(
    { all, failing },
    { about: times.map(({ name }) => name), mayShow: mayShow("Masked") },
  );
  const inWords = (segment: { parts: readonly Part[]; counts: SegmentCounts }) =>
    segmentInWords(segment, segment.counts).replace("failing rows", "new rows");
  return {
    ...noRows("Nothing sets the new rows apart from the others"),
    rows: "New",
    segments: found
      .map(({ parts, counts }) => ({ parts: [...parts], counts, statement: inWords({ parts, counts }) }))
      .slice(0, 3),
    ...(found.length > 0 && { note: null }),
  };
}

/** Some rows of a table, with the same columns. */
const someOf = (table: ObservedTable, rows: readonly number[]): ObservedTable =>
  observe(
    table,
    rows.map((row) => table.columns.map((column) => valueAt(column, row))),
  );

async function readWhole({
  dataSourceId,
  table,
}: Pick<RowsAsked, "dataSourceId" | "table">): Promise<ObservedTable> {
  try {
    return await useDatabase(
      dataSourceId,
      (dialect, source) => source.session((session) => readTable(session, dialect, table, limits)),
      "person",
    );
  } catch (error) {
    throw asProblem(error);
  }
}

/**
 * The rows that a subscription's query finds now, among the rows of the table that it reads: by the table's key if the
 * result has it, otherwise by the columns that both have.
 */
async function resultRows(
  ctx: SignedIn,
  subscriptionId: number,
  moments: readonly Date[],
): Promise<ReadRows> {
  const { queryId, parameters } = await getSubscription(ctx, subscriptionId);
  const query = await getRunnableQuery(queryId);
  const step = query?.steps.at(-1);
  if (!query || !step || step.dataSourceId === null || !step.sql || query.steps.length > 1)
    return noRows("Only the rows of queries with one step of SQL are compared with their table");
  const { resultRows: maxRows, resultBytes: maxBytes, readMs: timeoutMs } = limits;
  const result = await runSteps(query.steps, parameters, { timeoutMs, maxRows, maxBytes }).catch((error) => {
    throw problemIn(asProblem(error)) ?? error;
  });
  const table = await tableOfResult(ctx, { dataSourceId: step.dataSourceId, sql: step.sql }, result);
  if (!table)
    return noRows("The result has no columns of a table that it reads, such as that of an aggregate");
  const all = await readWhole({ dataSourceId: step.dataSourceId, table });
  const observed = amongRows(all, result);
  const [, condition = ""] = /\bwhere\b([\s\S]*)/i.exec(step.sql) ?? [];
  const isNamed = namedIn([condition]);
  const about = all.columns.map(({ name }) => name).filter(isNamed);
  const found = findSegments(observed, { about, mayShow: mayShow("Masked") });
  return {
    ...noRows(whyNothing(observed.failing.rowCount, observed.all.rowCount)),
    rows: "Found",
    segments: found
      .map(({ parts, counts }) => ({
        ...{ parts: [...parts], counts },
        statement: segmentInWords({ parts }, counts).replace("failing rows", "rows that it finds"),
      }))
      .slice(0, 5),
    since: countSince(observed, moments, { about }),
    ...(found.length > 0 && { note: null }),
  };
}

const sameName = (one: string, other: string) => one.toLowerCase() === other.toLowerCase();

/** The table that a query names and that has most of its result's columns, at least two of them. */
async function tableOfResult(
  ctx: SignedIn,
  { dataSourceId, sql }: { dataSourceId: number; sql: string },
  { columns }: QueryResult,
) {
  const isNamed = namedIn([sql]);
  const { items } = await getSchema(ctx, dataSourceId);
  const named = items.flatMap(({ schemaName, tables }) =>
    tables.filter(({ tableName }) => isNamed(tableName)).map((table) => ({ ...table, schemaName })),
  );
  const fit = named
    .map((table) => ({
      table,
      shared: columns.filter((each) => table.columns.some(({ name }) => sameName(name, each.name))).length,
    }))
    .filter(({ shared }) => shared >= Math.min(2, columns.length) && shared >= columns.length / 2)
    .sort((one, other) => other.shared - one.shared)[0];
  return fit?.table ?? null;
}

function amongRows(all: ObservedTable, { columns, rows }: QueryResult) {
  const placeOf = (name: string) => columns.findIndex((each) => sameName(each.name, name));
  const [key, ...others] = all.columns.filter(({ isPrimaryKey }) => isPrimaryKey);
  const keyPlace = key && others.length === 0 ? placeOf(key.name) : -1;
  if (key && keyPlace >= 0 && all.isWhole) {
    const found = new Set(rows.map((row) => String(row[keyPlace])));
    const places = Array.from({ length: all.rowCount }, (_, row) => row).filter((row) =>
      found.has(valueAt(key, row) ?? ""),
    );
    return { all, failing: someOf(all, places) };
  }
  const shared = all.columns.filter(({ name }) => placeOf(name) >= 0);
  const failing = observe(
    { ...all, columns: shared },
    rows.map((row) => shared.map(({ name }) => row[placeOf(name)] ?? null)),
  );
  // A value that a result writes in another way than the table is no value that only failing rows have.
  const kept = failing.columns.flatMap((column, place) => {
    const known = new Set(shared[place]?.values);
    const same = column.values.reduce(
      (sum, value, at) => sum + (known.has(value) ? (column.counts[at] ?? 0) : 0),
      0,
    );
    return column.moments || same >= 0.9 * (failing.rowCount - column.nulls) ? [place] : [];
  });
  const only = <T>(list: readonly T[]) => kept.flatMap((place) => list[place] ?? []);
  return {
    all: { ...all, columns: only(shared) },
    failing: { ...failing, columns: only(failing.columns) },
  };
}

/** What could not be read of a failure, in words; throws what is no failure of a data source or a rule. */
export function whyUnread(error: unknown): string {
  const problem = problemIn(isSourceError(error) ? asProblem(error) : error);
  if (!problem) throw error;
  return problem.detail;
}

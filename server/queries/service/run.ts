import { performance } from "node:perf_hooks";
import { and, eq, isNull } from "drizzle-orm";
import { kindLabels } from "../../data-sources/dialects/dialects.ts";
import {
  isSourceError,
  type Limits,
  type ResultSet,
  SourceError,
} from "../../data-sources/engines/engine.ts";
import { useSource } from "../../data-sources/service/connected-sources.ts";
import type { Priority } from "../../data-sources/slots.ts";
import { type Connection, db, groupDb } from "../../db/client.ts";
import { gathered, isOneOf } from "../../db/gathered.ts";
import { type FieldError, Problem } from "../../errors.ts";
import { inWrittenText } from "../error-place.ts";
import { bindParameters } from "../placeholders.ts";
import { bindRequest } from "../request-placeholders.ts";
import type { ParameterValue, Step } from "../schema.ts";
import { readScratch, type ScratchTable } from "../scratch.ts";
import { parametersOf } from "../step-parameters.ts";
import { resultsReadBy } from "../step-results.ts";
import { scratchDialect } from "../step-rules.ts";
import { queries, queryVersions } from "../tables.ts";
import { loadSteps } from "./queries.ts";

export type RunnableQuery = {
  id: number;
  name: string;
  projectId: number;
  /** The version that runs. */
  versionNumber: number;
  steps: Step[];
};

/** The rows of a query's last step, and the duration of all steps. */
export type QueryResult = ResultSet & { executionTimeMs: number };

export type Parameters = Readonly<Record<string, ParameterValue>>;

/** The limit on results that later steps read. */
const intermediate = { maxRows: 100_000, maxBytes: 32 * 1024 * 1024 };

/** What to run for a query, whoever the caller is; null if it is archived or does not exist. */
export async function getRunnableQuery(queryId: number): Promise<RunnableQuery | null> {
  return (await findRunnableQueries(db, [queryId])).get(queryId) ?? null;
}

/** The same for a job's query. */
export const getRunnableQueryOfJob = gathered(async (queryIds: readonly number[]) => {
  const found = await findRunnableQueries(groupDb, queryIds);
  return queryIds.map((id) => found.get(id) ?? null);
});

async function findRunnableQueries(
  connection: Connection,
  queryIds: readonly number[],
): Promise<Map<number, RunnableQuery>> {
  const found = await connection
    .select({
      id: queries.id,
      name: queries.name,
      projectId: queries.projectId,
      versionId: queryVersions.id,
      versionNumber: queryVersions.number,
    })
    .from(queries)
    .innerJoin(queryVersions, and(eq(queryVersions.queryId, queries.id), eq(queryVersions.status, "Active")))
    .where(and(isOneOf(queries.id, queryIds), isNull(queries.archivedAt)));
  const steps = await loadSteps(
    connection,
    found.map(({ versionId }) => versionId),
  );
  return new Map(
    found.map(({ versionId, ...query }) => [query.id, { ...query, steps: steps.get(versionId) ?? [] }]),
  );
}

/**
 * Runs steps in order, each on its data source with the parameters that it names, and returns the rows of the last one.
 * `limits` apply to the last step, except that the time limit covers all steps; waiting for a database connection does
 * not count. A result that a later step reads must be complete: a larger one fails the run. After `signal` is aborted,
 * no further step begins, and its reason is thrown.
 *
 * Throws invalid for parameters that do not match the steps; SourceError for a failure of a data source, prefixed with
 * the step if there are several; rejected for a result that is too large; and not_found.
 */
export async function runSteps(
  steps: readonly Step[],
  parameters: Parameters,
  limits: Limits,
  { priority = "person", signal }: { priority?: Priority; signal?: AbortSignal } = {},
): Promise<QueryResult> {
  rejectParameterMismatch(steps, parameters);
  const lastReaderOf = lastReaders(steps);
  const results = new Map<number, ResultSet>();
  let spentMs = 0;
  for (const step of steps) {
    signal?.throwIfAborted();
    const isLast = step === steps.at(-1);
    const timeoutMs = limits.timeoutMs - spentMs;
    const { result, tookMs } = await inStep(step, steps, limits.timeoutMs, () => {
      if (timeoutMs <= 0) throw new SourceError("timeout", "No time left");
      const own = isLast ? { ...limits, timeoutMs } : { ...intermediate, timeoutMs };
      return runStep(step, pick(parameters, parametersOf([step])), own, { priority, results });
    });
    spentMs += tookMs;
    if (isLast) return { ...result, executionTimeMs: Math.round(spentMs) };
    if (lastReaderOf.has(step.order)) {
      rejectIncomplete(step, result);
      results.set(step.order, result);
    }
    for (const [order, reader] of lastReaderOf) if (reader === step.order) results.delete(order);
  }
  throw new Error("A query has at least one step");
}

type Run = { priority: Priority; results: ReadonlyMap<number, ResultSet> };

async function runStep(
  { dataSourceId, sql, request }: Step,
  parameters: Parameters,
  limits: Limits,
  { priority, results }: Run,
): Promise<{ result: ResultSet; tookMs: number }> {
  if (dataSourceId === null) {
    const tables = [...results].map(([order, result]): ScratchTable => ({ name: `result${order}`, result }));
    return timed(() => readScratch(sql ?? "", parameters, tables, limits));
  }
  return useSource(
    dataSourceId,
    async ({ dialect, kind }, source) => {
      if (request) {
        if (!source.request)
          throw new SourceError("refused", `${kindLabels[kind]} data sources accept SQL, not requests`);
        const { request: send } = source;
        return timed(() => send(bindRequest(request, parameters), limits));
      }
      if (dialect === null)
        throw new SourceError("refused", `${kindLabels[kind]} data sources do not accept SQL`);
      const statement = bindParameters(sql ?? "", parameters, dialect);
      return inWrittenText(sql ?? "", { statement, dialect }, () =>
        source.session((session) => timed(() => session.read(statement, limits))),
      );
    },
    priority,
  );
}

async function timed(read: () => Promise<ResultSet>): Promise<{ result: ResultSet; tookMs: number }> {
  const startedAt = performance.now();
  const result = await read();
  return { result, tookMs: performance.now() - startedAt };
}

/** Prefixes an error with the step that failed, if there are several, and adds the total time limit to a timeout. */
async function inStep<T>(
  { order }: Step,
  steps: readonly Step[],
  timeoutMs: number,
  run: () => Promise<T>,
): Promise<T> {
  try {
    return await run();
  } catch (error) {
    if (!isSourceError(error) || steps.length === 1) throw error;
    const message =
      error.kind === "timeout"
        ? `the query took longer than ${timeoutMs / 1000} s and was cancelled here`
        : error.message;
    const { kind, writtenPlace } = error;
    throw new SourceError(kind, `Step ${order}: ${message}`, {
      writtenPlace: writtenPlace && { ...writtenPlace, step: order },
    });
  }
}

function rejectIncomplete({ order }: Step, { truncated }: ResultSet): void {
  if (truncated)
    throw new Problem(
      "rejected",
      `Step ${order}: the result is larger than 100,000 rows or 32 MB, so a later step cannot read all of it`,
    );
}

/** Maps each step whose result is read to the last step that reads it. */
function lastReaders(steps: readonly Step[]): Map<number, number> {
  const readers = steps.flatMap(({ order, dataSourceId, sql }) =>
    dataSourceId === null
      ? resultsReadBy(sql ?? "", scratchDialect).map((read) => [read, order] as const)
      : [],
  );
  return new Map(readers);
}

/** Throws invalid for each missing value and for each unknown one. */
function rejectParameterMismatch(steps: readonly Step[], parameters: Parameters): void {
  const names = parametersOf(steps);
  const errors: FieldError[] = [
    ...names
      .filter((name) => !Object.hasOwn(parameters, name))
      .map((name) => ({ path: `parameters.${name}`, message: "is required by the query" })),
    ...Object.keys(parameters)
      .filter((name) => !names.includes(name))
      .map((name) => ({ path: `parameters.${name}`, message: "is not in the query" })),
  ];
  const [first] = errors;
  if (first) throw new Problem("invalid", `${first.path} ${first.message}`, { errors });
}

const pick = (parameters: Parameters, names: readonly string[]): Parameters =>
  Object.fromEntries(names.map((name) => [name, parameters[name] ?? null]));

import { performance } from "node:perf_hooks";
import type { SignedIn } from "../../auth/principal.ts";
import {
  isSourceError,
  type Limits,
  type ResultSet,
  type Session,
  type SourceErrorKind,
  type Statement,
} from "../../data-sources/engines/engine.ts";
import { useSource } from "../../data-sources/service/connected-sources.ts";
import { getDataSource } from "../../data-sources/service/load-data-sources.ts";
import { asProblem } from "../../data-sources/source-problem.ts";
import { trimSample } from "../../data-sources/trim-sample.ts";
import { problemIn, problems } from "../../errors.ts";
import { passGates } from "../../queries/dry-run.ts";
import { previewQueryInput } from "../../queries/schema.ts";
import { sqlFingerprint } from "../../queries/sql-fingerprint.ts";
import { plural, shortened } from "../../text.ts";
import type { Evidence } from "../schema.ts";

type Issue = Evidence["issues"][number];

/** A preview of the result, not all of it. */
const evidenceLimits: Limits = { timeoutMs: 10_000, maxRows: 5, maxBytes: 64 * 1024 };
const shownLimits = { columns: 20, characters: 200, message: 500 };

/**
 * What a reviewer needs to know about an SQL text that a model proposes: whether it passes all gates that a person's
 * SQL must pass, the engine's cost estimate, and the first rows, masked. Problems with the text are part of the result,
 * which can be stored as JSON. People waiting for the same data source go first. Throws not_found for a data source
 * that the caller cannot access, rejected for one that does not run SQL, and source_unreachable. If the context has an
 * audit log, what is sent to the data source is recorded there before it is sent.
 */
export async function gatherEvidence(
  ctx: SignedIn,
  dataSourceId: number,
  sql: string,
  limits: Limits = evidenceLimits,
): Promise<Evidence> {
  await getDataSource(ctx, dataSourceId);
  const end = await ctx.beginRun?.({
    action: "queries.preview",
    objectKind: "dataSource",
    objectId: dataSourceId,
    detail: sqlFingerprint(sql),
  });
  const evidence = await judge(dataSourceId, sql, limits).catch(async (error) => {
    const problem = problemIn(asProblem(error));
    await end?.(problem ? problems[problem.code].title : "Ended in an error");
    throw problem ?? error;
  });
  await end?.(outcomeOf(evidence));
  return evidence;
}

function judge(dataSourceId: number, sql: string, limits: Limits): Promise<Evidence> {
  return useSource(
    dataSourceId,
    async (engine, source) => {
      const { statement, issues } = gatesBefore(sql, engine, source);
      if (!statement) return { valid: false, issues };
      return source.session((session) => judgeByEngine(session, statement, limits));
    },
    "schedule",
  );
}

function gatesBefore(
  sql: string,
  engine: Parameters<typeof passGates>[1],
  source: Parameters<typeof passGates>[2],
): { statement: Statement | null; issues: Issue[] } {
  const { error } = previewQueryInput.shape.sql.safeParse(sql);
  if (error)
    return {
      statement: null,
      issues: error.issues.map(({ message }) => ({ gate: "limits", error: `sql: ${message}` })),
    };
  const { statement, issues } = passGates({ sql, parameters: {} }, engine, source);
  return {
    statement,
    issues: issues.map(({ gate, error }) => ({
      gate,
      error: gate === "parameters" ? `${error}, but proposed SQL cannot have parameters` : error,
    })),
  };
}

async function judgeByEngine(session: Session, statement: Statement, limits: Limits): Promise<Evidence> {
  const plan = await orIssue("engine", statement, async () => {
    const { scans: _, ...estimates } =
      (await session.check?.(statement, { timeoutMs: limits.timeoutMs, estimates: true })) ?? {};
    return estimates;
  });
  if ("issue" in plan) return { valid: false, issues: [plan.issue] };
  const run = await orIssue("run", statement, async () => {
    const startedAt = performance.now();
    const result = await session.read(statement, limits);
    return { ...sampled(result), executionTimeMs: Math.round(performance.now() - startedAt) };
  });
  if ("issue" in run) return { valid: false, issues: [run.issue], ...plan };
  return { valid: true, issues: [], ...run, ...plan };
}

/** Errors caused by the statement are issues; errors that say nothing about it are thrown. */
async function orIssue<T extends object>(
  gate: "engine" | "run",
  { sql }: Statement,
  work: () => Promise<T>,
): Promise<T | { issue: Issue }> {
  try {
    return await work();
  } catch (error) {
    if (!isSourceError(error) || error.kind === "unreachable") throw error;
    // Planning reads no data, so only a run's error can repeat any.
    const message = gate === "run" ? withoutData(error.message, sql) : error.message;
    return { issue: { gate: gateOf(error.kind, gate), error: shortened(message, shownLimits.message) } };
  }
}

const gateOf = (kind: SourceErrorKind, gate: Issue["gate"]) => (kind === "refused" ? "read-only" : gate);

/** Anything quoted in the message that is not in the SQL is a value from the data. */
function withoutData(message: string, sql: string): string {
  const names = sql.toLowerCase();
  return message.replace(/(["'])(.*?)\1/g, (quoted, mark: string, content: string) =>
    names.includes(content.toLowerCase()) ? quoted : `${mark}…${mark}`,
  );
}

/** The rows as they may be stored, and shown to people and models. */
function sampled({ columns, rows, truncated }: ResultSet) {
  const { maskedColumns, ...sample } = trimSample(
    {
      columns: columns.slice(0, shownLimits.columns),
      rows: rows.map((row) => row.slice(0, shownLimits.columns)),
    },
    { keyColumns: [], column: null, mode: "Masked" },
  );
  const short = (text: string) => shortened(text, shownLimits.characters);
  return {
    columns: sample.columns.map(({ name, type }) => ({ name: short(name), type: short(type) })),
    rows: sample.rows.map((row) => row.map((cell) => (typeof cell === "string" ? short(cell) : cell))),
    truncated,
    maskedColumns: maskedColumns.map(short),
    ...(columns.length > shownLimits.columns && {
      omittedColumns: columns.length - shownLimits.columns,
    }),
  };
}

/** For the audit log; an engine's own message may repeat values. */
function outcomeOf({ valid, issues, rows = [] }: Evidence): string {
  if (!valid) return `Refused by ${[...new Set(issues.map(({ gate }) => gate))].join(", ")}`;
  return plural(rows.length, "row");
}

import { performance } from "node:perf_hooks";
import type { SignedIn } from "../../auth/principal.ts";
import { trimSample } from "../../data-quality/trim-sample.ts";
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
import { problemIn, problems } from "../../errors.ts";
import { passGates } from "../../queries/dry-run.ts";
import { previewQueryInput } from "../../queries/schema.ts";
import { sqlFingerprint } from "../../queries/sql-fingerprint.ts";
import { plural, shortened } from "../../text.ts";
import type { Evidence } from "../schema.ts";

type Issue = Evidence["issues"][number];

/** A glance at what it answers, and not the answer. */
const evidenceLimits: Limits = { timeoutMs: 10_000, maxRows: 5, maxBytes: 64 * 1024 };
const shownLimits = { columns: 20, characters: 200, message: 500 };

/**
 * What a reviewer needs to see of an SQL text that a model proposes: whether it passes all that a person's does,
 * what the engine expects it to cost, and the first rows that it answers, masked. Whatever is wrong with the text is
 * in the answer, which can be stored as JSON. People who wait for the same data source go first. Throws not_found for
 * a data source out of sight, rejected for one that takes no SQL, and source_unreachable. What is asked of the data
 * source is in the audit log where the context keeps one, before it is asked.
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

/** What the statement is to blame for is an issue; that nothing can be said about it is not, and stays thrown. */
async function orIssue<T extends object>(
  gate: "engine" | "run",
  { sql }: Statement,
  work: () => Promise<T>,
): Promise<T | { issue: Issue }> {
  try {
    return await work();
  } catch (error) {
    if (!isSourceError(error) || error.kind === "unreachable") throw error;
    // Planning reads no data, so that only a run can repeat any.
    const message = gate === "run" ? withoutData(error.message, sql) : error.message;
    return { issue: { gate: gateOf(error.kind, gate), error: shortened(message, shownLimits.message) } };
  }
}

const gateOf = (kind: SourceErrorKind, gate: Issue["gate"]) => (kind === "refused" ? "read-only" : gate);

/** What a message quotes and the SQL does not say is a value out of the data. */
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

/** For the audit log; what an engine says may repeat values. */
function outcomeOf({ valid, issues, rows = [] }: Evidence): string {
  if (!valid) return `Refused by ${[...new Set(issues.map(({ gate }) => gate))].join(", ")}`;
  return plural(rows.length, "row");
}

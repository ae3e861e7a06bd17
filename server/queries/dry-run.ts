import { z } from "zod";
import type { SignedIn } from "../auth/principal.ts";
import type { Dialect } from "../data-sources/dialects/dialect.ts";
import { kindLabels } from "../data-sources/dialects/dialects.ts";
import { type Engine, isSourceError, SourceError, type Statement } from "../data-sources/engines/engine.ts";
import { type LentSource, useSource } from "../data-sources/service/connected-sources.ts";
import { asProblem } from "../data-sources/source-problem.ts";
import { identifier } from "../db/schema-parts.ts";
import { Problem, problemIn } from "../errors.ts";
import { hiddenWrite } from "./hidden-write.ts";
import { findNamedSource, sourceFields } from "./named-source.ts";
import { bindParameters } from "./placeholders.ts";
import { previewQueryInput } from "./schema.ts";

export const dryRunInput = z.strictObject({
  ...sourceFields,
  sql: previewQueryInput.shape.sql,
  parameters: previewQueryInput.shape.parameters,
});

const issueSchema = z.object({
  gate: z.enum(["parameters", "read-only", "engine"]),
  error: z.string(),
});
type Issue = z.output<typeof issueSchema>;

export const dryRunSchema = z
  .object({
    valid: z.boolean(),
    issues: z.array(issueSchema),
    dataSourceId: identifier,
    dataSourceName: z.string(),
    checkedByEngine: z.boolean().meta({
      description:
        "False if the server cannot check a statement without running it, or another issue came first",
    }),
  })
  .meta({ id: "DryRun" });
export type DryRun = z.output<typeof dryRunSchema>;

const timeoutMs = 30_000;

/**
 * Checks a SQL text without running it: binds its parameters, applies the read-only gate, and has the server plan it if
 * possible. Problems with the text are returned, not thrown. Throws not_found and invalid for the data source, rejected
 * for one that does not run SQL, and source_unreachable or source_timeout.
 */
export async function dryRun(ctx: SignedIn, input: z.output<typeof dryRunInput>): Promise<DryRun> {
  const { id, name } = await findNamedSource(ctx, input);
  const known = { dataSourceId: id, dataSourceName: name };
  return useSource(id, async (engine, source) => {
    const { statement, issues } = passGates(input, engine, source);
    if (!statement) return { valid: false, issues, checkedByEngine: false, ...known };
    const { checkedByEngine, found } = await checkByEngine(source, statement);
    return { valid: found.length === 0, issues: found, checkedByEngine, ...known };
  });
}

/** The audit log entry's details. */
export const dryRunOutcome = ({ valid, issues }: DryRun): string =>
  valid ? "Valid" : `Refused by ${[...new Set(issues.map(({ gate }) => gate))].join(", ")}`;

type Given = Pick<z.output<typeof dryRunInput>, "sql" | "parameters">;

/**
 * The checks before a data source is contacted: returns the statement with its parameters bound, or all problems.
 * Throws rejected for an engine that does not run SQL.
 */
export function passGates(
  { sql, parameters }: Given,
  { dialect, kind }: Pick<Engine, "dialect" | "kind">,
  source: Pick<LentSource, "gate">,
): { statement: Statement | null; issues: Issue[] } {
  if (dialect === null) throw new Problem("rejected", `${kindLabels[kind]} data sources do not accept SQL`);
  const { statement, issues } = bound({ sql, parameters }, dialect);
  const passGate = (text: string) => {
    source.gate?.(text);
    const refusal = hiddenWrite(text, dialect);
    if (refusal) throw new SourceError("refused", refusal);
  };
  issues.push(...refusals(() => passGate(statement?.sql ?? sql), "read-only"));
  return { statement: issues.length > 0 ? null : statement, issues };
}

function bound(
  { sql, parameters }: Given,
  dialect: Dialect,
): { statement: Statement | null; issues: Issue[] } {
  try {
    return { statement: bindParameters(sql, parameters, dialect), issues: [] };
  } catch (error) {
    const errors = problemIn(error)?.more.errors;
    if (!errors) throw error;
    const issues = errors.map(
      ({ path, message }): Issue => ({ gate: "parameters", error: `${path} ${message}` }),
    );
    return { statement: null, issues };
  }
}

function refusals(gate: () => void, name: Issue["gate"]): Issue[] {
  try {
    gate();
    return [];
  } catch (error) {
    if (!isSourceError(error)) throw error;
    return [{ gate: name, error: error.message }];
  }
}

async function checkByEngine(source: LentSource, statement: Statement) {
  try {
    const checkedByEngine = await source.session(async (session) => {
      await session.check?.(statement, { timeoutMs });
      return session.check !== undefined;
    });
    return { checkedByEngine, found: [] };
  } catch (error) {
    if (!isSourceError(error)) throw error;
    if (error.kind === "unreachable" || error.kind === "timeout") throw asProblem(error);
    const found: Issue[] = [
      { gate: error.kind === "refused" ? "read-only" : "engine", error: error.message },
    ];
    return { checkedByEngine: true, found };
  }
}

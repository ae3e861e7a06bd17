import type { z } from "zod";
import type { SignedIn } from "../auth/principal.ts";
import { kindLabels } from "../data-sources/dialects/dialects.ts";
import { useSource } from "../data-sources/service/connected-sources.ts";
import { getDataSource } from "../data-sources/service/load-data-sources.ts";
import { asProblem } from "../data-sources/source-problem.ts";
import { Problem, problemIn } from "../errors.ts";
import { hiddenWrite } from "./hidden-write.ts";
import { bindParameters } from "./placeholders.ts";
import { planLines } from "./plan-lines.ts";
import type { QueryPlan } from "./plan-schema.ts";
import { previewQueryInput } from "./schema.ts";

export const explainInput = previewQueryInput;

const timeoutMs = 30_000;

/**
 * How the database would run a SQL text, without running it. It passes the same gates as a preview. Throws not_found for
 * a data source that the caller cannot access, invalid for parameters that do not match the text, rejected for a kind
 * that gives no plan and if the gate or the engine rejects the text, source_unreachable, and source_timeout.
 */
export async function explainQuery(
  ctx: SignedIn,
  { dataSourceId, sql, parameters }: z.output<typeof explainInput>,
): Promise<QueryPlan> {
  await getDataSource(ctx, dataSourceId);
  return useSource(dataSourceId, async ({ dialect, kind }, source) => {
    if (dialect === null) throw new Problem("rejected", `${kindLabels[kind]} data sources do not accept SQL`);
    const statement = bindParameters(sql, parameters, dialect);
    // A run's transaction would refuse it; planning a write is no write, so nothing else would.
    const refusal = hiddenWrite(statement.sql, dialect);
    if (refusal) throw new Problem("rejected", refusal);
    try {
      const root = await source.session((session) => {
        if (!session.explain) throw new Problem("rejected", `${kindLabels[kind]} plans cannot be shown here`);
        return session.explain(statement, { timeoutMs });
      });
      return { lines: planLines(root) };
    } catch (error) {
      throw problemIn(asProblem(error)) ?? error;
    }
  });
}

/** The outcome in the audit log. */
export const explained = (): string => "Explained, not run";

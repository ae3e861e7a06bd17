import { z } from "zod";
import type { SignedIn } from "../auth/principal.ts";
import { kindLabels } from "../data-sources/dialects/dialects.ts";
import { useSource } from "../data-sources/service/connected-sources.ts";
import { getDataSource } from "../data-sources/service/load-data-sources.ts";
import { asProblem } from "../data-sources/source-problem.ts";
import { Problem, problemIn } from "../errors.ts";
import { hiddenWrite } from "./hidden-write.ts";
import { bindParameters } from "./placeholders.ts";
import { planLines } from "./plan-lines.ts";
import { previewQueryInput } from "./schema.ts";

export const explainInput = previewQueryInput;

const planLineSchema = z
  .object({
    depth: z.int().meta({ description: "0 for the top; a line reads from the deeper lines below it" }),
    operation: z.string().meta({ description: "As the database names it" }),
    detail: z.string().nullable().meta({ description: "A table, an index, or a condition" }),
    rows: z.number().nullable().meta({ description: "Estimated rows" }),
    cost: z.number().nullable().meta({ description: "Estimated, with everything below it" }),
    ownCost: z.number().nullable().meta({ description: "What it adds to the cost of what it reads from" }),
    isMostExpensive: z.boolean(),
  })
  .meta({ id: "PlanLine" });
export type PlanLine = z.output<typeof planLineSchema>;

export const planSchema = z
  .object({
    lines: z.array(planLineSchema).meta({
      description:
        "Each before what it reads from, the most expensive input first. Costs are in the database's own units",
    }),
  })
  .meta({ id: "QueryPlan" });
export type QueryPlan = z.output<typeof planSchema>;

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

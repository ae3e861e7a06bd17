import { and, eq } from "drizzle-orm";
import type { SignedIn } from "../../auth/principal.ts";
import { db } from "../../db/client.ts";
import { Problem } from "../../errors.ts";
import { ruleResults, ruleSamples } from "../evaluations/tables.ts";
import { shownValues } from "../read-failing-values.ts";
import type { Samples } from "../sample-schema.ts";
import { getEvaluation } from "./history.ts";

/**
 * A sample of the rows that failed a rule. Throws not_found if there is none: no row failed it, no sample was taken
 * (yet), the contract keeps none, or it has expired; and like `getEvaluation`.
 */
export async function getSamples(
  ctx: SignedIn,
  { id: evaluationId, ruleId }: { id: number; ruleId: number },
): Promise<Samples> {
  await getEvaluation(ctx, evaluationId);
  const [found] = await db
    .select({ sample: ruleSamples.sample, totalFailing: ruleResults.failing })
    .from(ruleSamples)
    .innerJoin(
      ruleResults,
      and(eq(ruleResults.evaluationId, ruleSamples.evaluationId), eq(ruleResults.ruleId, ruleSamples.ruleId)),
    )
    .where(and(eq(ruleSamples.evaluationId, evaluationId), eq(ruleSamples.ruleId, ruleId)));
  if (!found) throw new Problem("not_found", "This rule has no samples");
  return { ...found.sample, byValue: shownValues(found.sample.byValue), totalFailing: found.totalFailing };
}

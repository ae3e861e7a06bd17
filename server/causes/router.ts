import { byId } from "../db/schema-parts.ts";
import { procedureFor, router } from "../trpc.ts";
import { causesSchema, ruleCausesInput } from "./schema.ts";
import { explainFinding } from "./service/explain-finding.ts";
import { explainRule } from "./service/explain-rule.ts";

const description =
  "Reads up to 100,000 rows of the table and 20,000 failing ones now, and counts in the whole table: values, missing values, and times that most failing rows have and few others do, alone and in pairs, also of tables that the rows refer to. What chance would give as well is not reported.";

/** Why rows fail. */
export const causesRouter = router({
  ofFinding: procedureFor("evaluations:run")
    .meta({
      rest: {
        method: "GET",
        path: "/data-quality/findings/{id}/causes",
        tag: "Findings",
        summary: "What the rows of a finding have in common",
        description,
        problems: ["not_found", "rejected", "source_unreachable", "source_timeout"],
      },
    })
    .input(byId)
    .output(causesSchema)
    .query(({ ctx, input }) => explainFinding(ctx, input.id)),

  ofRule: procedureFor("evaluations:run")
    .meta({
      rest: {
        method: "GET",
        path: "/data-quality/contracts/{id}/rules/{ruleId}/causes",
        tag: "Data quality",
        summary: "What the failing rows of a rule have in common",
        description,
        problems: ["not_found", "rejected", "source_unreachable", "source_timeout"],
      },
    })
    .input(ruleCausesInput)
    .output(causesSchema)
    .query(({ ctx, input }) => explainRule(ctx, input)),
});

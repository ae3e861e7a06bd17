import { byId, listOf } from "../db/schema-parts.ts";
import { editListSchema, listEditsInput } from "../edits/schema.ts";
import { procedureFor } from "../trpc.ts";
import {
  changesInput,
  changesSchema,
  ruleStateSchema,
  samplesInput,
  samplesSchema,
  seriesInput,
  seriesSchema,
} from "./schema.ts";
import { getChanges } from "./service/changes.ts";
import { listContractEdits } from "./service/contract-edits.ts";
import { listRuleStates } from "./service/rule-states.ts";
import { getSamples } from "./service/samples.ts";
import { getSeries } from "./service/series.ts";

const tag = "Data quality";

/** What explains a score: its course, what changed, since when a rule fails, and rows that it fails for. */
export const historyProcedures = {
  series: procedureFor("everything:read")
    .meta({
      rest: {
        method: "GET",
        path: "/data-quality/contracts/{id}/series",
        tag,
        summary: "A contract's score over time, and each rule's",
        description:
          "A series for every rule by its `key`, kept through edits of the contract. Without `from` it is of the latest evaluations; with it of all since then, of which several may share a point: the worst of them.",
      },
    })
    .input(seriesInput)
    .output(seriesSchema)
    .query(({ ctx, input }) => getSeries(ctx, input)),

  contractEdits: procedureFor("everything:read")
    .meta({
      rest: {
        method: "GET",
        path: "/data-quality/contracts/{id}/edits",
        tag,
        summary: "Who changed what of a contract, oldest first",
        description: "The latest 100 edits are kept.",
      },
    })
    .input(listEditsInput)
    .output(editListSchema)
    .query(({ ctx, input }) => listContractEdits(ctx, input)),

  ruleStates: procedureFor("everything:read")
    .meta({
      rest: {
        method: "GET",
        path: "/data-quality/contracts/{id}/rule-states",
        tag,
        summary: "How each rule stands, and since when",
      },
    })
    .input(byId)
    .output(listOf(ruleStateSchema))
    .query(({ ctx, input }) => listRuleStates(ctx, input.id)),

  changes: procedureFor("everything:read")
    .meta({
      rest: {
        method: "GET",
        path: "/data-quality/evaluations/{id}/changes",
        tag,
        summary: "What changed since another evaluation",
        description:
          "By default since the evaluation before: rules that fail now or recovered, scores that moved, rules that were added or removed.",
        problems: ["rejected", "conflict"],
      },
    })
    .input(changesInput)
    .output(changesSchema)
    .query(({ ctx, input }) => getChanges(ctx, input)),

  samples: procedureFor("everything:read")
    .meta({
      rest: {
        method: "GET",
        path: "/data-quality/evaluations/{id}/rules/{ruleId}/samples",
        tag,
        summary: "Some of the rows that a rule failed for",
        description:
          "Up to 20 rows of a failed NullRate, Referential, Range or Pattern rule, or duplicated values of a Uniqueness rule with how often each comes. They are taken after the evaluation is completed, masked unless the contract says otherwise, and kept for 30 days. 404 when there are none.",
        problems: ["not_found"],
      },
    })
    .input(samplesInput)
    .output(samplesSchema)
    .query(({ ctx, input }) => getSamples(ctx, input)),
};

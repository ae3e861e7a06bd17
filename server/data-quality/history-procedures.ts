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
import { getSamples } from "./service/get-samples.ts";
import { listRuleStates } from "./service/rule-states.ts";
import { getSeries } from "./service/series.ts";

const tag = "Data quality";

/** What explains a score: its history, changes, when a rule started to fail, and its failing rows. */
export const historyProcedures = {
  series: procedureFor("everything:read")
    .meta({
      rest: {
        method: "GET",
        path: "/data-quality/contracts/{id}/series",
        tag,
        summary: "Scores of a contract and its rules over time",
        description:
          "One series per rule `key`, which stays the same when the contract is edited. Without `from`, the latest evaluations; with it, all since then. A point that covers several evaluations shows the worst.",
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
        summary: "Who changed what in a contract, oldest first",
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
        summary: "Each rule's state, and since when",
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
          "Defaults to the previous evaluation: rules that now fail or recovered, changed scores, and rules added or removed.",
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
        summary: "Sample of the rows that failed a rule",
        description:
          "Up to 20 rows of a failed NullRate, Referential, Range or Pattern rule, or duplicated values of a Uniqueness rule with their counts. They are collected after the evaluation, masked unless the contract says otherwise, and kept for 30 days. 404 if there are none.",
        problems: ["not_found"],
      },
    })
    .input(samplesInput)
    .output(samplesSchema)
    .query(({ ctx, input }) => getSamples(ctx, input)),
};

import { contractCostOutput } from "../data-sources/cost-schema.ts";
import { byId, listOf } from "../db/schema-parts.ts";
import { editListSchema, listEditsInput } from "../edits/schema.ts";
import { procedureFor } from "../trpc.ts";
import { changesInput, changesSchema, ruleStateSchema, seriesInput, seriesSchema } from "./history-schema.ts";
import { samplesInput, samplesSchema } from "./sample-schema.ts";
import { contractSchema } from "./schema.ts";
import { getChanges } from "./service/changes.ts";
import { getContractCost } from "./service/contract-cost.ts";
import { listContractEdits } from "./service/contract-edits.ts";
import { getContractVersion, listContractVersions } from "./service/contract-versions.ts";
import { restoreContractVersion } from "./service/contracts.ts";
import { getSamples } from "./service/get-samples.ts";
import { listRuleStates } from "./service/rule-states.ts";
import { getSeries } from "./service/series.ts";
import {
  contractVersionInput,
  contractVersionSchema,
  contractVersionWithContent,
  listContractVersionsInput,
  restoreContractVersionInput,
} from "./version-schema.ts";

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

  cost: procedureFor("everything:read")
    .meta({
      rest: {
        method: "GET",
        path: "/data-quality/contracts/{id}/cost",
        tag,
        summary: "What a contract has cost in the last 30 days",
        description:
          "Its evaluations and the rows that they keep. `cost` is null if statements on its data source cost nothing.",
      },
    })
    .input(byId)
    .output(contractCostOutput)
    .query(({ ctx, input }) => getContractCost(ctx, input.id)),

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

  versions: procedureFor("everything:read")
    .meta({
      rest: {
        method: "GET",
        path: "/data-quality/contracts/{id}/versions",
        tag,
        summary: "A contract's versions, newest first",
        description: "Every save that changed the contract, with its author, its time, and what changed.",
      },
    })
    .input(listContractVersionsInput)
    .output(listOf(contractVersionSchema))
    .query(({ ctx, input }) => listContractVersions(ctx, input)),

  version: procedureFor("everything:read")
    .meta({
      rest: {
        method: "GET",
        path: "/data-quality/contracts/{id}/versions/{number}",
        tag,
        summary: "One version of a contract, with its content",
      },
    })
    .input(contractVersionInput)
    .output(contractVersionWithContent)
    .query(({ ctx, input }) => getContractVersion(ctx, input)),

  restoreVersion: procedureFor("contracts:configure")
    .meta({
      audit: "contract",
      rest: {
        method: "POST",
        path: "/data-quality/contracts/{id}/versions/{number}/restore",
        tag,
        summary: "Restore a contract's version as a new one",
        description:
          "Recipients that no longer exist are left out. If nothing differs, no version is created. With `baseRevision`, returns 409 if someone has edited the contract since.",
        problems: ["rejected", "conflict"],
      },
    })
    .input(restoreContractVersionInput)
    .output(contractSchema)
    .mutation(({ ctx, input }) => restoreContractVersion(ctx, input)),

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

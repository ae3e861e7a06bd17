import type { z } from "zod";
import { untilWords } from "../audit/until-words.ts";
import { userReference } from "../auth/schema.ts";
import { byId, listOf } from "../db/schema-parts.ts";
import { silenceInput } from "../notifications/silence.ts";
import { procedureFor, router } from "../trpc.ts";
import { bulkProcedures } from "./bulk-procedures.ts";
import { contractFileProcedures } from "./contract-file-procedures.ts";
import { dryRunProcedures } from "./dry-run-procedures.ts";
import { type Evaluation, evaluationSchema, listEvaluationsInput } from "./evaluations/schema.ts";
import { historyProcedures } from "./history-procedures.ts";
import { importProcedures } from "./import-procedures.ts";
import { contractInWords, contractsInWords, evaluationInWords, evaluationsInWords } from "./in-words.ts";
import { knownFailureProcedures } from "./known-failure-procedures.ts";
import { overviewInput, overviewSchema, tableHistoryInput, tableHistorySchema } from "./overview-schema.ts";
import {
  assignContractInput,
  type Contract,
  contractPageSchema,
  contractSchema,
  createContractInput,
  listContractsInput,
  searchContractsInput,
  updateContractInput,
} from "./schema.ts";
import {
  archiveContract,
  assignContract,
  createContract,
  getContract,
  listContracts,
  listOwners,
  silenceContract,
  updateContract,
} from "./service/contracts.ts";
import { evaluateContract, startEvaluation } from "./service/evaluate.ts";
import { getEvaluation, listEvaluations } from "./service/history.ts";
import { getOverview } from "./service/overview.ts";
import { searchContracts } from "./service/search-contracts.ts";
import { getTableHistory } from "./service/shown-scores.ts";
import { templateProcedures } from "./template-procedures.ts";
import { contractAnswer, evaluationAnswer, listedContract } from "./tool-answers.ts";

const tag = "Data quality";

export const dataQualityRouter = router({
  ...dryRunProcedures,
  ...historyProcedures,
  ...bulkProcedures,
  ...knownFailureProcedures,
  ...templateProcedures,

  overview: procedureFor("everything:read")
    .meta({
      rest: {
        method: "GET",
        path: "/data-quality/overview",
        tag,
        summary: "Scores per data source and table",
      },
    })
    .input(overviewInput)
    .output(overviewSchema)
    .query(({ ctx, input }) => getOverview(ctx, input)),

  tableHistory: procedureFor("everything:read")
    .meta({
      rest: {
        method: "GET",
        path: "/data-quality/table-history",
        tag,
        summary: "A table's latest 30 scores, oldest first",
        description: "By any contract that watches it. Empty if it has not been evaluated.",
        problems: ["not_found"],
      },
    })
    .input(tableHistoryInput)
    .output(tableHistorySchema)
    .query(({ ctx, input }) => getTableHistory(ctx, input)),

  contracts: procedureFor("everything:read")
    .meta({
      rest: { method: "GET", path: "/data-quality/contracts", tag, summary: "List contracts" },
      tool: {
        name: "list_contracts",
        title: "Contracts",
        description: "The table that each one watches, its schedule, latest score (0-100), and trend.",
        annotations: { readOnlyHint: true },
        itemsPerPage: 100,
        answer: listOf(listedContract),
        text: ({ items }: { items: Contract[] }) => contractsInWords(items),
      },
    })
    .input(listContractsInput)
    .output(listOf(contractSchema))
    .query(({ ctx, input }) => listContracts(ctx, input)),

  searchContracts: procedureFor("everything:read")
    .meta({
      rest: {
        method: "GET",
        path: "/data-quality/contract-search",
        tag,
        summary: "A page of contracts: search, filters, and order",
      },
    })
    .input(searchContractsInput)
    .output(contractPageSchema)
    .query(({ ctx, input }) => searchContracts(ctx, input)),

  contract: procedureFor("everything:read")
    .meta({
      rest: {
        method: "GET",
        path: "/data-quality/contracts/{id}",
        tag,
        summary: "A contract with its rules and latest score",
      },
      tool: {
        name: "get_contract",
        title: "One contract",
        description: "Its rules, their configuration, recipients, and latest score.",
        annotations: { readOnlyHint: true },
        answer: contractAnswer,
        argumentNames: { id: "contract_id" },
        text: (contract: Contract) => contractInWords(contract),
      },
    })
    .input(byId)
    .output(contractSchema)
    .query(({ ctx, input }) => getContract(ctx, input.id)),

  createContract: procedureFor("contracts:configure")
    .meta({
      audit: "contract",
      rest: {
        method: "POST",
        path: "/data-quality/contracts",
        tag,
        summary: "Create a contract",
        status: 201,
        problems: ["not_found", "rejected"],
      },
    })
    .input(createContractInput)
    .output(contractSchema)
    .mutation(({ ctx, input }) => createContract(ctx, input)),

  updateContract: procedureFor("contracts:configure")
    .meta({
      audit: "contract",
      rest: {
        method: "PUT",
        path: "/data-quality/contracts/{id}",
        tag,
        summary: "Update a contract",
        description:
          "Replaces the contract, including its rules and recipients. What differs makes a new version. A rule sent with its `key` stays the same rule, and keeps its results if it is not changed; results of changed and removed rules are deleted, evaluations and their scores are kept. With `baseRevision`, returns a 409 that says who changed what if someone has edited the contract since.",
        problems: ["rejected", "conflict"],
      },
    })
    .input(updateContractInput)
    .output(contractSchema)
    .mutation(({ ctx, input }) => updateContract(ctx, input)),

  archiveContract: procedureFor("contracts:configure")
    .meta({
      audit: "contract",
      rest: {
        method: "DELETE",
        path: "/data-quality/contracts/{id}",
        tag,
        summary: "Archive a contract and unschedule it",
        status: 204,
        problems: ["conflict"],
      },
    })
    .input(byId)
    .mutation(async ({ ctx, input }) => {
      await archiveContract(ctx, input.id);
    }),

  silence: procedureFor("evaluations:run")
    .meta({
      audit: "contract",
      auditAction: ({ until }: z.input<typeof silenceInput>) =>
        until ? "dataQuality.silence" : "dataQuality.unsilence",
      auditDetail: ({ name, silencedUntil }: z.output<typeof contractSchema>) =>
        untilWords(name, silencedUntil),
      rest: {
        method: "POST",
        path: "/data-quality/contracts/{id}/silence",
        tag,
        summary: "Silence a contract's alerts until a given time, or end the silence",
        problems: ["conflict"],
        description:
          "It is evaluated as before, and keeps its task. A failure that is still there when the silence ends alerts with the next scheduled run.",
      },
    })
    .input(silenceInput)
    .output(contractSchema)
    .mutation(({ ctx, input }) => silenceContract(ctx, input)),

  /** A user who can own a contract. */
  owners: procedureFor("contracts:configure")
    .output(listOf(userReference))
    .query(({ ctx }) => listOwners(ctx)),

  assign: procedureFor("contracts:configure")
    .meta({
      audit: "contract",
      rest: {
        method: "POST",
        path: "/data-quality/contracts/{id}/assign",
        tag,
        summary: "Set or remove a contract's owner",
      },
    })
    .input(assignContractInput)
    .output(contractSchema)
    .mutation(({ ctx, input }) => assignContract(ctx, input)),

  evaluate: procedureFor("evaluations:run")
    .meta({
      audit: "contract",
      auditAs: "preparedChange",
      rest: {
        method: "POST",
        path: "/data-quality/contracts/{id}/evaluate",
        tag,
        summary: "Evaluate a contract now",
        description:
          "Joins an evaluation in progress. With `Prefer: respond-async`, returns 202 immediately with the evaluation at `Location`.",
        running: "/data-quality/evaluations",
      },
      tool: {
        name: "evaluate_contract",
        title: "Evaluate a contract",
        description:
          "Measures every enabled rule now and stores the result: the score, and what each rule expected and " +
          "found. Notifies nobody. Can take minutes; calling again joins it.",
        annotations: { readOnlyHint: false },
        argumentNames: { id: "contract_id" },
        answer: evaluationAnswer,
        text: (evaluation: Evaluation) => evaluationInWords(evaluation),
        longWork: {
          start: "dataQuality.startEvaluation",
          follow: "dataQuality.evaluation",
          endedAt: ({ evaluatedAt }: Evaluation) => evaluatedAt,
        },
      },
    })
    .input(byId)
    .output(evaluationSchema)
    .mutation(({ ctx, input }) =>
      ctx.prefer === "respond-async" ? startEvaluation(ctx, input.id) : evaluateContract(ctx, input.id),
    ),

  /** Does not wait; for tRPC callers, who have no Prefer header. */
  startEvaluation: procedureFor("evaluations:run")
    .meta({ audit: "contract", auditAs: "preparedChange" })
    .input(byId)
    .output(evaluationSchema)
    .mutation(({ ctx, input }) => startEvaluation(ctx, input.id)),

  evaluations: procedureFor("everything:read")
    .meta({
      rest: {
        method: "GET",
        path: "/data-quality/contracts/{id}/evaluations",
        tag,
        summary: "A contract's evaluations, newest first",
      },
      tool: {
        name: "list_evaluations",
        title: "Evaluations",
        description: "Newest first, with their scores and rule results.",
        annotations: { readOnlyHint: true },
        argumentNames: { id: "contract_id" },
        answer: listOf(evaluationAnswer),
        text: ({ items }: { items: Evaluation[] }) => evaluationsInWords(items),
      },
    })
    .input(listEvaluationsInput)
    .output(listOf(evaluationSchema))
    .query(({ ctx, input }) => listEvaluations(ctx, input.id, input.take)),

  evaluation: procedureFor("everything:read")
    .meta({
      rest: {
        method: "GET",
        path: "/data-quality/evaluations/{id}",
        tag,
        summary: "One evaluation, and its progress while it runs",
      },
    })
    .input(byId)
    .output(evaluationSchema)
    .query(({ ctx, input }) => getEvaluation(ctx, input.id)),

  ...contractFileProcedures,
  ...importProcedures,
});

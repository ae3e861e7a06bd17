import { byId, listOf } from "../db/schema-parts.ts";
import { procedureFor, router } from "../trpc.ts";
import { contractFileProcedures } from "./contract-file-procedures.ts";
import { dryRunProcedures } from "./dry-run-procedures.ts";
import { historyProcedures } from "./history-procedures.ts";
import { contractInWords, contractsInWords, evaluationInWords, evaluationsInWords } from "./in-words.ts";
import {
  type Contract,
  contractSchema,
  createContractInput,
  type Evaluation,
  evaluationSchema,
  listContractsInput,
  listEvaluationsInput,
  overviewInput,
  overviewSchema,
  updateContractInput,
} from "./schema.ts";
import {
  archiveContract,
  createContract,
  getContract,
  listContracts,
  updateContract,
} from "./service/contracts.ts";
import { evaluateContract, startEvaluation } from "./service/evaluate.ts";
import { getEvaluation, listEvaluations } from "./service/history.ts";
import { getOverview } from "./service/overview.ts";
import { suggestionProcedures } from "./suggestion-procedures.ts";

const tag = "Data quality";

const ofItem = (path: string) => `items.${path}`;

/** An evaluation that a tool answers has ended. */
/** Of a contract, an assistant is told in words what was measured before an outage; editors alone need the rest. */
const leftOutOfContract = ["revision", "reminderHours", "openAlert", "measured", "outage.since"];

const leftOutOfEvaluation = [
  "contractId",
  // Told in words, and by each rule's message.
  "couldNotEvaluate",
  "notEvaluatedBecause",
  "progress",
  "executionTimeMs",
  "ruleResults.weight",
  "ruleResults.executionTimeMs",
];

export const dataQualityRouter = router({
  ...dryRunProcedures,
  ...historyProcedures,

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

  contracts: procedureFor("everything:read")
    .meta({
      rest: { method: "GET", path: "/data-quality/contracts", tag, summary: "List contracts" },
      tool: {
        name: "list_contracts",
        title: "Data contracts",
        description:
          "The data contracts: which table each watches, its schedule, latest score (0-100) and trend.",
        annotations: { readOnlyHint: true },
        itemsPerPage: 100,
        leavesOut: [
          ...["rules", "recipients", "samples", "alertOnFailure", "description", "timezone"].map(ofItem),
          ...["previousScore", "nextRunAt", "createdAt", "updatedAt"].map(ofItem),
          ...["outage", ...leftOutOfContract].map(ofItem),
        ],
        text: ({ items }: { items: Contract[] }) => contractsInWords(items),
      },
    })
    .input(listContractsInput)
    .output(listOf(contractSchema))
    .query(({ ctx, input }) => listContracts(ctx, input)),

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
        title: "One data contract",
        description: "A contract with its rules and their configuration, recipients and latest score.",
        annotations: { readOnlyHint: true },
        leavesOut: [
          ...["samples", "createdAt", "updatedAt", "rules.key", ...leftOutOfContract],
          ...["recipients.id", "recipients.projectId", "recipients.destination", "recipients.enabled"],
        ],
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
        summary: "Change a contract",
        description:
          "Replaces the contract with all of its rules and recipients. Results of the old rules are purged; evaluations and their scores remain. A rule that is sent with its `key` stays the same rule. With `baseRevision` it is a 409 when somebody has edited the contract since, which says who changed what.",
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
      },
    })
    .input(byId)
    .mutation(({ ctx, input }) => archiveContract(ctx, input.id)),

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
          "Joins an evaluation of the contract that is under way. With `Prefer: respond-async` it answers 202 at once, and the evaluation is found at `Location`.",
        running: "/data-quality/evaluations",
      },
      tool: {
        name: "evaluate_contract",
        title: "Evaluate a data contract",
        description:
          "Measures every enabled rule now, stores the result and answers it: the score, and what each rule expected and " +
          "found. Alerts nobody. May take minutes; called again, it joins the run under way.",
        annotations: { readOnlyHint: false, idempotentHint: false },
        argumentNames: { id: "contract_id" },
        leavesOut: leftOutOfEvaluation,
        text: (evaluation: Evaluation) => evaluationInWords(evaluation),
      },
    })
    .input(byId)
    .output(evaluationSchema)
    .mutation(({ ctx, input }) =>
      ctx.prefer === "respond-async" ? startEvaluation(ctx, input.id) : evaluateContract(ctx, input.id),
    ),

  /** The same without waiting, for callers by tRPC, who have no Prefer header. */
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
        title: "Evaluations of a data contract",
        description:
          "A contract's latest evaluations, newest first, each with its score and its rules' results.",
        annotations: { readOnlyHint: true },
        argumentNames: { id: "contract_id" },
        leavesOut: leftOutOfEvaluation.map(ofItem),
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
  ...suggestionProcedures,
});

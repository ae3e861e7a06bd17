import { z } from "zod";
import { within } from "../auth/principal.ts";
import { byId, identifier, listOf, only, pageOf, paging, startedOr } from "../db/schema-parts.ts";
import { editListSchema, listEditsInput } from "../edits/schema.ts";
import { procedureFor, router } from "../trpc.ts";
import { assistantProposalInput, proposalQuestion } from "./assistant-proposal.ts";
import { pendingPlansInWords, planInWords } from "./in-words.ts";
import { modelInUse } from "./models/model-in-use.ts";
import {
  actorDetailSchema,
  actorExecutionPageSchema,
  actorExecutionSchema,
  actorSchema,
  approvePlanInput,
  createActorInput,
  listActorExecutionsInput,
  listActorsInput,
  listPendingPlansInput,
  modelInUseSchema,
  type PendingPlanPage,
  type Plan,
  pendingPlanPageSchema,
  planListSchema,
  planSchema,
  refineActorInput,
  rejectPlanInput,
  requestRevisionInput,
  updateActorInput,
} from "./schema.ts";
import {
  archiveActor,
  createActor,
  getActor,
  listActorEdits,
  listActors,
  pauseActor,
  resumeActor,
  unarchiveActor,
  updateActor,
} from "./service/actors.ts";
import { refineNow, startRefining, startThinking, thinkNow } from "./service/cycles.ts";
import { approvePlan, rejectPlan, requestRevision } from "./service/decide-plan.ts";
import { getActorExecution, listActorExecutions } from "./service/load-executions.ts";
import {
  countPlans,
  getPlan,
  listAllPendingPlans,
  listPendingPlans,
  listPlans,
  listPlanVersions,
} from "./service/load-plans.ts";
import { proposeByAssistant } from "./service/propose-by-assistant.ts";
import { planStatuses } from "./states.ts";
import { pendingPlanAnswer, planAnswer } from "./tool-answers.ts";

const tag = "AI Actors";

const actorNameOf = ({ actorName, version }: { actorName: string; version: number }) =>
  `${actorName}, version ${version}`;

export const actorsRouter = router({
  list: procedureFor("everything:read")
    .meta({ rest: { method: "GET", path: "/ai-actors", tag, summary: "List AI actors" } })
    .input(listActorsInput)
    .output(listOf(actorSchema))
    .query(({ ctx, input }) => listActors(ctx, input)),

  get: procedureFor("everything:read")
    .meta({
      rest: {
        method: "GET",
        path: "/ai-actors/{id}",
        tag,
        summary: "One actor, with its queries, subscriptions and conversation",
      },
    })
    .input(byId)
    .output(actorDetailSchema)
    .query(({ ctx, input }) => getActor(ctx, input.id)),

  create: procedureFor("actors:configure")
    .meta({
      audit: "actor",
      auditAs: "preparedChange",
      rest: {
        method: "POST",
        path: "/ai-actors",
        tag,
        summary: "Create an actor",
        description:
          "With `activateImmediately`, its initial setup starts in the background: it is Draft until then, and Active or Failed afterwards.",
        status: 201,
        problems: ["not_found", "rejected"],
      },
    })
    .input(createActorInput)
    .output(actorSchema)
    .mutation(({ ctx, input }) => createActor(ctx, input)),

  edits: procedureFor("everything:read")
    .meta({
      rest: {
        method: "GET",
        path: "/ai-actors/{id}/edits",
        tag,
        summary: "Who changed what in an actor, oldest first",
        description: "The latest 100 edits are kept.",
      },
    })
    .input(listEditsInput)
    .output(editListSchema)
    .query(({ ctx, input }) => listActorEdits(ctx, input)),

  update: procedureFor("actors:configure")
    .meta({
      audit: "actor",
      auditAs: "preparedChange",
      rest: {
        method: "PUT",
        path: "/ai-actors/{id}",
        tag,
        summary: "Update an actor",
        description:
          "Replaces everything except its data source; omitted fields return to their defaults. Its queries and subscriptions do not change.",
        problems: ["conflict"],
      },
    })
    .input(updateActorInput)
    .output(actorSchema)
    .mutation(({ ctx, input }) => updateActor(ctx, input)),

  archive: procedureFor("actors:configure")
    .meta({
      audit: "actor",
      rest: {
        method: "DELETE",
        path: "/ai-actors/{id}",
        tag,
        summary: "Archive an actor; its queries and subscriptions stay",
        status: 204,
        problems: ["conflict"],
      },
    })
    .input(byId)
    .mutation(({ ctx, input }) => archiveActor(ctx, input.id)),

  pause: procedureFor("actors:configure")
    .meta({
      audit: "actor",
      rest: {
        method: "POST",
        path: "/ai-actors/{id}/pause",
        tag,
        summary: "Pause an actor until it is resumed",
        problems: ["conflict"],
      },
    })
    .input(byId)
    .output(actorSchema)
    .mutation(({ ctx, input }) => pauseActor(ctx, input.id)),

  resume: procedureFor("actors:configure")
    .meta({
      audit: "actor",
      rest: {
        method: "POST",
        path: "/ai-actors/{id}/resume",
        tag,
        summary: "Resume an actor; if it was never set up, start its initial setup",
        problems: ["conflict"],
      },
    })
    .input(byId)
    .output(actorSchema)
    .mutation(({ ctx, input }) => resumeActor(ctx, input.id)),

  think: procedureFor("actors:run")
    .meta({
      audit: "actor",
      auditAs: "preparedChange",
      auditDetail: () => "",
      rest: {
        method: "POST",
        path: "/ai-actors/{id}/think",
        tag,
        summary: "Start a think cycle now",
        description:
          "Returns 202 immediately with the execution at `Location`. Joins a think cycle in progress. With `Prefer: wait`, returns 200 with the execution when it ends.",
        started: "/ai-actors/executions",
        problems: ["conflict"],
      },
    })
    .input(byId)
    .output(startedOr(actorExecutionSchema))
    .mutation(({ ctx, input }) =>
      ctx.prefer === "wait" ? thinkNow(ctx, input.id) : startThinking(ctx, input.id),
    ),

  refine: procedureFor("actors:run")
    .meta({
      audit: "actor",
      auditAs: "preparedChange",
      auditDetail: () => "",
      rest: {
        method: "POST",
        path: "/ai-actors/{id}/refine",
        tag,
        summary: "Tell an actor what to change",
        description:
          "Adds the feedback to the conversation and starts a think cycle. `wishes` are the same in fields, for this request: adds checks on these tables and of these types, stops checking what is excluded, and replaces the schedule. Without a language model, only they are followed. Responds like `think`, but every feedback gets its own cycle.",
        started: "/ai-actors/executions",
        problems: ["conflict"],
      },
    })
    .input(refineActorInput)
    .output(startedOr(actorExecutionSchema))
    .mutation(({ ctx, input }) =>
      ctx.prefer === "wait" ? refineNow(ctx, input) : startRefining(ctx, input),
    ),

  executions: procedureFor("everything:read")
    .meta({
      rest: {
        method: "GET",
        path: "/ai-actors/{id}/executions",
        tag,
        summary: "An actor's think cycles and plan runs, newest first",
      },
    })
    .input(listActorExecutionsInput)
    .output(actorExecutionPageSchema)
    .query(({ ctx, input }) => listActorExecutions(ctx, input)),

  execution: procedureFor("everything:read")
    .meta({
      rest: {
        method: "GET",
        path: "/ai-actors/executions/{id}",
        tag,
        summary: "One think cycle or plan run",
      },
    })
    .input(byId)
    .output(actorExecutionSchema)
    .query(({ ctx, input }) => getActorExecution(ctx, input.id)),

  pendingPlans: procedureFor("everything:read")
    .meta({
      rest: {
        method: "GET",
        path: "/ai-actors/{id}/pending-plans",
        tag,
        summary: "An actor's plans waiting for a decision",
      },
    })
    .input(byId)
    .output(planListSchema)
    .query(({ ctx, input }) => listPendingPlans(ctx, input.id)),

  /** For assistants: pending plans of all actors. */
  plansThatWait: procedureFor("everything:read")
    .meta({
      tool: {
        name: "list_pending_plans",
        title: "Pending plans",
        description: "Of AI actors, newest first, with a summary of their actions.",
        annotations: { readOnlyHint: true },
        answer: pageOf(pendingPlanAnswer),
        text: (page: PendingPlanPage) => pendingPlansInWords(page),
      },
    })
    .input(listPendingPlansInput)
    .output(pendingPlanPageSchema)
    .query(({ ctx, input }) => listAllPendingPlans(ctx, input)),

  plan: procedureFor("everything:read")
    .meta({
      tool: {
        name: "get_plan",
        title: "One plan",
        description:
          "Its analysis, and its actions with reasoning, SQL, and evidence. Only people can decide on plans.",
        annotations: { readOnlyHint: true },
        argumentNames: { id: "plan_id" },
        answer: planAnswer,
        text: (plan: Plan) => planInWords(plan),
      },
      rest: {
        method: "GET",
        path: "/ai-actors/plans/{id}",
        tag,
        summary: "One plan, with its analysis, actions, and evidence",
      },
    })
    .input(byId)
    .output(planSchema)
    .query(({ ctx, input }) => getPlan(ctx, input.id)),

  /** For assistants, which have no model here but are one. */
  proposePlan: procedureFor("plans:propose")
    .meta({
      audit: "plan",
      auditAs: "preparedChange",
      auditDetail: ({ actorName }: Plan) => actorName,
      tool: {
        name: "propose_plan",
        title: "Propose a plan",
        description:
          "Proposes changes to an actor's queries and subscriptions, and contracts and rules for its data source. Nothing is done until a person approves. Check SQL with dry_run first; actions that cannot be done are rejected with the reason.",
        annotations: { readOnlyHint: false },
        answer: planAnswer.pick(only("id", "actorName", "status")),
        question: proposalQuestion,
        text: (plan: Plan) => planInWords(plan),
      },
    })
    .input(assistantProposalInput)
    .output(planSchema)
    .mutation(({ ctx, input }) => proposeByAssistant(ctx, input)),

  approvePlan: procedureFor("plans:decide")
    .meta({
      audit: "plan",
      auditAs: "preparedChange",
      auditDetail: actorNameOf,
      rest: {
        method: "POST",
        path: "/ai-actors/plans/{id}/approve",
        tag,
        summary: "Approve a plan and run its actions",
        problems: ["conflict"],
      },
    })
    .input(approvePlanInput)
    .output(planSchema)
    .mutation(({ ctx, input }) => approvePlan(ctx, input)),

  rejectPlan: procedureFor("plans:decide")
    .meta({
      audit: "plan",
      auditAs: "preparedChange",
      auditDetail: actorNameOf,
      rest: {
        method: "POST",
        path: "/ai-actors/plans/{id}/reject",
        tag,
        summary: "Reject a plan; none of its actions run",
        problems: ["conflict"],
      },
    })
    .input(rejectPlanInput)
    .output(planSchema)
    .mutation(({ ctx, input }) => rejectPlan(ctx, input)),

  requestRevision: procedureFor("plans:decide")
    .meta({
      audit: "plan",
      auditAs: "preparedChange",
      auditDetail: actorNameOf,
      rest: {
        method: "POST",
        path: "/ai-actors/plans/{id}/request-revision",
        tag,
        summary: "Send a plan back with feedback",
        description:
          "The next version is created in the background and appears among the actor's pending plans. `wishes` restrict it to these tables, types of checks, and schedule, without the actions in `leaveOut`. Without a language model, only they are followed.",
        status: 202,
        problems: ["conflict"],
      },
    })
    .input(requestRevisionInput)
    .output(planSchema)
    .mutation(({ ctx, input }) => requestRevision(ctx, input)),

  /** For the browser: all plans, whatever their status. */
  plans: procedureFor("everything:read")
    .input(
      z.strictObject({
        projectId: identifier.optional(),
        actorId: identifier.optional(),
        status: z.enum(planStatuses).optional(),
        ...paging,
      }),
    )
    .output(pageOf(planSchema))
    .query(({ ctx, input }) => listPlans(ctx, input)),

  /** All versions of a plan, oldest first. */
  planVersions: procedureFor("everything:read")
    .input(byId)
    .output(planListSchema)
    .query(({ ctx, input }) => listPlanVersions(ctx, input.id)),

  pendingCount: procedureFor("everything:read")
    .input(listActorsInput)
    .output(z.object({ count: z.int() }))
    .query(async ({ ctx, input }) => {
      // Of those that the caller sees, the ones in projects where they may decide.
      const decider = { ...ctx, principal: within("plans:decide", ctx.principal) };
      return { count: await countPlans(decider, { ...input, status: "PendingApproval" }) };
    }),

  /** The model that actors use. */
  model: procedureFor("everything:read")
    .output(modelInUseSchema)
    .query(() => {
      const { name, isBuiltIn, price } = modelInUse();
      return { name, isBuiltIn, hasPrice: price !== null };
    }),

  unarchive: procedureFor("archive:manage")
    .meta({ audit: "actor" })
    .input(byId)
    .output(actorSchema)
    .mutation(({ ctx, input }) => unarchiveActor(ctx, input.id)),
});

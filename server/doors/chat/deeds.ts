import { hashOfPlan } from "../../actors/service/load-plans.ts";
import type { appRouter } from "../../app-router.ts";
import type { SignedIn } from "../../auth/principal.ts";
import { buttonsOfIncident, hashOfIncident } from "../../incidents/service/load-incidents.ts";
import type { ButtonDeed, MessageButton } from "../../notifications/message-buttons.ts";
import { utcMinute } from "../../notifications/moments.ts";
import { hashOfRequest } from "../../queries/service/hash-of-request.ts";
import { hashOfShown } from "../../shown-hash.ts";
import type { createCallerFactory } from "../../trpc.ts";
import { dayIn, dayLater, momentOfWall } from "../../zoned-time.ts";

type Api = ReturnType<ReturnType<typeof createCallerFactory<(typeof appRouter)["_def"]["record"]>>>;
type Call = { ctx: SignedIn; api: Api; id: number };

/** What a button does, by the procedures that the pages call. */
export type Deed = {
  /** How it stands in words, if there is nothing left to do; otherwise null. Throws not_found. */
  isOver: (call: Call) => Promise<string | null>;
  /** Of what the message showed, as it is now; missing if only its state matters. */
  hash?: (call: Call) => Promise<string>;
  act: (call: Call, press: { button: MessageButton; reason: string | null }) => Promise<unknown>;
  /** "Approved", which "by" and a name follow. */
  done: (button: MessageButton) => string;
  /** The buttons that the message has afterwards, of the rest that it had; none if it is missing. */
  buttons?: (call: Call, rest: readonly MessageButton[]) => Promise<MessageButton[]>;
  /** The page of what it is about. */
  path: (id: number) => string;
};

type Person = { name: string } | null | undefined;

/** "Approved by Ada, 26 Nov 2026, 12:00 UTC". */
const by = (done: string, person: Person, at?: string | null): string =>
  [`${done}${person ? ` by ${person.name}` : ""}`, at ? utcMinute(new Date(at)) : ""]
    .filter(Boolean)
    .join(", ");

async function planIsOver({ api, id }: Call): Promise<string | null> {
  const { status, reviewer, decidedAt, expiredReason } = await api.actors.plan({ id });
  switch (status) {
    case "PendingApproval":
      return null;
    case "Expired":
      return `The plan has expired${expiredReason ? `: ${expiredReason}` : ""}`;
    case "RevisionRequested":
      return by("Sent back", reviewer, decidedAt);
    case "Rejected":
      return by("Rejected", reviewer, decidedAt);
    default:
      return by("Approved", reviewer, decidedAt);
  }
}

async function requestIsOver({ api, id }: Call): Promise<string | null> {
  const { status, reviewer, decidedAt } = await api.approvals.get({ id });
  if (status === "Pending") return null;
  if (status === "Superseded") return "The request is superseded: the query has changed";
  return by(status, reviewer, decidedAt);
}

async function incidentIsResolved({ api, id }: Call): Promise<string | null> {
  const { state, resolvedBy, resolvedAt } = await api.incidents.get({ id, most: 1 });
  return state === "Resolved" ? by("Resolved", resolvedBy, resolvedAt) : null;
}

async function taskIsResolved({ api, id }: Call): Promise<string | null> {
  const { status, resolvedBy, resolvedAt } = await api.tasks.get({ id });
  return status === "Resolved" ? by("Resolved", resolvedBy, resolvedAt) : null;
}

type Silenced = { silencedUntil: string | null; silencedBy: Person };
function silenceIsOn({ silencedUntil, silencedBy }: Silenced): string | null {
  if (silencedUntil === null || Date.parse(silencedUntil) <= Date.now()) return null;
  return `Silenced${silencedBy ? ` by ${silencedBy.name}` : ""} until ${utcMinute(new Date(silencedUntil))}`;
}

/** In an hour, or tomorrow at 09:00 where the user is. */
async function silenceEnd({ api }: Call, { span }: MessageButton): Promise<string> {
  if (span !== "tomorrow") return new Date(Date.now() + 3_600_000).toISOString();
  const zone = (await api.session.me()).timeZone ?? "UTC";
  const nine = momentOfWall(`${dayLater(dayIn(new Date(), zone), 1)}T09:00:00`, zone);
  if (!nine) throw new Error("Tomorrow has no morning");
  return nine.toISOString();
}

const silencedFor = ({ span }: MessageButton) =>
  span === "tomorrow" ? "Silenced until tomorrow" : "Silenced for 1 h";

const incidentButtons = ({ ctx, id }: Call) => buttonsOfIncident(ctx, id);
const restOf = async (_: Call, rest: readonly MessageButton[]) => [...rest];

type TaskState = { assignee: { id: number } | null; executionCount: number };
/** Of what a task says, which whoever resolves it has seen. */
const taskHash = ({ assignee, executionCount }: TaskState) =>
  hashOfShown({ assigneeId: assignee?.id ?? null, executionCount });

const plan = {
  isOver: planIsOver,
  hash: ({ ctx, id }) => hashOfPlan(ctx, id),
  path: (id) => `/ai-actors/plans/${id}`,
} satisfies Partial<Deed>;

const request = {
  isOver: requestIsOver,
  hash: ({ ctx, id }) => hashOfRequest(ctx, id),
  path: (id) => `/approvals/${id}`,
} satisfies Partial<Deed>;

const incident = {
  buttons: incidentButtons,
  path: (id) => `/incidents/${id}`,
} satisfies Partial<Deed>;

const task = { path: (id) => `/tasks/${id}` } satisfies Partial<Deed>;

export const deeds: Record<ButtonDeed, Deed> = {
  "approve-plan": {
    ...plan,
    act: ({ api, id }, { reason }) => api.actors.approvePlan({ id, comment: reason }),
    done: () => "Approved",
  },
  "reject-plan": {
    ...plan,
    act: ({ api, id }, { reason }) => api.actors.rejectPlan({ id, reason: reason ?? "" }),
    done: () => "Rejected",
  },
  "approve-change": {
    ...request,
    act: ({ api, id }, { reason }) => api.approvals.approve({ id, comment: reason }),
    done: () => "Approved",
  },
  "reject-change": {
    ...request,
    act: ({ api, id }, { reason }) => api.approvals.reject({ id, comment: reason }),
    done: () => "Rejected",
  },
  "acknowledge-incident": {
    ...incident,
    async isOver(call) {
      const { state, acknowledgedBy, acknowledgedAt } = await call.api.incidents.get({
        id: call.id,
        most: 1,
      });
      return state === "Acknowledged"
        ? by("Acknowledged", acknowledgedBy, acknowledgedAt)
        : incidentIsResolved(call);
    },
    act: ({ api, id }) => api.incidents.acknowledge({ id }),
    done: () => "Acknowledged",
  },
  "take-incident": {
    ...incident,
    async isOver(call) {
      const { assignee } = await call.api.incidents.get({ id: call.id, most: 1 });
      return (await incidentIsResolved(call)) ?? (assignee && `${assignee.name} has the incident`);
    },
    act: ({ api, id, ctx }) =>
      api.incidents.assign({ id, userId: ctx.principal.userId, unlessAssigned: true }),
    done: () => "Taken",
  },
  "silence-incident": {
    ...incident,
    hash: ({ ctx, id }) => hashOfIncident(ctx, id),
    async isOver(call) {
      return (
        (await incidentIsResolved(call)) ??
        silenceIsOn(await call.api.incidents.get({ id: call.id, most: 1 }))
      );
    },
    act: async (call, { button }) =>
      call.api.incidents.silence({ id: call.id, until: await silenceEnd(call, button) }),
    done: silencedFor,
  },
  "resolve-incident": {
    ...incident,
    hash: ({ ctx, id }) => hashOfIncident(ctx, id),
    isOver: incidentIsResolved,
    act: ({ api, id }) => api.incidents.resolve({ id }),
    done: () => "Resolved",
  },
  "take-task": {
    ...task,
    async isOver(call) {
      const { assignee } = await call.api.tasks.get({ id: call.id });
      return (await taskIsResolved(call)) ?? (assignee && `${assignee.name} has the task`);
    },
    act: ({ api, id, ctx }) => api.tasks.assign({ id, userId: ctx.principal.userId, unlessAssigned: true }),
    done: () => "Task taken",
    async buttons({ api, id }, rest) {
      const stored = await api.tasks.get({ id });
      if (stored.status === "Resolved") return [...rest];
      return [...rest, { deed: "resolve-task", id, hash: taskHash(stored) }];
    },
  },
  "resolve-task": {
    ...task,
    hash: async ({ api, id }) => taskHash(await api.tasks.get({ id })),
    isOver: taskIsResolved,
    act: ({ api, id }) => api.tasks.resolve({ id }),
    done: () => "Task resolved",
    buttons: restOf,
  },
  acknowledge: {
    async isOver({ api, id }) {
      const { acknowledged, acknowledgedBy } = await api.anomalies.get({ id });
      return acknowledged ? by("Acknowledged", acknowledgedBy) : null;
    },
    act: ({ api, id }) => api.anomalies.acknowledge({ id }),
    done: () => "Acknowledged",
    buttons: restOf,
    path: (id) => `/anomalies/${id}`,
  },
  "silence-subscription": {
    isOver: async ({ api, id }) => silenceIsOn(await api.subscriptions.get({ id })),
    act: async (call, { button }) =>
      call.api.subscriptions.silence({
        ...{ id: call.id, until: await silenceEnd(call, button), unlessSilenced: true },
      }),
    done: silencedFor,
    buttons: restOf,
    path: (id) => `/subscriptions/${id}`,
  },
  "silence-contract": {
    isOver: async ({ api, id }) => silenceIsOn(await api.dataQuality.contract({ id })),
    act: async (call, { button }) =>
      call.api.dataQuality.silence({
        ...{ id: call.id, until: await silenceEnd(call, button), unlessSilenced: true },
      }),
    done: silencedFor,
    buttons: restOf,
    path: (id) => `/data-quality/contracts/${id}`,
  },
};

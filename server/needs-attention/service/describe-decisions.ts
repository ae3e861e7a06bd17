import { sql } from "drizzle-orm";
import { actorActions, actors, plans } from "../../actors/tables.ts";
import { users } from "../../auth/tables.ts";
import { db } from "../../db/client.ts";
import type { ApprovalKind } from "../../queries/approval-kinds.ts";
import { queries, queryApprovals } from "../../queries/tables.ts";
import { planWords, requestWords } from "../in-words.ts";
import { type Described, idsOf, type Needing } from "./described.ts";

/** Plans and query changes, which wait for the caller's decision. */
export async function describeDecisions(pending: readonly Needing[], requests: readonly Needing[]) {
  const [Plan, QueryChange] = await Promise.all([describePlans(pending), describeRequests(requests)]);
  return { Plan, QueryChange };
}

async function describePlans(needing: readonly Needing[]) {
  if (needing.length === 0) return new Map<number, Described>();
  const rows = await db.execute<{ id: number; name: string; actions: number }>(sql`
    select plan.id, actor.name,
      (select count(*)::int from ${actorActions} as action where action.plan_id = plan.id) as actions
    from ${plans} as plan join ${actors} as actor on actor.id = plan.actor_id
    where plan.id = ${idsOf(needing)}`);
  const since = new Map(needing.map(({ id, at }) => [id, at]));
  return new Map(
    [...rows].map(({ id, name, actions }): [number, Described] => [
      id,
      {
        title: name,
        reason: planWords(actions),
        since: since.get(id) ?? new Date(),
        owner: null,
        path: `/ai-actors/plans/${id}`,
        action: { kind: "Review", ids: [id] },
      },
    ]),
  );
}

type RequestRow = {
  id: number;
  kind: ApprovalKind;
  name: string;
  summary: string | null;
  requester: string | null;
};

async function describeRequests(needing: readonly Needing[]) {
  if (needing.length === 0) return new Map<number, Described>();
  const rows = await db.execute<RequestRow>(sql`
    select request.id, request.kind, query.name, request.summary, requester.name as requester
    from ${queryApprovals} as request join ${queries} as query on query.id = request.query_id
    left join ${users} as requester on requester.id = request.requested_by_id
    where request.id = ${idsOf(needing)}`);
  const since = new Map(needing.map(({ id, at }) => [id, at]));
  return new Map(
    [...rows].map(({ id, kind, name, summary, requester }): [number, Described] => [
      id,
      {
        title: name,
        reason: requestWords(kind, requester, summary),
        since: since.get(id) ?? new Date(),
        owner: null,
        path: `/approvals/${id}`,
        action: { kind: "Review", ids: [id] },
      },
    ]),
  );
}

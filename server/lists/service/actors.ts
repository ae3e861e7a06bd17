import type { z } from "zod";
import { listActors } from "../../actors/service/actors.ts";
import type { ActorStatus } from "../../actors/states.ts";
import type { SignedIn } from "../../auth/principal.ts";
import { type Listed, pageOfRows } from "../page-of-rows.ts";
import type { actorsPageInput } from "../schema.ts";
import type { SortOf } from "../sorts.ts";

type Actor = Awaited<ReturnType<typeof listActors>>["items"][number];

/** Actors that need attention come first. */
const urgency: Record<ActorStatus, number> = { Failed: 0, Draft: 1, Active: 2, Paused: 3, Archived: 4 };

const listed: Listed<Actor, SortOf<"actors">> = {
  text: ({ name, dataSourceName, instructions }) => `${name} ${dataSourceName} ${instructions}`,
  sorts: {
    Status: { by: ({ status }) => urgency[status] },
    Name: { by: ({ name }) => name },
    Plans: { by: ({ pendingPlanCount }) => pendingPlanCount, natural: "Desc" },
    Queries: { by: ({ queryCount }) => queryCount, natural: "Desc" },
    Subscriptions: { by: ({ subscriptionCount }) => subscriptionCount, natural: "Desc" },
    Tokens: { by: ({ totalTokensUsed }) => totalTokensUsed, natural: "Desc" },
    Cost: { by: ({ totalCost }) => totalCost, natural: "Desc" },
    Cycles: { by: ({ thinkCount }) => thinkCount, natural: "Desc" },
    LastCycle: { by: ({ lastThinkAt }) => lastThinkAt, natural: "Desc" },
  },
};

/** A page of the actors visible to the caller. */
export async function actorsPage(ctx: SignedIn, { projectId, ...asked }: z.output<typeof actorsPageInput>) {
  const { items } = await listActors(ctx, { projectId });
  return {
    ...pageOfRows(items, asked, listed),
    isWorking: items.some(({ currentExecution }) => currentExecution !== null),
  };
}

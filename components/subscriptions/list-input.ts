import type { SubscriptionState } from "./subscription-rows.ts";

/** What the list asks the service for, on the server and in the browser alike: a prefetch must ask the same. */
export const subscriptionPageSize = 200;

export function subscriptionListInput(
  inProject: { projectId?: number },
  { query, state, page }: { query: number | null; state: SubscriptionState | null; page: number },
) {
  return {
    ...inProject,
    ...(query !== null && { queryId: query }),
    ...((state === "enabled" || state === "disabled") && { enabled: state === "enabled" }),
    page: Math.max(page, 1) - 1,
    pageSize: subscriptionPageSize,
  };
}

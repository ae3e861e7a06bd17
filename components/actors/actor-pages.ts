import { createLoader, parseAsInteger } from "nuqs/server";

/** How much of an actor's course one page of it shows; a prefetch must ask for the same. */
export const executionsPerPage = 10;

/** In the address of an actor's page: which execution is unfolded, and the page of its course, from 1. */
export const actorParameters = {
  execution: parseAsInteger,
  page: parseAsInteger.withDefault(1),
};
export const loadActorParameters = createLoader(actorParameters);

export function executionsInput(id: number, page: number) {
  return { id, page: Math.min(Math.max(page, 1), 1_000_000) - 1, pageSize: executionsPerPage };
}

/** The plans that wait, newest first: what the inbox shows at most. */
export const inboxSize = 50;
export const inboxInput = (project: { projectId?: number }) => ({
  ...project,
  ...{ status: "PendingApproval" as const, page: 0, pageSize: inboxSize },
});

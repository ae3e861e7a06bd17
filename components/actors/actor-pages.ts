import { createLoader, parseAsInteger } from "nuqs/server";

/** Executions per page of an actor's history; a prefetch must use the same number. */
export const executionsPerPage = 10;

/** URL parameters of an actor's page: the expanded execution, and the page of its history, from 1. */
export const actorParameters = {
  execution: parseAsInteger,
  page: parseAsInteger.withDefault(1),
};
export const loadActorParameters = createLoader(actorParameters);

export function executionsInput(id: number, page: number) {
  return { id, page: Math.min(Math.max(page, 1), 1_000_000) - 1, pageSize: executionsPerPage };
}

/** The most pending plans the inbox shows, newest first. */
export const inboxSize = 50;
export const inboxInput = (project: { projectId?: number }) => ({
  ...project,
  ...{ status: "PendingApproval" as const, page: 0, pageSize: inboxSize },
});

/** Where a subscription of the query is written; the chosen project stays chosen. */
export function subscribePath(queryId: number, project: number | null): string {
  return `/subscriptions/new?query=${queryId}${project === null ? "" : `&project=${project}`}`;
}

/** The path of the new subscription page for a query, keeping the selected project. */
export function subscribePath(queryId: number, project: number | null): string {
  return `/subscriptions/new?query=${queryId}${project === null ? "" : `&project=${project}`}`;
}

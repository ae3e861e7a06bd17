export const anomalyPageSize = 50;

/** What the list asks the service for, on the server and in the browser alike: a prefetch must ask the same. */
export function anomalyListInput(
  inProject: { projectId?: number },
  filters: { acknowledged: boolean | null; subscription: number | null; page: number },
) {
  return {
    ...inProject,
    ...(filters.acknowledged !== null && { acknowledged: filters.acknowledged }),
    ...(filters.subscription !== null && { subscriptionId: filters.subscription }),
    page: Math.max(filters.page, 1) - 1,
    pageSize: anomalyPageSize,
  };
}

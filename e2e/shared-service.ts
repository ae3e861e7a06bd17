/**
 * The address of the service that this worker's journeys share, one after the other; some journeys have their own.
 * While Playwright only lists tests, no service runs, and the address is a placeholder.
 */
export const sharedUrl: string =
  process.env.E2E_URLS?.split(",")[Number(process.env.TEST_PARALLEL_INDEX ?? 0)] ??
  "http://not-started.invalid";

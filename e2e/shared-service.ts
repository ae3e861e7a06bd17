/**
 * Where the service is that the journeys of this worker share, one after the other; others have their own. While
 * Playwright only lists the tests no service runs yet, and nothing is at the address.
 */
export const sharedUrl: string =
  process.env.E2E_URLS?.split(",")[Number(process.env.TEST_PARALLEL_INDEX ?? 0)] ??
  "http://not-started.invalid";

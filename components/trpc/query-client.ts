import { defaultShouldDehydrateQuery, QueryClient } from "@tanstack/react-query";
import { factsOf } from "./errors.ts";

/** The cache of what the service has answered, for one browser or for one request on the server. */
export function createQueryClient(): QueryClient {
  return new QueryClient({
    defaultOptions: {
      queries: {
        // What the server has just prefetched is not asked for again at once.
        staleTime: 10_000,
        retry: (failures, error) => failures < 2 && factsOf(error).mayPass,
      },
      // A prefetch that is under way is sent along, and the page does not wait for it.
      dehydrate: {
        shouldDehydrateQuery: (query) =>
          defaultShouldDehydrateQuery(query) || query.state.status === "pending",
      },
    },
  });
}

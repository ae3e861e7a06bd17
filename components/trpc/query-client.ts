import { defaultShouldDehydrateQuery, QueryClient } from "@tanstack/react-query";
import { factsOf } from "./errors.ts";

/** The query cache, for one browser or for one request on the server. */
export function createQueryClient(): QueryClient {
  return new QueryClient({
    defaultOptions: {
      queries: {
        // Don't refetch right away what the server has just prefetched.
        staleTime: 10_000,
        retry: (failures, error) => failures < 2 && factsOf(error).mayPass,
      },
      // A pending prefetch is streamed, so the page doesn't wait for it.
      dehydrate: {
        shouldDehydrateQuery: (query) =>
          defaultShouldDehydrateQuery(query) || query.state.status === "pending",
      },
    },
  });
}

"use client";
/**
 * The service's procedures in the browser: `trpc.projects.list.useSuspenseQuery()`, `trpc.projects.create.useMutation()`.
 * If the session has expired, a call waits until the user has signed in again.
 */
import { QueryClientProvider } from "@tanstack/react-query";
import { httpBatchLink } from "@trpc/client";
import { createTRPCReact } from "@trpc/react-query";
import type { inferRouterOutputs } from "@trpc/server";
import { type ReactNode, useState } from "react";
import type { AppRouter } from "@/server/app-router.ts";
import { maxBatchCalls } from "@/server/doors/batch-size.ts";
import { createQueryClient } from "./query-client.ts";
import { sessionLink } from "./session-link.ts";

export const trpc = createTRPCReact<AppRouter>();

/** The procedures' output types: `Outputs["projects"]["list"]`. */
export type Outputs = inferRouterOutputs<AppRouter>;

export function TrpcProvider({ children }: { children: ReactNode }) {
  const [queryClient] = useState(createQueryClient);
  const [client] = useState(() =>
    trpc.createClient({
      links: [sessionLink, httpBatchLink({ url: "/svc/trpc", maxItems: maxBatchCalls })],
    }),
  );
  return (
    <trpc.Provider client={client} queryClient={queryClient}>
      <QueryClientProvider client={queryClient}>{children}</QueryClientProvider>
    </trpc.Provider>
  );
}

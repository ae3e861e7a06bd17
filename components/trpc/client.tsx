"use client";
/**
 * The service's procedures in the browser: `trpc.projects.list.useSuspenseQuery()`, `trpc.projects.create.useMutation()`.
 * A session that has ended leads to the sign-in page, and back.
 */
import { QueryClientProvider } from "@tanstack/react-query";
import { httpBatchLink } from "@trpc/client";
import { createTRPCReact } from "@trpc/react-query";
import type { inferRouterOutputs } from "@trpc/server";
import { type ReactNode, useState } from "react";
import type { AppRouter } from "@/server/app-router.ts";
import { mostCallsInBatch } from "@/server/batch-size.ts";
import { createQueryClient } from "./query-client.ts";

export const trpc = createTRPCReact<AppRouter>();

/** What the procedures answer: `Outputs["projects"]["list"]`. */
export type Outputs = inferRouterOutputs<AppRouter>;

function goToSignIn() {
  if (window.location.pathname === "/sign-in") return;
  const here = window.location.pathname + window.location.search;
  window.location.assign(`/sign-in?next=${encodeURIComponent(here)}`);
}

export function TrpcProvider({ children }: { children: ReactNode }) {
  const [queryClient] = useState(() =>
    createQueryClient(typeof window === "undefined" ? undefined : goToSignIn),
  );
  const [client] = useState(() =>
    trpc.createClient({ links: [httpBatchLink({ url: "/svc/trpc", maxItems: mostCallsInBatch })] }),
  );
  return (
    <trpc.Provider client={client} queryClient={queryClient}>
      <QueryClientProvider client={queryClient}>{children}</QueryClientProvider>
    </trpc.Provider>
  );
}

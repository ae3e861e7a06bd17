"use client";
import { type Outputs, trpc } from "../trpc/client.tsx";
import { useListFilters } from "../ui/use-list-filters.ts";
import { auditInput, auditParameters } from "./audit-filter.ts";

export type AuditEntry = Outputs["auditLog"]["list"]["items"][number];

/** A page of the audit log, by the filters in the URL. */
export function useAuditLog() {
  const list = useListFilters(auditParameters, auditInput, { history: "push" });
  const [log] = trpc.auditLog.list.useSuspenseQuery(list.input, {
    // Older pages are not polled: new entries arrive on the first one.
    ...(list.input.page === 0 && { refetchInterval: 15_000 }),
  });
  return { list, log };
}

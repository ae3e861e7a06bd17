"use client";
import { useQueryStates } from "nuqs";
import { useCallback, useDeferredValue, useMemo } from "react";
import { type Outputs, trpc } from "../trpc/client.tsx";
import { type AuditFilters, auditInput, auditParameters } from "./audit-filter.ts";

export type AuditEntry = Outputs["auditLog"]["list"]["items"][number];

const nothing = { who: null, action: null, kind: null, object: null, from: null, to: null, page: null };

/** A page of the log, by what the address asks for. While another one is on its way the rows stay. */
export function useAuditLog() {
  const [filters, set] = useQueryStates(auditParameters, { clearOnDefault: true, history: "push" });
  const asked = JSON.stringify(auditInput(filters));
  const settled = useDeferredValue(asked);
  const input = useMemo(() => JSON.parse(settled) as ReturnType<typeof auditInput>, [settled]);
  const [log] = trpc.auditLog.list.useSuspenseQuery(input, {
    // Further back nothing changes.
    ...(input.page === 0 && { refetchInterval: 15_000 }),
  });
  const { page, ...rest } = filters;
  return {
    log,
    filters,
    isFiltered: Object.values(rest).some((value) => value !== null),
    isChanging: asked !== settled,
    /** Another filter begins at the newest entry again. */
    setFilters: (next: Partial<AuditFilters>) => void set({ ...next, page: null }),
    setPage: useCallback((next: number) => void set({ page: next + 1 }), [set]),
    showAll: () => void set(nothing),
  };
}

export type AuditLog = ReturnType<typeof useAuditLog>;

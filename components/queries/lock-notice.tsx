"use client";
import { useMay } from "@/components/auth/use-me.ts";
import { Button } from "@/components/ui/button.tsx";
import { Lock, LockOpen } from "@/components/ui/icons.tsx";
import type { Query } from "@/server/queries/schema.ts";
import { useSetLocked } from "./query-header.tsx";

/** Says that the query is locked and who can unlock it. */
export function LockNotice({ query, isDirty }: { query: Query; isDirty: boolean }) {
  const mayUnlock = useMay("queries:lock");
  const setLocked = useSetLocked();
  return (
    <div
      role="status"
      className="mb-4 flex flex-wrap items-center gap-x-3 gap-y-2 rounded-md border bg-sunken px-3 py-2"
    >
      <Lock aria-hidden className="size-4 shrink-0 text-ink-3" />
      <p className="min-w-0 flex-1">
        {isDirty
          ? "This query was locked while you were editing. Your text stays here but cannot be saved until the query is unlocked."
          : "This query is locked: it can run but not be changed."}{" "}
        {!mayUnlock && <span className="text-ink-2">An Admin can unlock it.</span>}
      </p>
      {mayUnlock && (
        <Button size="sm" icon={LockOpen} onClick={() => void setLocked(query, false)}>
          Unlock
        </Button>
      )}
    </div>
  );
}

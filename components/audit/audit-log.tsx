"use client";
import type { Columns } from "../ui/list.tsx";
import { ListPage } from "../ui/list-page.tsx";
import { AuditFilters } from "./audit-filters.tsx";
import { AuditRow } from "./audit-row.tsx";
import { useAuditLog } from "./use-audit-log.ts";
import { useVerification, VerificationResult, VerifyButton } from "./verification.tsx";

const columns: Columns = [
  { title: "Time", from: "sm" },
  { title: "Who", from: "sm" },
  { title: "Action" },
  { title: "Object", from: "md" },
  { title: "Detail", from: "sm" },
  { title: "Address", from: "lg" },
];

/** Who did what, newest first, and whether all of it is still there. */
export function AuditLogPage() {
  const { list, log } = useAuditLog();
  const verification = useVerification();
  return (
    <ListPage
      title="Audit"
      label="Audit log"
      things="entries"
      columns={columns}
      rows={log.items}
      page={log}
      isNewestFirst
      list={list}
      keyOf={({ id }) => id}
      filters={<AuditFilters list={list} />}
      actions={<VerifyButton {...verification} />}
      notices={<VerificationResult {...verification} />}
      empty={{
        title: "No entries yet",
        children:
          "Every change, decision, sign-in, and SQL run is recorded here, with who did it and from where.",
      }}
    >
      {(entry, row) => <AuditRow entry={entry} {...row} />}
    </ListPage>
  );
}

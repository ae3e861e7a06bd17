import type { Metadata } from "next";
import type { SearchParams } from "nuqs/server";
import { auditInput, loadAuditFilters } from "@/components/audit/audit-filter.ts";
import { AuditLogPage } from "@/components/audit/audit-log.tsx";
import { ForPermission } from "@/components/shell/for-permission.tsx";
import { api, HydrateClient } from "@/components/trpc/server.tsx";

export const metadata: Metadata = { title: "Audit" };

export default async function AuditPage({ searchParams }: { searchParams: Promise<SearchParams> }) {
  await Promise.all([
    api.auditLog.list.prefetch(auditInput(await loadAuditFilters(searchParams))),
    api.auditLog.choices.prefetch(),
    api.users.list.prefetch(),
    api.apiKeys.list.prefetch(),
  ]);
  return (
    <HydrateClient>
      <ForPermission title="Audit" permission="audit:read">
        <AuditLogPage />
      </ForPermission>
    </HydrateClient>
  );
}

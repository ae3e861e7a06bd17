import type { Metadata } from "next";
import { ArchivedQueries } from "@/components/queries/archived-queries.tsx";
import { ForPermission } from "@/components/shell/for-permission.tsx";

export const metadata: Metadata = { title: "Archived queries" };

export default function ArchivedQueriesPage() {
  return (
    <ForPermission title="Archived queries" permission="archive:manage">
      <ArchivedQueries />
    </ForPermission>
  );
}

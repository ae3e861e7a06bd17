import type { Metadata } from "next";
import { ArchivedActors } from "@/components/actors/archived-actors.tsx";
import { ForPermission } from "@/components/shell/for-permission.tsx";

export const metadata: Metadata = { title: "Archived AI actors" };

export default function ArchivedActorsPage() {
  return (
    <ForPermission title="Archived actors" permission="archive:manage">
      <ArchivedActors />
    </ForPermission>
  );
}

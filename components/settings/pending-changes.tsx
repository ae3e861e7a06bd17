"use client";
import { useProject } from "@/components/projects/use-project.ts";
import { trpc } from "@/components/trpc/client.tsx";
import { plural } from "@/components/ui/format.ts";
import { Link } from "@/components/ui/link.tsx";

/** What is currently pending, and stays pending if the workflow is turned off. */
export function PendingChanges({ isOn }: { isOn: boolean }) {
  const { href } = useProject();
  const list = trpc.approvals.list.useQuery({ status: "Pending", pageSize: 1 });
  const count = list.data?.totalCount ?? 0;
  if (count === 0) return null;
  return (
    <>
      {" "}
      <Link href={href("/approvals")} className="text-accent underline">
        {plural(count, "request")}
      </Link>{" "}
      {count === 1 ? "waits" : "wait"}
      {isOn ? "." : ", and can still be decided."}
    </>
  );
}

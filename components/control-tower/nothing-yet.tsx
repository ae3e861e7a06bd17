"use client";
import { useMay } from "@/components/auth/use-me.ts";
import { useProject } from "@/components/projects/use-project.ts";
import { ButtonLink } from "@/components/ui/button.tsx";
import { Empty } from "@/components/ui/empty.tsx";
import { Radar } from "@/components/ui/icons.tsx";

/** Instead of the list, while there is no subscription. */
export function NothingYet() {
  const { href } = useProject();
  const mayWrite = useMay("subscriptions:configure");
  return (
    <Empty
      icon={Radar}
      title="No subscriptions yet"
      action={
        <>
          {mayWrite && (
            <ButtonLink href={href("/subscriptions/new")} variant="primary">
              New subscription
            </ButtonLink>
          )}
          <ButtonLink href={href("/queries")}>Queries</ButtonLink>
        </>
      }
    >
      Subscriptions run queries on a schedule. This page shows the health of each: how many runs succeeded,
      open tasks, and anomalies, worst first.
      {!mayWrite && " An Editor or an Admin can create one."}
    </Empty>
  );
}

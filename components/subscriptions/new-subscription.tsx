"use client";
import { useProject, useProjectInput } from "@/components/projects/use-project.ts";
import { FormPage } from "@/components/shell/form-page.tsx";
import { useClearView } from "@/components/shell/use-clear-view.ts";
import { trpc } from "@/components/trpc/client.tsx";
import { ButtonLink } from "@/components/ui/button.tsx";
import { Empty } from "@/components/ui/empty.tsx";
import { FileCode2 } from "@/components/ui/icons.tsx";
import { SubscriptionEditor } from "./subscription-editor.tsx";
import { emptySubscription, parametersFor } from "./subscription-form.ts";
import { useAllQueries } from "./use-all-queries.ts";

/** The editor of a new subscription, once there is a query to run. */
export function NewSubscription({ queryId }: { queryId: number | null }) {
  useClearView();
  const { href } = useProject();
  const input = useProjectInput();
  const [{ totalCount }] = trpc.queries.list.useSuspenseQuery({ ...input, pageSize: 500 });
  const { queries, isLoading } = useAllQueries(input);
  const chosen = queries.find(({ id }) => id === queryId);
  return (
    <FormPage
      title="New subscription"
      parent={{ href: "/subscriptions", label: "Subscriptions" }}
      permission="subscriptions:configure"
    >
      {totalCount > 0 ? (
        <SubscriptionEditor
          // With many queries, the requested one may load a moment later.
          key={chosen?.id ?? "none"}
          queries={queries}
          isLoading={isLoading}
          start={emptySubscription(
            chosen && { queryId: chosen.id, parameters: parametersFor(chosen.parameters, {}) },
          )}
        />
      ) : (
        <Empty
          icon={FileCode2}
          title="A subscription needs a query"
          action={
            <ButtonLink href={href("/queries")} variant="primary" icon={FileCode2}>
              Create a query
            </ButtonLink>
          }
        >
          A subscription runs a saved query on a schedule. There are no queries yet.
        </Empty>
      )}
    </FormPage>
  );
}

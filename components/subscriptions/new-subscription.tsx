"use client";
import { FileCode2 } from "lucide-react";
import { useProject, useProjectInput } from "@/components/projects/use-project.ts";
import { FormPage } from "@/components/shell/form-page.tsx";
import { useClearView } from "@/components/shell/use-clear-view.ts";
import { trpc } from "@/components/trpc/client.tsx";
import { ButtonLink } from "@/components/ui/button.tsx";
import { Empty } from "@/components/ui/empty.tsx";
import { SubscriptionEditor } from "./subscription-editor.tsx";
import { emptySubscription, parametersFor } from "./subscription-form.ts";
import { useAllQueries } from "./use-all-queries.ts";

/** The editor of a new subscription, once there is a query that it can run. */
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
          // Of many queries, the one that is asked for may come a moment later.
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
              Write a query
            </ButtonLink>
          }
        >
          It runs a stored query on a schedule. None is stored here yet.
        </Empty>
      )}
    </FormPage>
  );
}

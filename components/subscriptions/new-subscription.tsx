"use client";
import dynamic from "next/dynamic";
import { useState } from "react";
import { useProjectInput } from "@/components/projects/use-project.ts";
import { FormPage } from "@/components/shell/form-page.tsx";
import { trpc } from "@/components/trpc/client.tsx";
import { SubscriptionEditor } from "./subscription-editor.tsx";
import { emptySubscription, parametersFor } from "./subscription-form.ts";
import { useAllQueries } from "./use-all-queries.ts";

const QueryMaker = dynamic(async () => (await import("@/components/queries/new-query.tsx")).QueryMaker, {
  loading: () => null,
});

/** The editor of a new subscription, once there is a query to run. */
export function NewSubscription({ queryId }: { queryId: number | null }) {
  const [created, setCreated] = useState<number | null>(null);
  const input = useProjectInput();
  const [{ totalCount }] = trpc.queries.list.useSuspenseQuery({ ...input, pageSize: 500 });
  const { queries, isLoading } = useAllQueries(input);
  const chosen = queries.find(({ id }) => id === (created ?? queryId));
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
        <>
          <p className="max-w-prose border-t py-4 text-ink-2">
            A subscription runs a saved query on a schedule. There are no queries yet: write the first one
            here, and its subscription follows.
          </p>
          <QueryMaker onCreated={setCreated} />
        </>
      )}
    </FormPage>
  );
}

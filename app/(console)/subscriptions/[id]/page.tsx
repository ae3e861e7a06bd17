import type { Metadata } from "next";
import { InProject } from "@/components/auth/in-project.tsx";
import { drawnExecutions, executionPageSize } from "@/components/subscriptions/execution-page-size.ts";
import { loadSubscription } from "@/components/subscriptions/load-subscription.ts";
import { SubscriptionPage } from "@/components/subscriptions/subscription-page.tsx";
import { api, HydrateClient } from "@/components/trpc/server.tsx";

type Props = { params: Promise<{ id: string }> };

export async function generateMetadata({ params }: Props): Promise<Metadata> {
  return { title: `Subscription to ${(await loadSubscription((await params).id)).title}` };
}

export default async function Page({ params }: Props) {
  const { id, projectId } = await loadSubscription((await params).id);
  await Promise.all([
    api.subscriptions.get.prefetch({ id }),
    api.subscriptions.executions.prefetch({ id, pageSize: drawnExecutions }),
    api.subscriptions.executions.prefetch({ id, page: 0, pageSize: executionPageSize }),
    api.anomalies.list.prefetch({ subscriptionId: id }),
    api.anomalies.list.prefetch({ subscriptionId: id, acknowledged: false, pageSize: 1 }),
    api.tasks.list.prefetch({ subscriptionId: id, status: "Open" }),
  ]);
  return (
    <HydrateClient>
      <InProject id={projectId}>
        <SubscriptionPage id={id} />
      </InProject>
    </HydrateClient>
  );
}

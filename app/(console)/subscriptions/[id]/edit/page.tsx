import type { Metadata } from "next";
import { InProject } from "@/components/auth/in-project.tsx";
import { EditSubscription } from "@/components/subscriptions/edit-subscription.tsx";
import { loadSubscription } from "@/components/subscriptions/load-subscription.ts";
import { api, HydrateClient } from "@/components/trpc/server.tsx";

type Props = { params: Promise<{ id: string }> };

export async function generateMetadata({ params }: Props): Promise<Metadata> {
  return { title: `Edit the subscription to ${(await loadSubscription((await params).id)).title}` };
}

export default async function EditSubscriptionPage({ params }: Props) {
  const { id, projectId, queryId } = await loadSubscription((await params).id);
  await Promise.all([api.subscriptions.get.prefetch({ id }), api.queries.get.prefetch({ id: queryId })]);
  return (
    <HydrateClient>
      <InProject id={projectId}>
        <EditSubscription id={id} />
      </InProject>
    </HydrateClient>
  );
}

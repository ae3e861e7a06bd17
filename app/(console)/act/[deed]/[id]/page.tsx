import type { Metadata } from "next";
import { notFound } from "next/navigation";
import { createLoader, parseAsStringLiteral, type SearchParams } from "nuqs/server";
import { loadAnomaly } from "@/components/anomalies/load-anomaly.ts";
import { loadContract } from "@/components/data-quality/load-contract.ts";
import { firstOf } from "@/components/incidents/first-problems.ts";
import { loadIncident } from "@/components/incidents/load-incident.ts";
import { AcknowledgeIncidentPage } from "@/components/notifications/acknowledge-incident-page.tsx";
import { AcknowledgePage } from "@/components/notifications/acknowledge-page.tsx";
import { SilenceContractPage, SilenceSubscriptionPage } from "@/components/notifications/silence-page.tsx";
import { TakeTaskPage } from "@/components/notifications/take-task-page.tsx";
import { loadSubscription } from "@/components/subscriptions/load-subscription.ts";
import { loadTask } from "@/components/tasks/load-task.ts";
import { api, HydrateClient } from "@/components/trpc/server.tsx";
import { deeds, silenceSpans } from "@/server/notifications/message-actions.ts";

type Props = { params: Promise<{ deed: string; id: string }>; searchParams: Promise<SearchParams> };

export const metadata: Metadata = { title: "Confirm" };

const loadSpan = createLoader({ span: parseAsStringLiteral(silenceSpans).withDefault("hour") });

/** What a link in a message leads to. Opening it changes nothing. */
export default async function Page({ params, searchParams }: Props) {
  const { deed, id } = await params;
  const { span } = await loadSpan(searchParams);
  return <HydrateClient>{await pageOf(deed, id, span)}</HydrateClient>;
}

async function pageOf(deed: string, wanted: string, span: (typeof silenceSpans)[number]) {
  switch (deeds.find((each) => each === deed)) {
    case "acknowledge": {
      const { id } = await loadAnomaly(wanted);
      await api.anomalies.get.prefetch({ id });
      return <AcknowledgePage id={id} />;
    }
    case "acknowledge-incident": {
      const { id } = await loadIncident(wanted);
      await api.incidents.get.prefetch(firstOf(id));
      return <AcknowledgeIncidentPage id={id} />;
    }
    case "silence-subscription": {
      const { id } = await loadSubscription(wanted);
      await api.subscriptions.get.prefetch({ id });
      return <SilenceSubscriptionPage id={id} span={span} />;
    }
    case "silence-contract": {
      const { id } = await loadContract(wanted);
      await api.dataQuality.contract.prefetch({ id });
      return <SilenceContractPage id={id} span={span} />;
    }
    case "take-task": {
      const { id } = await loadTask(wanted);
      await api.tasks.get.prefetch({ id });
      return <TakeTaskPage id={id} />;
    }
    default:
      return notFound();
  }
}

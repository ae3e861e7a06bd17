import type { ReactNode } from "react";
import { useMay } from "@/components/auth/use-me.ts";
import { NextRuns } from "@/components/cron/next-runs.tsx";
import { scheduleWords } from "@/components/cron/schedule-words.ts";
import { useProject } from "@/components/projects/use-project.ts";
import { SilenceNote } from "@/components/silences/silence-note.tsx";
import { isSilenced } from "@/components/silences/silence-words.ts";
import { trpc } from "@/components/trpc/client.tsx";
import { Badge } from "@/components/ui/badge.tsx";
import { formatDuration } from "@/components/ui/format.ts";
import { Link } from "@/components/ui/link.tsx";
import { Moment, useNow } from "@/components/ui/moment.tsx";
import { Skeleton } from "@/components/ui/skeleton.tsx";
import type { Subscription } from "@/server/subscriptions/schema.ts";
import { conditionWords, detectionWords, parameterWords } from "./condition-words.ts";

/** Next to the runs: recipients, condition, schedule, and parameters. */
export function SubscriptionSide({ subscription }: { subscription: Subscription }) {
  const { cronExpression, timezone, enabled, anomalyDetection, createTasks, owner } = subscription;
  const words = scheduleWords(cronExpression);
  const parameters = Object.entries(subscription.parameters);
  return (
    <aside className="flex min-w-0 flex-col gap-5 text-sm">
      <Section title="Notifies">
        <p>{conditionWords(subscription.condition)}</p>
        <Told subscription={subscription} />
      </Section>
      <Section title="Schedule">
        <p>
          {words ?? cronExpression} <span className="text-ink-3">{timezone}</span>
        </p>
        {words && <p className="font-mono text-xs text-ink-3">{cronExpression}</p>}
        {subscription.approval ? (
          <p className="text-ink-2">Nothing runs until an Admin approves the query.</p>
        ) : enabled ? (
          <div className="pt-1">
            <NextRuns expression={cronExpression} timezone={timezone} />
          </div>
        ) : (
          <p className="text-ink-2">The schedule is off; it runs only manually.</p>
        )}
      </Section>
      {parameters.length > 0 && (
        <Section title="Parameters">
          <dl className="grid grid-cols-[auto_minmax(0,1fr)] gap-x-3">
            {parameters.map(([name, value]) => (
              <div key={name} className="contents">
                <dt className="font-mono text-xs leading-5 text-ink-3">{name}</dt>
                <dd className="break-words">{parameterWords(value)}</dd>
              </div>
            ))}
          </dl>
        </Section>
      )}
      <Section title="Looks for anomalies">
        <p className="text-ink-2">
          {anomalyDetection.enabled ? `${detectionWords(anomalyDetection)}.` : "Not for this subscription."}
        </p>
      </Section>
      <p className="text-xs text-ink-3">
        {createTasks ? "Opens a task when the condition is met. " : "Opens no tasks. "}
        Time limit {formatDuration(subscription.timeoutSeconds * 1000)}. Written{" "}
        <Moment at={subscription.createdAt} />
        {owner && ` by ${owner.name}, who is notified when it cannot run`}.
      </p>
    </aside>
  );
}

function Told({ subscription }: { subscription: Subscription }) {
  const { href } = useProject();
  const { projectId, recipientIds } = subscription;
  const mayChange = useMay("subscriptions:configure");
  const silenced = isSilenced(subscription, useNow());
  const { data } = trpc.recipients.list.useQuery({ projectId }, { enabled: recipientIds.length > 0 });
  if (recipientIds.length === 0)
    return (
      <p className="text-ink-2">
        Nobody is notified: it has no recipients.{" "}
        {mayChange && (
          <Link href={href(`/subscriptions/${subscription.id}/edit`)} className="text-accent underline">
            Choose some
          </Link>
        )}
      </p>
    );
  if (!data) return <Skeleton className="w-40" />;
  return (
    <>
      {silenced && <SilenceNote {...subscription} />}
      <ul className="flex flex-col">
        {data.items
          .filter(({ id }) => recipientIds.includes(id))
          .map((recipient) => (
            <li key={recipient.id} className="flex items-baseline gap-2 py-0.5">
              <Link
                href={href(`/notifications?recipient=${recipient.id}`)}
                className="truncate hover:underline"
                title={`What was sent to ${recipient.destination}`}
              >
                {recipient.name}
              </Link>
              <span className="text-xs text-ink-3">{recipient.type}</span>
              {!recipient.enabled && <Badge>disabled</Badge>}
            </li>
          ))}
      </ul>
    </>
  );
}

function Section({ title, children }: { title: string; children: ReactNode }) {
  return (
    <section className="flex flex-col gap-1">
      <h2 className="text-sm font-semibold">{title}</h2>
      {children}
    </section>
  );
}

"use client";
import { useProject } from "@/components/projects/use-project.ts";
import { Outcome } from "@/components/subscriptions/outcome.tsx";
import { Badge } from "@/components/ui/badge.tsx";
import { Lock } from "@/components/ui/icons.tsx";
import { Link } from "@/components/ui/link.tsx";
import { Moment, useNow } from "@/components/ui/moment.tsx";
import type { ActorDetail } from "@/server/actors/schema.ts";
import { nextRuns } from "@/server/jobs/cron.ts";
import { cronWords } from "./action-words.ts";

/** The queries an actor created, each with its subscriptions. */
export function ActorWatches({ actor }: { actor: ActorDetail }) {
  const { href } = useProject();
  const { queries, subscriptions } = actor;
  return (
    <section aria-label="What it watches" className="flex flex-col gap-2">
      <h2 className="text-sm font-semibold">
        What it watches{" "}
        {queries.length > 0 && <span className="font-normal text-ink-3 tabular-nums">{queries.length}</span>}
      </h2>
      {queries.length === 0 ? (
        <p className="border-t pt-3 text-ink-2">
          No queries yet.{" "}
          {actor.pendingPlanCount > 0
            ? "What it proposes waits for a decision above."
            : "The queries it creates are listed here with their subscriptions."}
        </p>
      ) : (
        <ul className="border-t">
          {queries.map(({ id, name, isLocked, activeVersion }) => {
            const own = subscriptions.filter(({ queryId }) => queryId === id);
            return (
              <li
                key={id}
                className="grid items-baseline gap-x-6 border-b py-1.5 md:grid-cols-[minmax(0,2fr)_minmax(0,3fr)]"
              >
                <span className="flex min-w-0 items-baseline gap-2">
                  <Link
                    href={href(`/queries/${id}`)}
                    className="truncate font-medium hover:underline"
                    title={name}
                  >
                    {name}
                  </Link>
                  {activeVersion > 1 && (
                    <span className="shrink-0 text-xs text-ink-3 tabular-nums">v{activeVersion}</span>
                  )}
                  {isLocked && (
                    <span
                      className="shrink-0 self-center text-ink-3"
                      title="Locked: the actor can neither see nor change it"
                    >
                      <Lock aria-hidden className="size-3.5" />
                      <span className="sr-only">locked</span>
                    </span>
                  )}
                </span>
                {own.length === 0 ? (
                  <span className="text-ink-3">No subscription runs it</span>
                ) : (
                  <ul className="min-w-0">
                    {own.map((subscription) => (
                      <li key={subscription.id} className="flex flex-wrap items-baseline gap-x-3">
                        <Link
                          href={href(`/subscriptions/${subscription.id}`)}
                          className="text-ink-2 hover:underline"
                          title={`${subscription.cronExpression}, ${subscription.timezone}`}
                        >
                          {cronWords(subscription.cronExpression)}
                          {subscription.timezone !== "UTC" && ` (${subscription.timezone})`}
                        </Link>
                        <LastOutcome run={subscription.lastExecution} />
                        <span className="ml-auto text-xs whitespace-nowrap text-ink-3">
                          {subscription.enabled ? (
                            <NextRun
                              cronExpression={subscription.cronExpression}
                              timezone={subscription.timezone}
                            />
                          ) : (
                            <Badge>disabled</Badge>
                          )}
                        </span>
                      </li>
                    ))}
                  </ul>
                )}
              </li>
            );
          })}
        </ul>
      )}
    </section>
  );
}

function LastOutcome({ run }: { run: ActorDetail["subscriptions"][number]["lastExecution"] }) {
  if (!run) return <span className="text-xs text-ink-3">not run yet</span>;
  return (
    <span className="inline-flex items-baseline gap-2 text-xs [&_svg]:size-3.5">
      <Outcome outcome={run.outcome} />
      <Moment at={run.executedAt} className="whitespace-nowrap text-ink-3" />
    </span>
  );
}

function NextRun({ cronExpression, timezone }: { cronExpression: string; timezone: string }) {
  const now = useNow();
  const next = now === null ? undefined : nextRuns(cronExpression, timezone, new Date(now), 1)[0];
  return next ? (
    <>
      next <Moment at={next} />
    </>
  ) : null;
}

"use client";
import dynamic from "next/dynamic";
import { Badge } from "@/components/ui/badge.tsx";
import { Skeleton } from "@/components/ui/skeleton.tsx";
import type { DataSource } from "@/server/data-sources/schema.ts";
import type { Step } from "@/server/queries/schema.ts";
import { textOfStep } from "./query-draft.ts";

// Loaded only for comparisons.
const TextDiff = dynamic(() => import("./text-diff.tsx").then((module) => module.TextDiff), {
  ssr: false,
  loading: () => <Skeleton className="h-40 w-full rounded-md" />,
});

type Side = { label: string; steps: readonly Step[] };

/** Compares two versions of a query's steps, position by position. */
export function StepsDiff({
  before,
  after,
  sources,
}: {
  before: Side;
  after: Side;
  sources: readonly DataSource[];
}) {
  const places = Array.from(
    { length: Math.max(before.steps.length, after.steps.length) },
    (_, place) => place,
  );
  const nameOf = (id: number | null) =>
    id === null
      ? "earlier results"
      : (sources.find((source) => source.id === id)?.name ?? `data source ${id}`);
  return (
    <div className="flex flex-col gap-6">
      {places.map((place) => {
        const [old, now] = [before.steps[place], after.steps[place]];
        const [was, is] = [old ? textOfStep(old) : "", now ? textOfStep(now) : ""];
        const source = sources.find(({ id }) => id === (now ?? old)?.dataSourceId);
        const facts = old && now ? factsThatDiffer(old, now, nameOf) : [];
        return (
          <section key={place} aria-label={`Step ${place + 1}`} className="flex flex-col gap-2">
            <div className="flex flex-wrap items-center gap-2">
              <h3 className="text-sm font-medium">
                <span className="pr-2 text-ink-3 tabular-nums">{place + 1}</span>
                {(now ?? old)?.name}
              </h3>
              <span className="text-ink-3">{nameOf((now ?? old)?.dataSourceId ?? null)}</span>
              {!old && <Badge tone="ok">only in {after.label}</Badge>}
              {!now && <Badge tone="critical">only in {before.label}</Badge>}
              {old && now && was === is && facts.length === 0 && <Badge>the same in both</Badge>}
            </div>
            {facts.map((fact) => (
              <p key={fact} className="text-ink-2">
                {fact}
              </p>
            ))}
            {was !== is && (
              <TextDiff
                key={`${was}\u0000${is}`}
                before={was}
                beforeLabel={before.label}
                after={is}
                afterLabel={after.label}
                engine={source?.kind ?? null}
              />
            )}
          </section>
        );
      })}
    </div>
  );
}

function factsThatDiffer(old: Step, now: Step, nameOf: (id: number | null) => string): string[] {
  return [
    old.name !== now.name && `Name: “${old.name}” is now “${now.name}”`,
    old.dataSourceId !== now.dataSourceId &&
      `Data source: ${nameOf(old.dataSourceId)} is now ${nameOf(now.dataSourceId)}`,
  ].filter((fact) => fact !== false);
}

"use client";
import dynamic from "next/dynamic";
import { useState } from "react";
import { useProject } from "@/components/projects/use-project.ts";
import { Button } from "@/components/ui/button.tsx";
import { Link } from "@/components/ui/link.tsx";
import { Skeleton } from "@/components/ui/skeleton.tsx";
import type { Plan } from "@/server/actors/schema.ts";
import { actionTitle, kindWords } from "./action-words.ts";
import { ChangeBadge } from "./change-badge.tsx";
import type { PlanDifference } from "./plan-difference.ts";

// Loaded only for comparisons.
const WordDiff = dynamic(() => import("./word-diff.tsx").then((module) => module.WordDiff), {
  ssr: false,
  loading: () => <Skeleton className="w-full max-w-prose" />,
});

/** How many removed items are listed before the rest is collapsed. */
const few = 3;

/** What is new in this version, apart from the changes shown on its actions. */
export function PlanComparison({
  plan,
  former,
  difference: { counts, removed, findings, isAnalysisChanged },
}: {
  plan: Plan;
  former: Plan;
  difference: PlanDifference;
}) {
  const { href } = useProject();
  const [showsAll, setShowsAll] = useState(false);
  const parts = [
    counts.added > 0 && `${counts.added} added`,
    counts.removed > 0 && `${counts.removed} removed`,
    counts.changed > 0 && `${counts.changed} changed`,
    counts.same > 0 && `${counts.same} the same`,
  ].filter(Boolean);
  const areSame = counts.added + counts.removed + counts.changed === 0;
  return (
    <section
      aria-label="What has changed"
      className="mb-6 flex flex-col gap-3 rounded-md border bg-sunken px-3 py-2.5"
    >
      <h2 className="font-medium">
        Since{" "}
        <Link href={href(`/ai-actors/plans/${former.id}`)} className="text-accent underline">
          version {former.version}
        </Link>
        : {areSame ? "the same actions" : `actions ${parts.join(", ")}`}
      </h2>
      {former.status === "RevisionRequested" && former.decisionReason && (
        <blockquote className="max-w-prose border-l-2 border-accent pl-3 break-words whitespace-pre-wrap">
          “{former.decisionReason}”
          {former.reviewer && <span className="text-ink-3"> {former.reviewer.name}</span>}
        </blockquote>
      )}
      {removed.length > 0 && (
        <ul aria-label="Removed actions" className="flex flex-col gap-1">
          {removed.slice(0, showsAll ? undefined : few).map(({ former: action }) => (
            <li key={action.index} className="flex min-w-0 items-center gap-2">
              <ChangeBadge change="removed" />
              <span className="shrink-0 text-ink-3">{kindWords[action.kind].word}</span>
              <del className="truncate decoration-critical">{actionTitle(action)}</del>
            </li>
          ))}
          {removed.length > few && (
            <li>
              <Button
                variant="ghost"
                size="sm"
                className="-ml-2"
                aria-expanded={showsAll}
                onClick={() => setShowsAll(!showsAll)}
              >
                {showsAll ? "Show fewer" : `Show all ${removed.length} that are removed`}
              </Button>
            </li>
          )}
        </ul>
      )}
      {(findings.added.length > 0 || findings.removed.length > 0) && (
        <ul aria-label="Changed findings" className="flex max-w-prose list-disc flex-col gap-1 pl-5">
          {findings.removed.map((finding) => (
            <li key={`- ${finding}`}>
              <del className="text-ink-2 decoration-critical">{finding}</del>
            </li>
          ))}
          {findings.added.map((finding) => (
            <li key={`+ ${finding}`}>
              <ins className="decoration-ok underline-offset-4">{finding}</ins>
            </li>
          ))}
        </ul>
      )}
      {isAnalysisChanged ? (
        <details className="group">
          <summary className="cursor-pointer text-accent">How the analysis has changed</summary>
          <div className="pt-2">
            <WordDiff before={former.analysis} after={plan.analysis} />
          </div>
        </details>
      ) : (
        <p className="text-ink-2">The analysis is the same.</p>
      )}
    </section>
  );
}

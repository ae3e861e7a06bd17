"use client";
import { useRouter } from "next/navigation";
import { useProject } from "@/components/projects/use-project.ts";
import { formatCount, formatNumber } from "@/components/ui/format.ts";
import { Moment } from "@/components/ui/moment.tsx";
import { PageHeader } from "@/components/ui/page-header.tsx";
import { Select } from "@/components/ui/select.tsx";
import type { Plan } from "@/server/actors/schema.ts";
import { ActorIcon, PlanStatus } from "./looks.tsx";
import { exactCost, formatCost } from "./money.ts";
import { planTitle } from "./plan-words.ts";

/** Which actor, why, which version, which model at what cost, and how old. */
export function PlanHeader({
  plan,
  versions,
  compared,
  onCompare,
}: {
  plan: Plan;
  /** All versions, oldest first. */
  versions: readonly Plan[];
  compared: Plan | null;
  onCompare: (version: number | null) => void;
}) {
  const { href } = useProject();
  const router = useRouter();
  const earlier = versions.filter(({ version }) => version < plan.version).toReversed();
  const last = versions.at(-1)?.version ?? plan.version;
  return (
    <PageHeader
      parent={{ href: href(`/ai-actors/${plan.actorId}`), label: plan.actorName }}
      title={planTitle(plan)}
      description={
        <span className="inline-flex flex-wrap items-center gap-x-3 gap-y-1">
          <PlanStatus status={plan.status} />
          {last === 1 && <span className="text-ink-3">version 1</span>}
          <span className="inline-flex items-center gap-1 text-ink-2" title="Created by">
            <ActorIcon aria-hidden className="size-4 text-ink-3" />
            {plan.model}
          </span>
          {plan.tokensUsed > 0 && (
            <span className="text-ink-3 tabular-nums" title={`${formatNumber(plan.tokensUsed)} tokens`}>
              {formatCount(plan.tokensUsed)} tokens
            </span>
          )}
          {/* What an assistant costs is not known here. */}
          {(plan.tokensUsed > 0 || plan.estimatedCost !== null) && (
            <span className="text-ink-3 tabular-nums" title={exactCost(plan.estimatedCost)}>
              cost {formatCost(plan.estimatedCost)}
            </span>
          )}
          <span className="text-ink-3">
            proposed <Moment at={plan.proposedAt} />
          </span>
        </span>
      }
      filters={
        last > 1 && (
          <>
            <Select
              aria-label="Version"
              className="w-auto min-w-36"
              value={String(plan.version)}
              onValueChange={(version) => {
                const chosen = versions.find((each) => String(each.version) === version);
                if (chosen && chosen.id !== plan.id) router.push(href(`/ai-actors/plans/${chosen.id}`));
              }}
              options={versions
                .map(({ version }) => ({ value: String(version), label: `Version ${version} of ${last}` }))
                .toReversed()}
            />
            {earlier.length > 0 && (
              <Select
                aria-label="Compare with"
                className="w-auto min-w-52"
                value={String(compared?.version ?? 0)}
                onValueChange={(version) => onCompare(version === "0" ? null : Number(version))}
                options={[
                  ...earlier.map(({ version }) => ({
                    value: String(version),
                    label: `Compared with version ${version}`,
                  })),
                  { value: "0", label: "Not compared" },
                ]}
              />
            )}
          </>
        )
      }
    />
  );
}

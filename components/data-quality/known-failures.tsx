"use client";
import { useState } from "react";
import { useMay } from "@/components/auth/use-me.ts";
import { trpc } from "@/components/trpc/client.tsx";
import { messageOf } from "@/components/trpc/errors.ts";
import { Button } from "@/components/ui/button.tsx";
import { Menu, MenuContent, MenuItem, MenuLabel, MenuTrigger } from "@/components/ui/dropdown-menu.tsx";
import { plural } from "@/components/ui/format.ts";
import { UntilDialog } from "@/components/ui/until-dialog.tsx";
import type { Evaluation, RuleResult } from "@/server/data-quality/evaluations/schema.ts";
import { groupWords } from "@/server/data-quality/group-words.ts";
import { isLasting } from "./is-lasting.ts";
import { KnownFailureLine } from "./known-failure-line.tsx";
import { useAllGroups } from "./use-all-groups.ts";

type Place = { evaluationId: number; position: number };
type Asked = { title: string; about: { group: Place } | { value: Place } | null };

/**
 * What is known of a rule's failure, each with a button to end it, and one to mark all that fails, a group, or a value as
 * known.
 */
export function KnownFailures({
  contractId,
  ruleKey,
  ruleName,
  evaluation,
  result,
}: {
  contractId: number;
  ruleKey: string;
  ruleName: string;
  evaluation: Pick<Evaluation, "id">;
  result: Pick<RuleResult, "ruleId" | "passed" | "couldRun" | "knownFailures" | "groups">;
}) {
  const [asked, setAsked] = useState<Asked | null>(null);
  const mayMark = useMay("contracts:configure");
  const utils = trpc.useUtils();
  const list = trpc.dataQuality.knownFailures.useQuery(
    { id: contractId },
    { enabled: mayMark && (result.knownFailures.length > 0 || !result.passed) },
  );
  const mark = trpc.dataQuality.markKnownFailure.useMutation();
  const groups = useAllGroups(evaluation, result.ruleId, result.groups);
  // The same query as that of the failing rows, which are shown above.
  const samples = trpc.dataQuality.samples.useQuery(
    { id: evaluation.id, ruleId: result.ruleId },
    {
      enabled: mayMark && !result.passed && result.couldRun && groups === null,
      retry: false,
      staleTime: Number.POSITIVE_INFINITY,
    },
  );
  const lasting = (list.data?.items ?? []).filter(
    (known) => known.ruleKey === ruleKey && isLasting(known, Date.now()),
  );
  if (!mayMark) return null;
  const mayAdd = !result.passed && result.couldRun && lasting.every(({ group }) => group !== null);
  if (lasting.length === 0 && !mayAdd) return null;
  const askAll = () => setAsked({ title: ruleName, about: null });
  const place = (position: number) => ({ evaluationId: evaluation.id, position });
  const byValue = samples.data?.byValue;
  const parts = groups
    ? groups.worst.map(({ values }, position) => ({
        words: groupWords(groups.columns, values),
        about: { group: place(position) },
      }))
    : (byValue?.values ?? []).map(({ value, rows }, position) => ({
        words: groupWords([{ name: byValue?.column ?? "", type: "" }], [value]),
        hint: plural(rows, "row"),
        about: { value: place(position) },
      }));
  return (
    <>
      <dt className="text-ink-3">Known</dt>
      <dd className="flex min-w-0 flex-col items-start gap-1">
        {lasting.map((known) => (
          <KnownFailureLine key={known.id} contractId={contractId} known={known} />
        ))}
        {mayAdd && parts.length === 0 && (
          <Button size="sm" onClick={askAll}>
            Known, until…
          </Button>
        )}
        {mayAdd && parts.length > 0 && (
          <Menu>
            <MenuTrigger>
              <Button size="sm">Known, until…</Button>
            </MenuTrigger>
            <MenuContent align="start" className="max-w-80">
              <MenuItem onSelect={askAll}>All that fails</MenuItem>
              <MenuLabel>{groups ? "One group" : "One value"}</MenuLabel>
              {parts.map(({ words, about, ...part }, position) => (
                <MenuItem
                  // biome-ignore lint/suspicious/noArrayIndexKey: masked ones can read alike; the place tells them apart
                  key={position}
                  onSelect={() => setAsked({ title: `${ruleName}, ${words}`, about })}
                >
                  <span className="flex min-w-0 flex-1 justify-between gap-4">
                    <span className="min-w-0 truncate" title={words}>
                      {words}
                    </span>
                    {"hint" in part && <span className="shrink-0 text-ink-3 tabular-nums">{part.hint}</span>}
                  </span>
                </MenuItem>
              ))}
            </MenuContent>
          </Menu>
        )}
        <UntilDialog
          open={asked !== null}
          onOpenChange={(open) => !open && setAsked(null)}
          title={`Mark as known: ${asked?.title ?? ruleName}`}
          description="Until then its failing rows are measured and shown, but do not fail the rule or lower the score. This begins with the next evaluation."
          confirm="Mark as known"
          reason="required"
          onConfirm={async (until, reason) => {
            const about = asked?.about ?? {};
            await mark.mutateAsync({ id: contractId, ruleKey, ...about, until: until.toISOString(), reason });
            await utils.dataQuality.knownFailures.invalidate();
          }}
          explain={messageOf}
        />
      </dd>
    </>
  );
}

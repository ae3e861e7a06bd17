"use client";
import { useState } from "react";
import { useMay } from "@/components/auth/use-me.ts";
import { trpc } from "@/components/trpc/client.tsx";
import { messageOf } from "@/components/trpc/errors.ts";
import { Button } from "@/components/ui/button.tsx";
import { Menu, MenuContent, MenuItem, MenuLabel, MenuTrigger } from "@/components/ui/dropdown-menu.tsx";
import { UntilDialog } from "@/components/ui/until-dialog.tsx";
import { groupWords } from "@/server/data-quality/group-words.ts";
import type { Evaluation, RuleResult } from "@/server/data-quality/schema.ts";
import { isLasting } from "./is-lasting.ts";
import { KnownFailureLine } from "./known-failure-line.tsx";
import { useAllGroups } from "./use-all-groups.ts";

type Asked = { title: string; group: { evaluationId: number; position: number } | null };

/** What is known of a rule's failure, each with a button to end it, and one to mark all that fails, or a group, as known. */
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
  const lasting = (list.data?.items ?? []).filter(
    (known) => known.ruleKey === ruleKey && isLasting(known, Date.now()),
  );
  if (!mayMark) return null;
  const mayAdd = !result.passed && result.couldRun && lasting.every(({ group }) => group !== null);
  if (lasting.length === 0 && !mayAdd) return null;
  const askAll = () => setAsked({ title: ruleName, group: null });
  const failing = (groups?.worst ?? []).map(({ values }) => groupWords(groups?.columns ?? [], values));
  return (
    <>
      <dt className="text-ink-3">Known</dt>
      <dd className="flex min-w-0 flex-col items-start gap-1">
        {lasting.map((known) => (
          <KnownFailureLine key={known.id} contractId={contractId} known={known} />
        ))}
        {mayAdd && failing.length === 0 && (
          <Button size="sm" onClick={askAll}>
            Known, until…
          </Button>
        )}
        {mayAdd && failing.length > 0 && (
          <Menu>
            <MenuTrigger>
              <Button size="sm">Known, until…</Button>
            </MenuTrigger>
            <MenuContent align="start" className="max-w-80">
              <MenuItem onSelect={askAll}>All that fails</MenuItem>
              <MenuLabel>One group</MenuLabel>
              {failing.map((words, position) => (
                <MenuItem
                  // biome-ignore lint/suspicious/noArrayIndexKey: masked groups can read alike; the place tells them apart
                  key={position}
                  onSelect={() =>
                    setAsked({
                      title: `${ruleName}, ${words}`,
                      group: { evaluationId: evaluation.id, position },
                    })
                  }
                >
                  <span className="min-w-0 truncate" title={words}>
                    {words}
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
            const group = asked?.group ?? undefined;
            await mark.mutateAsync({ id: contractId, ruleKey, group, until: until.toISOString(), reason });
            await utils.dataQuality.knownFailures.invalidate();
          }}
          explain={messageOf}
        />
      </dd>
    </>
  );
}

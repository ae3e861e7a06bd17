"use client";
import { useState } from "react";
import { useMay } from "@/components/auth/use-me.ts";
import { trpc } from "@/components/trpc/client.tsx";
import { messageOf } from "@/components/trpc/errors.ts";
import { Button } from "@/components/ui/button.tsx";
import { Moment } from "@/components/ui/moment.tsx";
import { toast } from "@/components/ui/toaster.tsx";
import { UntilDialog } from "@/components/ui/until-dialog.tsx";
import type { RuleResult } from "@/server/data-quality/schema.ts";

/** What is known of a rule's failure, each with a button to end it, and one to mark all that fails as known. */
export function KnownFailures({
  contractId,
  ruleKey,
  ruleName,
  result,
}: {
  contractId: number;
  ruleKey: string;
  ruleName: string;
  result: Pick<RuleResult, "passed" | "couldRun" | "knownFailures">;
}) {
  const [asks, setAsks] = useState(false);
  const mayMark = useMay("contracts:configure");
  const utils = trpc.useUtils();
  const list = trpc.dataQuality.knownFailures.useQuery(
    { id: contractId },
    { enabled: mayMark && (result.knownFailures.length > 0 || !result.passed) },
  );
  const mark = trpc.dataQuality.markKnownFailure.useMutation();
  const end = trpc.dataQuality.endKnownFailure.useMutation({
    onSuccess: async () => {
      toast.success("The next evaluation counts it again");
      await utils.dataQuality.knownFailures.invalidate();
    },
    onError: (error) => toast.error("It could not be ended", { description: messageOf(error) }),
  });
  const lasting = (list.data?.items ?? []).filter(
    (known) =>
      known.ruleKey === ruleKey && known.endedAt === null && new Date(known.until).getTime() > Date.now(),
  );
  if (!mayMark) return null;
  const mayAdd = !result.passed && result.couldRun && lasting.every(({ group }) => group !== null);
  if (lasting.length === 0 && !mayAdd) return null;
  return (
    <>
      <dt className="text-ink-3">Known</dt>
      <dd className="flex min-w-0 flex-col items-start gap-1">
        {lasting.map(({ id, group, until, reason, by }) => (
          <span key={id} className="flex flex-wrap items-center gap-x-2 break-words">
            <span>
              {group ?? "all that fails"} until <Moment at={until} exact />: {reason} ({by.name})
            </span>
            <Button
              size="sm"
              variant="ghost"
              onClick={() => end.mutate({ id: contractId, failureId: id })}
              disabled={end.isPending}
            >
              End
            </Button>
          </span>
        ))}
        {mayAdd && (
          <Button size="sm" onClick={() => setAsks(true)}>
            Known, until…
          </Button>
        )}
        <UntilDialog
          open={asks}
          onOpenChange={setAsks}
          title={`Mark as known: ${ruleName}`}
          description="Until then its failing rows are measured and shown, but do not fail the rule or lower the score. This begins with the next evaluation."
          confirm="Mark as known"
          reason="required"
          onConfirm={async (until, reason) => {
            await mark.mutateAsync({ id: contractId, ruleKey, until: until.toISOString(), reason });
            await utils.dataQuality.knownFailures.invalidate();
          }}
          explain={messageOf}
        />
      </dd>
    </>
  );
}

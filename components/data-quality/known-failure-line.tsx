"use client";
import { useMay } from "@/components/auth/use-me.ts";
import { trpc } from "@/components/trpc/client.tsx";
import { messageOf } from "@/components/trpc/errors.ts";
import { Button } from "@/components/ui/button.tsx";
import { Moment } from "@/components/ui/moment.tsx";
import { toast } from "@/components/ui/toaster.tsx";
import type { KnownFailure } from "@/server/data-quality/known-failure-schema.ts";

/** One known failure in words, with a button that ends it. */
export function KnownFailureLine({
  contractId,
  known,
  ofRule,
}: {
  contractId: number;
  known: KnownFailure;
  /** Says which rule it is of, too. */
  ofRule?: boolean;
}) {
  const { id, ruleName, group, until, reason, by } = known;
  const mayEnd = useMay("contracts:configure");
  const utils = trpc.useUtils();
  const end = trpc.dataQuality.endKnownFailure.useMutation({
    onSuccess: async () => {
      toast.success("The next evaluation counts it again");
      await utils.dataQuality.knownFailures.invalidate();
    },
    onError: (error) => toast.error("It could not be ended", { description: messageOf(error) }),
  });
  const what = group ?? "all that fails";
  return (
    <span className="flex min-w-0 flex-wrap items-center gap-x-2">
      <span className="min-w-0 break-words">
        {ofRule && <span className="font-medium">{ruleName}: </span>}
        {what} until <Moment at={until} exact />: {reason} ({by.name})
      </span>
      {mayEnd && (
        <Button
          size="sm"
          variant="ghost"
          aria-label={`End what is known of ${ruleName}, ${what}`}
          onClick={() => end.mutate({ id: contractId, failureId: id })}
          disabled={end.isPending}
        >
          End
        </Button>
      )}
    </span>
  );
}

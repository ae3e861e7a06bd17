"use client";
import { useProject } from "@/components/projects/use-project.ts";
import { trpc } from "@/components/trpc/client.tsx";
import { Link } from "@/components/ui/link.tsx";
import { useHydrated } from "@/components/ui/use-hydrated.ts";
import type { KnownFailure } from "@/server/data-quality/known-failure-schema.ts";
import { isLasting } from "./is-lasting.ts";
import { KnownFailureLine } from "./known-failure-line.tsx";

/** What of a stored rule's failures is known at this time. */
export function useKnownFailuresOf(
  contractId: number | undefined,
  ruleKey: string | undefined,
): readonly KnownFailure[] {
  const isHydrated = useHydrated();
  const isStored = contractId !== undefined && ruleKey !== undefined;
  const { data } = trpc.dataQuality.knownFailures.useQuery({ id: contractId ?? 0 }, { enabled: isStored });
  if (!isStored || !isHydrated) return [];
  return (data?.items ?? []).filter((known) => known.ruleKey === ruleKey && isLasting(known, Date.now()));
}

/** In the editor: what is known, and where more is marked as such. */
export function RuleKnownFailures({
  contractId,
  ruleKey,
  known,
}: {
  contractId: number | undefined;
  ruleKey: string | undefined;
  known: readonly KnownFailure[];
}) {
  const { href } = useProject();
  if (contractId === undefined || ruleKey === undefined) return null;
  return (
    <section aria-label="Known failures" className="flex flex-col gap-1">
      <h4 className="text-xs font-medium text-ink-2">Known failures</h4>
      {known.map((each) => (
        <KnownFailureLine key={each.id} contractId={contractId} known={each} />
      ))}
      <p className="text-xs text-ink-3">
        {known.length === 0 && "None. "}Mark what fails as known until a date on the{" "}
        <Link href={href(`/data-quality/contracts/${contractId}`)} className="underline">
          contract's page
        </Link>
        , beside the rule's result.
      </p>
    </section>
  );
}

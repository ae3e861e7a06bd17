/** Shown instead of a score while the data source is unreachable. */
import type { ReactNode } from "react";
import { Moment } from "@/components/ui/moment.tsx";
import { asSentence } from "@/components/ui/sentence.ts";
import { StatusIcon } from "@/components/ui/status.tsx";
import type { Contract } from "@/server/data-quality/schema.ts";
import { formatScore } from "./score.tsx";

type Outage = NonNullable<Contract["outage"]>;

/** Since when, why, and how old the surrounding figures are. */
export function OutageNote({
  outage: { since, reason },
  measured,
  children,
}: {
  outage: Outage;
  measured: { score: number; evaluatedAt: string } | null;
  children?: ReactNode;
}) {
  return (
    <div role="note" className="mb-3 flex items-start gap-2 border-y py-2 text-ink-2">
      <StatusIcon kind="stalled" className="mt-0.5" />
      <p className="min-w-0 break-words">
        <span className="font-medium text-ink">
          Could not be evaluated since <Moment at={since} exact />.
        </span>{" "}
        {asSentence(reason)}{" "}
        {measured ? (
          <>
            The last measured score is {formatScore(measured.score)}, from{" "}
            <Moment at={measured.evaluatedAt} exact />.
          </>
        ) : (
          "No evaluations yet."
        )}{" "}
        {children}
      </p>
    </div>
  );
}

/** The same as one line, for lists. */
export function outageTitle({ since, reason }: Outage): string {
  return `Could not be evaluated since ${since}: ${reason}`;
}

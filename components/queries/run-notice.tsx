"use client";
import { parseAsInteger, useQueryState } from "nuqs";
import { Button } from "@/components/ui/button.tsx";
import { History, X } from "@/components/ui/icons.tsx";
import { Moment } from "@/components/ui/moment.tsx";
import type { Execution } from "@/server/subscriptions/schema.ts";

/** Says that the parameters are those of a subscription's run, and where the query has changed since. */
export function RunNotice({
  run: { executedAt, parameters, queryVersion },
  activeVersion,
}: {
  run: Execution;
  activeVersion: number;
}) {
  const [, setRun] = useQueryState("run", parseAsInteger);
  const names = Object.keys(parameters ?? {});
  return (
    <section
      aria-label="Opened from a run"
      className="mb-4 flex items-start gap-2 rounded-md border bg-surface px-3 py-2"
    >
      <History aria-hidden className="mt-0.5 size-4 shrink-0 text-ink-3" />
      <p className="min-w-0 flex-1">
        Opened from the run of <Moment at={executedAt} exact />.{" "}
        {parameters === null
          ? "Its parameters were not stored."
          : names.length === 0
            ? "It had no parameters."
            : "Its parameters are filled in below."}
        {queryVersion !== activeVersion && (
          <span className="text-ink-2">
            {" "}
            It ran version {queryVersion}; the editor shows version {activeVersion}.
          </span>
        )}
      </p>
      <Button
        variant="ghost"
        size="icon-sm"
        icon={X}
        className="-my-1"
        aria-label="Clear the values of the run"
        onClick={() => void setRun(null)}
      />
    </section>
  );
}

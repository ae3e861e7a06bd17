"use client";
import { useMemo, useState } from "react";
import {
  type ParameterDrafts,
  type ParameterReading,
  readParameters,
} from "@/components/queries/parameter-values.ts";
import { ParametersForm } from "@/components/queries/parameters-form.tsx";
import { asWrites } from "@/components/queries/query-draft.ts";
import { type Run, useRuns } from "@/components/runs/use-run.ts";
import { trpc } from "@/components/trpc/client.tsx";
import { Button } from "@/components/ui/button.tsx";
import { GitCompareArrows, Square } from "@/components/ui/icons.tsx";
import type { Preview, Step } from "@/server/queries/schema.ts";
import { parametersOf } from "@/server/queries/step-parameters.ts";
import { ComparedResult } from "./compared-result.tsx";
import { differenceWords } from "./difference-words.ts";
import { draftsOfValues } from "./parameter-drafts.ts";
import { resultDifference } from "./result-difference.ts";

export type Side = { label: string; version: number; steps: readonly Step[] };

const noValues: ParameterDrafts = {};

/** Runs both versions and shows their rows side by side. */
export function CompareResults({ queryId, before, after }: { queryId: number; before: Side; after: Side }) {
  const names = useMemo(() => parametersOf([...before.steps, ...after.steps]), [before, after]);
  const [typed, setTyped] = useState<ParameterDrafts>(noValues);
  /** Values are validated only after the first attempt to run. */
  const [judged, setJudged] = useState(false);
  const offered = useOfferedValues(queryId, names.length > 0);
  const drafts = { ...offered, ...typed };
  const reading = readParameters(names, drafts);
  const { client } = trpc.useUtils();
  const runs = useRuns<"before" | "after", Preview>();
  const [one, other] = [runs.of("before"), runs.of("after")];
  const isRunning = one?.state === "running" || other?.state === "running";

  const runBoth = () => {
    setJudged(true);
    if (Object.keys(reading.problems).length > 0) return;
    for (const [key, side] of [
      ["before", before],
      ["after", after],
    ] as const)
      void runs.start(key, ({ signal }) => client.queries.preview.mutate(inputOf(side, reading), { signal }));
  };
  const cancel = () => {
    runs.cancel("before");
    runs.cancel("after");
  };
  return (
    <section aria-label="Results" className="flex flex-col gap-3">
      <div className="flex flex-wrap items-center gap-x-3 gap-y-2">
        <h2 className="text-base font-semibold tracking-tight">Results</h2>
        <Button icon={GitCompareArrows} pending={isRunning} onClick={runBoth}>
          Compare results
        </Button>
        {isRunning && (
          <Button size="sm" icon={Square} onClick={cancel}>
            Cancel
          </Button>
        )}
        <span className="text-xs text-ink-3">
          Runs both versions, reading only: at most 1,000 rows and 30 s each.
        </span>
      </div>
      {names.length > 0 && (
        <ParametersForm
          names={names}
          drafts={drafts}
          problems={judged ? reading.problems : {}}
          onChange={(name, value) => setTyped((were) => ({ ...were, [name]: value }))}
        />
      )}
      {one && other && <Compared runs={[one, other]} labels={[before.label, after.label]} />}
    </section>
  );
}

function Compared({
  runs: [one, other],
  labels,
}: {
  runs: [Run<Preview>, Run<Preview>];
  labels: [string, string];
}) {
  const [was, is] = [one.state === "done" ? one.result : null, other.state === "done" ? other.result : null];
  const difference = useMemo(() => (was && is ? resultDifference(was, is) : null), [was, is]);
  return (
    <>
      <div role="status" className="empty:hidden">
        {was && is && difference && (
          <ul className="flex flex-col gap-0.5">
            {differenceWords(was, is, difference).map((sentence) => (
              <li key={sentence}>{sentence}</li>
            ))}
          </ul>
        )}
      </div>
      <div className="grid items-start gap-4 min-[900px]:grid-cols-2">
        <ComparedResult
          run={one}
          label={labels[0]}
          {...(difference && { marks: { as: "del", cells: difference.before } })}
        />
        <ComparedResult
          run={other}
          label={labels[1]}
          {...(difference && { marks: { as: "ins", cells: difference.after } })}
        />
      </div>
    </>
  );
}

/** A version's run input: the server rejects values for parameters its steps don't use. */
function inputOf({ steps }: Side, { values }: ParameterReading) {
  const parameters = Object.fromEntries(parametersOf(steps).map((name) => [name, values[name] ?? null]));
  return { steps: asWrites(steps), parameters };
}

/** The query's usual parameter values: those of its first subscription. */
function useOfferedValues(queryId: number, isAsked: boolean): ParameterDrafts {
  const list = trpc.subscriptions.list.useQuery({ queryId, pageSize: 500 }, { enabled: isAsked });
  const values = list.data?.items[0]?.parameters;
  return useMemo(() => (values ? draftsOfValues(values) : noValues), [values]);
}

"use client";
import dynamic from "next/dynamic";
import {
  parseAsInteger,
  parseAsNumberLiteral,
  parseAsStringLiteral,
  useQueryState,
  useQueryStates,
} from "nuqs";
import { useDeferredValue, useEffect, useRef } from "react";
import { useMay } from "@/components/auth/use-me.ts";
import { CurrentIncident } from "@/components/incidents/current-incident.tsx";
import { ManagedNotice } from "@/components/stacks/managed-notice.tsx";
import { trpc } from "@/components/trpc/client.tsx";
import { plural } from "@/components/ui/format.ts";
import { useNow } from "@/components/ui/moment.tsx";
import { asSentence } from "@/components/ui/sentence.ts";
import { Tabs, TabsContent, TabsList, TabsTrigger } from "@/components/ui/tabs.tsx";
import { toast } from "@/components/ui/toaster.tsx";
import { awaitedRun } from "./awaited-run.ts";
import { ContractFigures } from "./contract-figures.tsx";
import { ContractHeader } from "./contract-header.tsx";
import { ContractHistory, historyLengths } from "./contract-history.tsx";
import { ContractSide } from "./contract-side.tsx";
import { takeArrival } from "./evaluate-on-arrival.ts";
import { EvaluationChanges } from "./evaluation-changes.tsx";
import { OutageNote } from "./outage.tsx";
import { RulesSection } from "./rules-section.tsx";
import { RunProgress } from "./run-progress.tsx";
import { formatScore } from "./score.tsx";
import { useEvaluationRun } from "./use-evaluation-run.ts";

const parameters = {
  /** The evaluation whose rules are shown; the latest by default. */
  evaluation: parseAsInteger,
  take: parseAsNumberLiteral(historyLengths).withDefault(100),
};

const views = ["quality", "versions"] as const;

// Loaded when it is opened.
const ContractVersions = dynamic(() =>
  import("./contract-versions.tsx").then((module) => module.ContractVersions),
);

/** One contract: its state, its history, the rules behind its score, and its versions. */
export function ContractPage({ id }: { id: number }) {
  const utils = trpc.useUtils();
  const [chosen, setChosen] = useQueryStates(parameters, { clearOnDefault: true });
  const take = useDeferredValue(chosen.take);
  const [contract] = trpc.dataQuality.contract.useSuspenseQuery(
    { id },
    { refetchInterval: ({ state }) => (state.data && awaitedRun(state.data, new Date()) ? 2_000 : 10_000) },
  );
  const [{ items: evaluations }] = trpc.dataQuality.evaluations.useSuspenseQuery({ id, take });
  // Optional details: the page renders without them, even if they never load.
  const states = trpc.dataQuality.ruleStates.useQuery({ id });
  const series = trpc.dataQuality.series.useQuery({ id });
  const run = useEvaluationRun(id, (done) => {
    void setChosen({ evaluation: null });
    if (done.notEvaluatedBecause !== null)
      return toast.error("Could not be evaluated", { description: asSentence(done.notEvaluatedBecause) });
    toast.success(`Evaluated: ${formatScore(done.overallScore ?? 0)}`, {
      description: `${plural(done.passedCount, "rule")} passed, ${done.failedCount} failed.`,
    });
  });

  const isAwaited = useRef(false);
  // biome-ignore lint/correctness/useExhaustiveDependencies: once, when the page is shown
  useEffect(() => {
    if (isAwaited.current || !takeArrival(id)) return;
    isAwaited.current = true;
    void run.start();
  }, [id]);

  const [view, setView] = useQueryState("view", parseAsStringLiteral(views).withDefault("quality"));
  const mayRestore = useMay("contracts:configure");
  const now = useNow();
  const awaited = now === null ? null : awaitedRun(contract, new Date(now));

  // The contract is polled; a new evaluation, started by anyone, also refreshes the history.
  const newest = evaluations[0]?.evaluatedAt ?? null;
  const isBehind = contract.lastEvaluatedAt !== newest;
  useEffect(() => {
    if (!isBehind) return;
    void utils.dataQuality.evaluations.invalidate({ id });
    void utils.dataQuality.ruleStates.invalidate({ id });
    void utils.dataQuality.series.invalidate({ id });
  }, [isBehind, utils, id]);

  const [latest] = evaluations;
  const selected = evaluations.find((each) => each.id === chosen.evaluation) ?? latest;
  const select = (evaluationId: number) =>
    void setChosen({ evaluation: evaluationId === latest?.id ? null : evaluationId });

  const rules = (
    <RulesSection
      contract={contract}
      evaluations={evaluations}
      history={{ states: states.data?.items, series: series.data }}
      selected={selected}
      isLatest={selected?.id === latest?.id}
      onLatest={() => void setChosen({ evaluation: null })}
      onSelect={select}
      onApproved={() => void run.start()}
    />
  );
  return (
    <>
      <ContractHeader contract={contract} run={run} evaluationCount={evaluations.length} />
      <ManagedNotice kind="Contract" id={contract.id} />
      <CurrentIncident contractId={contract.id} />
      <RunProgress run={run} awaited={awaited} timezone={contract.timezone} />
      {contract.outage && <OutageNote outage={contract.outage} measured={contract.measured} />}
      <ContractFigures contract={contract} latest={latest} />
      <Tabs
        className="pt-4"
        value={view}
        onValueChange={(next) => void setView(views.find((each) => each === next) ?? null)}
      >
        <TabsList aria-label="Views of this contract">
          <TabsTrigger value="quality">Quality</TabsTrigger>
          <TabsTrigger value="versions" count={contract.version}>
            Versions
          </TabsTrigger>
        </TabsList>
        <TabsContent value="quality">
          <div className="grid gap-x-8 gap-y-6 pb-6 lg:grid-cols-[minmax(0,1fr)_17rem]">
            {latest ? (
              <>
                <ContractHistory
                  contract={contract}
                  evaluations={evaluations}
                  selectedId={selected?.id}
                  onSelect={select}
                  take={chosen.take}
                  onTake={(next) =>
                    void setChosen({ take: historyLengths.find((length) => length === next) ?? null })
                  }
                />
                <ContractSide contract={contract} />
                {selected && evaluations.length > 1 && (
                  <EvaluationChanges evaluationId={selected.id} evaluations={evaluations} />
                )}
                {rules}
              </>
            ) : (
              <>
                <div className="flex min-w-0 flex-col gap-6">
                  <NotEvaluatedYet isScheduled={contract.enabled} />
                  {rules}
                </div>
                <ContractSide contract={contract} />
              </>
            )}
          </div>
        </TabsContent>
        <TabsContent value="versions">
          <ContractVersions contract={contract} mayRestore={mayRestore} />
        </TabsContent>
      </Tabs>
    </>
  );
}

function NotEvaluatedYet({ isScheduled }: { isScheduled: boolean }) {
  return (
    <section className="flex flex-col gap-2 border-y py-8 text-ink-2">
      <h2 className="font-medium text-ink">No evaluations yet</h2>
      <p className="max-w-prose">
        The first evaluation gives a score; the second, a trend.{" "}
        {isScheduled
          ? "It starts at the next scheduled run, or with “Evaluate now”."
          : "The schedule is off. Start with “Evaluate now”."}
      </p>
    </section>
  );
}

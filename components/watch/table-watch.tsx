"use client";
import { useState } from "react";
import { useMay } from "@/components/auth/use-me.ts";
import { Why } from "@/components/causes/why.tsx";
import { useProject } from "@/components/projects/use-project.ts";
import { trpc } from "@/components/trpc/client.tsx";
import { messageOf } from "@/components/trpc/errors.ts";
import { Button } from "@/components/ui/button.tsx";
import { Link } from "@/components/ui/link.tsx";
import { Moment } from "@/components/ui/moment.tsx";
import { Sparkline } from "@/components/ui/sparkline.tsx";
import { Status } from "@/components/ui/status.tsx";
import { toast } from "@/components/ui/toaster.tsx";
import { minPoints } from "@/server/normal/learned.ts";
import type { TableAlert, WatchedDetail, WatchSeries } from "@/server/watch/schema.ts";
import { SeriesChart } from "./series-chart.tsx";
import { figureOf, isUnusualNow, measureWords, seriesWords } from "./series-words.ts";

type Named = { dataSourceId: number; schemaName: string; tableName: string };
const keyOf = ({ columnName, measure }: Pick<WatchSeries, "columnName" | "measure">) =>
  JSON.stringify([columnName, measure]);

/** How a table has been: what is unusual now, when it last changed, and its numbers over time with what was usual. */
export function TableWatch(name: Named) {
  const { href } = useProject();
  const { data: table } = trpc.watch.table.useQuery(name, { refetchInterval: 60_000 });
  if (table === undefined) return null;
  if (table === null)
    return (
      <section aria-labelledby="watch" className="border-b py-3">
        <h2 id="watch" className="text-base font-semibold tracking-tight">
          Over time
        </h2>
        <p className="text-ink-2">
          Nobody watches this table.{" "}
          <Link
            href={href(`/data-sources/${name.dataSourceId}`)}
            className="text-accent underline underline-offset-2"
          >
            Watch every table of this data source
          </Link>{" "}
          to see what is unusual without a rule.
        </p>
      </section>
    );
  return (
    <section aria-labelledby="watch" className="border-b py-3">
      <div className="flex flex-wrap items-baseline gap-x-3">
        <h2 id="watch" className="text-base font-semibold tracking-tight">
          Over time
        </h2>
        <WatchFacts table={table} />
      </div>
      <CurrentAlerts table={table} name={name} />
      {table.alerts.some(({ expectedAt }) => expectedAt === null) && (
        <div className="flex flex-col pt-3">
          <Why of={name} />
        </div>
      )}
      <Numbers table={table} />
      <PastAlerts alerts={table.past} />
    </section>
  );
}

function WatchFacts({ table }: { table: WatchedDetail }) {
  const { lastLookAt, lastChangeAt, lateAfter, profiledAt, arrivalColumn, problem } = table;
  return (
    <p className="text-xs text-ink-3">
      {lastChangeAt === null ? "No change seen yet" : "Changed "}
      {lastChangeAt !== null && <Moment at={lastChangeAt} />}
      {lateAfter !== null && (
        <>
          , late after <Moment at={lateAfter} exact />
        </>
      )}
      ; looked at <Moment at={lastLookAt} />, profiled <Moment at={profiledAt} />
      {arrivalColumn !== null && (
        <>
          {" "}
          by <span className="font-mono">{arrivalColumn}</span>
        </>
      )}
      {problem !== null && (
        <span className="block break-words text-warning">The latest profile failed: {problem}</span>
      )}
    </p>
  );
}

function CurrentAlerts({ table, name }: { table: WatchedDetail; name: Named }) {
  const utils = trpc.useUtils();
  const mayExpect = useMay("incidents:work");
  const expect = trpc.watch.expect.useMutation({
    onSuccess: () => utils.watch.table.invalidate(name),
    onError: (error) => toast.error(messageOf(error)),
  });
  if (table.alerts.length === 0) {
    const judged = table.series.filter(({ usually }) => usually !== null).length;
    return (
      <p className="pt-2">
        <Status kind={judged === 0 ? "neutral" : "ok"} className="items-start whitespace-normal">
          {table.profiledAt === null
            ? "Not profiled yet"
            : judged === 0
              ? `Too little is known yet: a number is judged from the ${minPoints + 1}th time on`
              : judged < table.series.length
                ? `Nothing is unusual; ${judged} of ${table.series.length} numbers are known well enough to say so`
                : "Nothing is unusual"}
        </Status>
      </p>
    );
  }
  return (
    <ul aria-label="Unusual now" className="mt-2 divide-y rounded-md border">
      {table.alerts.map((alert) => (
        <li key={alert.id} className="flex flex-wrap items-center gap-x-3 gap-y-1 px-3 py-2">
          <Status
            kind={alert.expectedAt === null ? "warning" : "neutral"}
            className="min-w-0 items-start whitespace-normal"
          >
            <span className="break-words">{alert.sentence}</span>
          </Status>
          <span className="text-xs text-ink-3">
            since <Moment at={alert.openedAt} />
          </span>
          {alert.expectedAt === null ? (
            mayExpect && (
              <Button
                size="sm"
                className="ml-auto"
                pending={expect.isPending && expect.variables?.id === alert.id}
                onClick={() => expect.mutate({ id: alert.id })}
              >
                As expected
              </Button>
            )
          ) : (
            <Expected alert={alert} />
          )}
        </li>
      ))}
    </ul>
  );
}

const Expected = ({ alert: { expectedAt, expectedBy } }: { alert: TableAlert }) => (
  <span className="ml-auto text-xs text-ink-3">
    {expectedBy?.name ?? "Someone"} said that it is as expected, <Moment at={expectedAt} />
  </span>
);

/** A chart of one number, and all of them to choose from. */
function Numbers({ table: { series } }: { table: WatchedDetail }) {
  const [chosen, setChosen] = useState<string | null>(null);
  const usable = series.filter(({ points }) => points.length > 0);
  // What is unusual is what one came for, and otherwise how many rows came.
  const known = usable.filter(({ usually }) => usually !== null);
  const first =
    usable.find(isUnusualNow) ??
    known.find(({ measure }) => measure === "NewRows") ??
    known.find(({ measure }) => measure === "HourRows") ??
    known[0] ??
    usable[0];
  const shown = usable.find((each) => keyOf(each) === chosen) ?? first;
  if (!shown) return null;
  return (
    <div className="grid gap-x-8 gap-y-3 pt-3 lg:grid-cols-[minmax(0,1fr)_26rem]">
      <SeriesChart key={keyOf(shown)} series={shown} />
      <ul aria-label="Numbers of this table" className="max-h-72 overflow-y-auto border-y lg:max-h-56">
        {usable
          .toSorted((a, b) => Number(isUnusualNow(b)) - Number(isUnusualNow(a)))
          .map((each) => (
            <li key={keyOf(each)} className="border-b last:border-b-0">
              <SeriesRow
                series={each}
                isShown={keyOf(each) === keyOf(shown)}
                onShow={() => setChosen(keyOf(each))}
              />
            </li>
          ))}
      </ul>
    </div>
  );
}

function SeriesRow({
  series,
  isShown,
  onShow,
}: {
  series: WatchSeries;
  isShown: boolean;
  onShow: () => void;
}) {
  const { columnName, measure, points } = series;
  const recent = points.slice(-30);
  const latest = points.at(-1);
  return (
    <button
      type="button"
      aria-pressed={isShown}
      onClick={onShow}
      className="flex w-full min-w-0 items-center gap-3 px-2 py-1 text-left text-xs hover:bg-sunken aria-pressed:bg-sunken"
    >
      <span className="min-w-0 flex-1">
        {columnName !== null && <span className="block truncate font-mono text-ink">{columnName}</span>}
        <span className="block truncate text-ink-2">{measureWords(measure)}</span>
      </span>
      <Sparkline
        values={recent.map(({ value }) => value)}
        marked={recent.flatMap(({ isUnusual }, index) => (isUnusual ? [index] : []))}
        label={`${seriesWords(series)}, the last ${recent.length} values`}
      />
      <span className="w-24 shrink-0 text-right tabular-nums">
        {latest && figureOf(measure, latest.value)}
        {latest?.isUnusual && <span className="block text-warning">unusual</span>}
      </span>
    </button>
  );
}

function PastAlerts({ alerts }: { alerts: readonly TableAlert[] }) {
  if (alerts.length === 0) return null;
  return (
    <details className="pt-2 text-xs text-ink-3">
      <summary className="w-fit cursor-pointer rounded-sm hover:text-ink">
        {alerts.length === 1 ? "One thing was" : `${alerts.length} things were`} unusual before
      </summary>
      <ul className="pt-1">
        {alerts.map(({ id, sentence, openedAt, endedAt }) => (
          <li key={id} className="py-0.5">
            <span className="text-ink-2">{sentence}</span>, <Moment at={openedAt} exact /> until{" "}
            <Moment at={endedAt} exact />
          </li>
        ))}
      </ul>
    </details>
  );
}

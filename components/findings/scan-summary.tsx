"use client";
import { Count } from "@/components/ui/count.tsx";
import { formatNumber, plural } from "@/components/ui/format.ts";
import { ChevronDown } from "@/components/ui/icons.tsx";
import { Moment } from "@/components/ui/moment.tsx";
import { Status } from "@/components/ui/status.tsx";
import { type Cost, costText } from "@/server/data-sources/cost.ts";
import type { FindingScan } from "@/server/findings/schema.ts";
import { ScanProgress } from "./scan-progress.tsx";

type Source = { id: number; name: string };

/** What the latest scans have looked at, how far those in progress are, and what they could not read. */
export function ScanSummary({
  sources,
  scans,
}: {
  sources: readonly Source[];
  scans: readonly FindingScan[];
}) {
  const nameOf = ({ dataSourceId }: FindingScan) =>
    sources.find(({ id }) => id === dataSourceId)?.name ?? "the data source";
  const running = scans.filter(({ status }) => status === "Running");
  const failed = scans.filter(({ status }) => status === "Failed");
  const stopped = scans.filter(({ status }) => status === "Stopped");
  const ended = scans.filter(({ status }) => status !== "Running");
  return (
    <>
      {running.map((scan) => (
        <ScanProgress key={scan.id} scan={scan} name={nameOf(scan)} />
      ))}
      {failed.map((scan) => (
        <p key={scan.id} className="mb-3 rounded-md border border-critical/40 bg-critical-soft/50 px-3 py-2">
          <Status kind="critical" className="items-start whitespace-normal">
            <span>
              The scan of {nameOf(scan)} failed <Moment at={scan.finishedAt} />: {scan.error} What it had
              found until then is kept.
            </span>
          </Status>
        </p>
      ))}
      {stopped.map((scan) => (
        <p key={scan.id} className="mb-3 rounded-md border px-3 py-2">
          <Status kind="neutral" className="items-start whitespace-normal">
            <span>
              The scan of {nameOf(scan)} was stopped <Moment at={scan.finishedAt} />, after{" "}
              {formatNumber(scan.tablesDone)} of {plural(scan.tablesTotal, "table")}. What it had stored is
              kept; findings of the other tables are from earlier scans.
            </span>
          </Status>
        </p>
      ))}
      {ended.length > 0 && <LookedAt scans={ended} nameOf={nameOf} />}
    </>
  );
}

function LookedAt({
  scans,
  nameOf,
}: {
  scans: readonly FindingScan[];
  nameOf: (scan: FindingScan) => string;
}) {
  const skipped = scans.flatMap((scan) =>
    scan.skipped.map((table) => ({ ...table, scanId: scan.id, source: nameOf(scan) })),
  );
  const notes = [...new Set(scans.flatMap((scan) => scan.notes))];
  const isOne = scans.length === 1;
  const words = <ReadWords scans={scans} />;
  if (isOne && skipped.length === 0 && notes.length === 0)
    return <p className="pb-3 text-xs text-ink-3">{words}</p>;
  return (
    <details className="group pb-3 text-xs text-ink-3">
      <summary className="inline-flex list-none flex-wrap items-center gap-x-1.5 rounded-sm [&::-webkit-details-marker]:hidden">
        {words}
        {skipped.length > 0 && (
          <Status kind="warning" className="gap-1 [&_svg]:size-3.5">
            {plural(skipped.length, "table")} skipped
          </Status>
        )}
        <ChevronDown aria-hidden className="size-3.5 transition-transform group-open:rotate-180" />
      </summary>
      <div className="flex flex-col gap-2 pt-2">
        {!isOne && (
          <ul aria-label="Scans" className="flex flex-col gap-0.5">
            {scans.map((scan) => (
              <li key={scan.id}>
                <span className="text-ink-2">{nameOf(scan)}</span>: <ReadWords scans={[scan]} />
              </li>
            ))}
          </ul>
        )}
        {notes.length > 0 && (
          <ul aria-label="Notes" className="flex flex-col gap-0.5">
            {notes.map((note) => (
              <li key={note} className="wrap-anywhere">
                {note}
              </li>
            ))}
          </ul>
        )}
        {skipped.length > 0 && (
          <ul aria-label="Skipped tables" className="flex max-h-60 flex-col gap-0.5 overflow-y-auto">
            {skipped.map(({ scanId, source, schemaName, tableName, reason }) => (
              <li key={JSON.stringify([scanId, schemaName, tableName])} className="wrap-anywhere">
                <span className="font-mono text-ink-2">
                  {!isOne && `${source}: `}
                  {schemaName}.{tableName}
                </span>
                : {reason}
              </li>
            ))}
          </ul>
        )}
      </div>
    </details>
  );
}

/** What scans have cost together, in each unit that there is. */
function costsOf(scans: readonly FindingScan[]): Cost[] {
  const costs = scans.flatMap(({ cost }) => cost ?? []);
  return [...Map.groupBy(costs, ({ unit }) => unit)].map(([unit, some]) => ({
    unit,
    amount: some.reduce((total, { amount }) => total + amount, 0),
  }));
}

/** "42 tables and 1.2 M rows read for 12.5 GB, 2 min ago" */
export function ReadWords({ scans }: { scans: readonly FindingScan[] }) {
  const sum = (figure: (scan: FindingScan) => number) =>
    scans.reduce((total, scan) => total + figure(scan), 0);
  const tables = sum(({ tablesDone, skipped }) => tablesDone - skipped.length);
  const latest = scans.reduce<string | null>(
    (last, { finishedAt }) => (finishedAt !== null && finishedAt > (last ?? "") ? finishedAt : last),
    null,
  );
  return (
    <span>
      {plural(tables, "table")} and <Count value={sum(({ rowsRead }) => rowsRead)} /> rows read
      {scans.length > 1 && ` in ${plural(scans.length, "data source")}`}
      {costsOf(scans).map((cost) => ` for ${costText(cost)}`)}, <Moment at={latest} />
    </span>
  );
}

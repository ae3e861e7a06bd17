"use client";
import { Button } from "@/components/ui/button.tsx";
import { Count } from "@/components/ui/count.tsx";
import { formatNumber } from "@/components/ui/format.ts";
import { CircleStop } from "@/components/ui/icons.tsx";
import { Status } from "@/components/ui/status.tsx";
import { Elapsed, UnderWay } from "@/components/ui/under-way.tsx";
import type { FindingScan } from "@/server/findings/schema.ts";
import { useStopScan } from "./use-scans.ts";

/** How far a scan is, and a way to stop it. */
export function ScanProgress({ scan, name }: { scan: FindingScan; name: string }) {
  const { mayStop, isStopping, stop } = useStopScan();
  const { tablesDone, tablesTotal, rowsRead } = scan;
  const isRead = tablesTotal > 0 && tablesDone === tablesTotal;
  return (
    <UnderWay>
      <Status kind="running" className="whitespace-normal">
        {isRead ? `Checking what was read in ${name}…` : `Scanning ${name}…`}
      </Status>
      <Elapsed key={scan.id} since={Date.parse(scan.startedAt)} />
      {tablesTotal > 0 && (
        <span className="text-ink-2 tabular-nums">
          {formatNumber(tablesDone)} of {formatNumber(tablesTotal)} tables, <Count value={rowsRead} /> rows
          read
        </span>
      )}
      <span className="ml-auto text-xs text-ink-3">
        Findings appear here. You can leave this page; the scan continues.
      </span>
      {mayStop && (
        <Button
          size="sm"
          icon={CircleStop}
          pending={isStopping}
          aria-label={`Stop the scan of ${name}`}
          onClick={() => stop(scan.id)}
        >
          Stop
        </Button>
      )}
      <div
        role="progressbar"
        aria-label={`Tables read in ${name}`}
        aria-valuemin={0}
        aria-valuemax={Math.max(tablesTotal, 1)}
        aria-valuenow={tablesDone}
        className="h-1 w-full overflow-hidden rounded-sm bg-hover"
      >
        <div
          className="h-full rounded-sm bg-accent transition-[width] duration-300"
          style={{ width: `${tablesTotal === 0 ? 0 : (tablesDone / tablesTotal) * 100}%` }}
        />
      </div>
    </UnderWay>
  );
}

"use client";
import { useRouter } from "next/navigation";
import { useProject } from "@/components/projects/use-project.ts";
import { trpc } from "@/components/trpc/client.tsx";
import { Button } from "@/components/ui/button.tsx";
import { formatNumber } from "@/components/ui/format.ts";
import { CircleStop, ScanSearch } from "@/components/ui/icons.tsx";
import { Link } from "@/components/ui/link.tsx";
import type { FindingScan } from "@/server/findings/schema.ts";
import { sourceFindingsHref } from "./finding-hrefs.ts";
import { useStartScan, useStopScan } from "./use-scans.ts";

/** Scans a data source, and goes where its findings appear; stops the scan in progress. Nothing for those who may not. */
export function ScanSource({ id }: { id: number }) {
  const router = useRouter();
  const { href } = useProject();
  const { mayScan, isStarting, scan } = useStartScan(() => router.push(href(sourceFindingsHref(id))));
  const { isStopping, stop } = useStopScan();
  const { data } = trpc.findings.scans.useQuery(
    { dataSourceId: id },
    { refetchInterval: ({ state }) => (state.data?.items.some(isRunning) ? 2_000 : 30_000) },
  );
  if (!mayScan) return null;
  const running = data?.items.find(isRunning);
  if (running)
    return (
      <Button icon={CircleStop} pending={isStopping} onClick={() => stop(running.id)}>
        Stop scan
      </Button>
    );
  return (
    <Button icon={ScanSearch} pending={isStarting} onClick={() => scan(id)}>
      Scan for faults
    </Button>
  );
}

const isRunning = ({ status }: FindingScan) => status === "Running";

/** How many open findings a data source has, as the way to them. */
export function SourceFindings({ id }: { id: number }) {
  const { href } = useProject();
  const open = trpc.findings.list.useQuery({ dataSourceId: id, status: "Open", page: 0, pageSize: 1 });
  const scans = trpc.findings.scans.useQuery({ dataSourceId: id });
  const wasScanned = (scans.data?.items.length ?? 0) > 0;
  return (
    <Link
      href={href(sourceFindingsHref(id))}
      className="rounded-sm text-accent underline-offset-2 hover:underline"
    >
      {open.data && scans.data
        ? wasScanned
          ? `${formatNumber(open.data.totalCount)} open`
          : "Not scanned yet"
        : "See findings"}
    </Link>
  );
}

"use client";
import { useEffect, useRef } from "react";
import { useMay } from "@/components/auth/use-me.ts";
import { trpc } from "@/components/trpc/client.tsx";
import { messageOf } from "@/components/trpc/errors.ts";
import { asSentence } from "@/components/ui/sentence.ts";
import { toast } from "@/components/ui/toaster.tsx";
import type { OfSources } from "@/server/findings/schema.ts";

/** While a scan runs its progress is looked at so often, in milliseconds; the hub says when it has ended. */
const whileRunning = 700;
const otherwise = 30_000;

/** The latest scan of each data source. What has come with one that goes on, or has ended, is asked for. */
export function useScans(input: OfSources) {
  const utils = trpc.useUtils();
  const [{ items: scans }] = trpc.findings.scans.useSuspenseQuery(input, {
    refetchInterval: ({ state: { data } }) =>
      data?.items.some(({ status }) => status === "Running") ? whileRunning : otherwise,
  });
  const course = JSON.stringify(scans.map(({ id, status, tablesDone }) => [id, status, tablesDone]));
  const seen = useRef(course);
  useEffect(() => {
    if (seen.current === course) return;
    seen.current = course;
    void utils.findings.list.invalidate();
    void utils.findings.tables.invalidate();
  }, [course, utils]);
  return scans;
}

/** Stops a scan, for those who may, and tells what is kept. */
export function useStopScan() {
  const mayStop = useMay("evaluations:run");
  const utils = trpc.useUtils();
  const stop = trpc.findings.stopScan.useMutation({
    onSuccess: () => toast.success("Stopped the scan", { description: "What it has stored is kept." }),
    onError: (error) =>
      toast.error("The scan could not be stopped", { description: asSentence(messageOf(error)) }),
    onSettled: () => utils.findings.scans.invalidate(),
  });
  return { mayStop, isStopping: stop.isPending, stop: (id: number) => stop.mutate({ id }) };
}

/** Starts a scan of a data source, for those who may, and tells that it has. */
export function useStartScan(onStarted: () => void = () => {}) {
  const mayScan = useMay("evaluations:run");
  const utils = trpc.useUtils();
  const start = trpc.findings.scan.useMutation({
    onSuccess: () => {
      void utils.findings.scans.invalidate();
      onStarted();
    },
    onError: (error) =>
      toast.error("The scan could not be started", { description: asSentence(messageOf(error)) }),
  });
  return {
    mayScan,
    isStarting: start.isPending,
    scan: (dataSourceId: number) => start.mutate({ dataSourceId }),
  };
}

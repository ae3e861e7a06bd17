"use client";
import { useProject, useProjectInput } from "@/components/projects/use-project.ts";
import { trpc } from "@/components/trpc/client.tsx";
import { formatDuration, plural } from "@/components/ui/format.ts";
import { Link } from "@/components/ui/link.tsx";
import { StatusIcon, type StatusKind } from "@/components/ui/status.tsx";

/** Current incidents, and how long it took to notice and to resolve those of the time range. */
export function IncidentSummary({ days, onlyCurrent = false }: { days: number; onlyCurrent?: boolean }) {
  const { href } = useProject();
  const project = useProjectInput();
  const { data } = trpc.incidents.figures.useQuery({ ...project, days }, { refetchInterval: 30_000 });
  if (!data || (data.current === 0 && (onlyCurrent || data.opened === 0))) return null;
  const { current, bySeverity, secondsToNotice, secondsToResolve } = data;
  const worst: StatusKind = bySeverity.Critical > 0 ? "critical" : current > 0 ? "warning" : "ok";
  return (
    <p className="flex flex-wrap items-center gap-x-4 gap-y-1 text-ink-2">
      <span className="flex items-center gap-2">
        <StatusIcon kind={worst} />
        <Link href={href("/incidents")} className="font-medium text-ink underline underline-offset-2">
          {current === 0 ? "No current incidents" : plural(current, "current incident")}
        </Link>
        {bySeverity.Critical > 0 && current > bySeverity.Critical && <>{bySeverity.Critical} critical</>}
      </span>
      {secondsToNotice !== null && (
        <span>noticed after {formatDuration(secondsToNotice * 1000)} on average</span>
      )}
      {secondsToResolve !== null && <span>resolved after {formatDuration(secondsToResolve * 1000)}</span>}
    </p>
  );
}

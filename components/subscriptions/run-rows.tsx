"use client";
import { useProject } from "@/components/projects/use-project.ts";
import { csvFileName, resultCsv } from "@/components/queries/result-csv.ts";
import { trpc } from "@/components/trpc/client.tsx";
import { factsOf } from "@/components/trpc/errors.ts";
import { Button, ButtonLink } from "@/components/ui/button.tsx";
import { downloadText } from "@/components/ui/download-text.ts";
import { formatNumber } from "@/components/ui/format.ts";
import { Download, FileCode2 } from "@/components/ui/icons.tsx";
import { MaskedRows } from "@/components/ui/masked-rows.tsx";
import { Moment } from "@/components/ui/moment.tsx";
import { asSentence } from "@/components/ui/sentence.ts";
import { Skeleton } from "@/components/ui/skeleton.tsx";
import type { ExecutionRows } from "@/server/subscriptions/schema.ts";
import type { Outcome } from "./outcome-looks.ts";
import { basisWords, changeWords, uncomparedWords } from "./rows-words.ts";

/**
 * The evidence of a run: its first rows, those that are new marked, and those that are gone since the run before; as
 * CSV, and as a query with the run's parameters.
 */
export function RunRows({
  run,
  subscription: { id, queryId, title },
}: {
  run: { id: number; outcome: Pick<Outcome, "run" | "found"> };
  subscription: { id: number; queryId: number; title: string };
}) {
  const { href } = useProject();
  const found = run.outcome.found;
  const { data, error, isPending, refetch } = trpc.subscriptions.executionRows.useQuery(
    { id, executionId: run.id },
    { enabled: found !== null, retry: false, staleTime: Number.POSITIVE_INFINITY },
  );
  if (run.outcome.run === "Running") return null;
  const openInQuery = (
    <ButtonLink size="sm" icon={FileCode2} href={href(`/queries/${queryId}?run=${run.id}`)}>
      Open in query
    </ButtonLink>
  );
  if (found === null) return <div>{openInQuery}</div>;
  if (isPending) return <Skeleton className="h-24 w-full" />;
  if (!data)
    return (
      <div className="flex flex-wrap items-center gap-x-3 gap-y-2 text-xs text-ink-2">
        {factsOf(error).code === "NOT_FOUND" ? (
          <p>Its rows are not kept. Rows are kept for 30 days after a run.</p>
        ) : (
          <>
            <p role="alert">Its rows could not be read. {asSentence(factsOf(error).message)}</p>
            <Button size="sm" onClick={() => void refetch()}>
              Try again
            </Button>
          </>
        )}
        {openInQuery}
      </div>
    );
  const { columns, rows, rowCount, maskedColumns, comparison } = data;
  const name = `${title} run ${run.id}`;
  return (
    <div className="flex min-w-0 flex-col gap-3">
      <div className="flex flex-wrap items-center gap-x-3 gap-y-2">
        <p className="min-w-48 flex-1 text-xs text-ink-2">
          <Change rows={data} />
        </p>
        <span className="flex gap-2">
          {rows.length > 0 && (
            <Button
              size="sm"
              icon={Download}
              onClick={() => downloadText(resultCsv(columns, rows), csvFileName(name), "text/csv")}
            >
              CSV
            </Button>
          )}
          {openInQuery}
        </span>
      </div>
      {rows.length > 0 && (
        <MaskedRows
          title={rows.length < rowCount ? "First rows" : "Rows"}
          extent={extentOf(rows.length, rowCount)}
          label={`Rows of the run of ${title}`}
          {...{ columns, rows, maskedColumns }}
          newRows={comparison?.newRows}
        />
      )}
      {comparison && comparison.goneRows.length > 0 && (
        <MaskedRows
          title="Gone since the run before"
          extent={extentOf(comparison.goneRows.length, comparison.goneCount)}
          label={`Rows of ${title} that are gone`}
          {...{ columns, maskedColumns }}
          rows={comparison.goneRows}
        />
      )}
    </div>
  );
}

const isSame = ({ comparison, rowCount }: ExecutionRows) =>
  comparison !== null && rowCount > 0 && comparison.newCount + comparison.goneCount === 0;

const extentOf = (shown: number, all: number) =>
  shown === all ? formatNumber(all) : `${formatNumber(shown)} of ${formatNumber(all)}`;

/** "3 new, 1 gone since the run of 5 min ago." */
function Change({ rows }: { rows: ExecutionRows }) {
  const { previous, uncompared } = rows;
  if (uncompared) return uncomparedWords[uncompared];
  if (!previous) return null;
  return (
    <>
      <span className="font-medium text-ink">{changeWords(rows)}</span>{" "}
      {isSame(rows) ? "as in the run of" : "since the run of"} <Moment at={previous.executedAt} />.{" "}
      {basisWords(rows)}
    </>
  );
}

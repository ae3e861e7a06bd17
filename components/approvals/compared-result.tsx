"use client";
import { type ComponentProps, memo } from "react";
import { ResultGrid } from "@/components/queries/result-grid.tsx";
import { wordsOfPath } from "@/components/queries/result-panel.tsx";
import type { QueryRun } from "@/components/queries/use-query-run.ts";
import { Badge } from "@/components/ui/badge.tsx";
import { FormError } from "@/components/ui/field.tsx";
import { formatDuration, formatNumber, plural } from "@/components/ui/format.ts";
import { Status } from "@/components/ui/status.tsx";
import { Elapsed } from "@/components/ui/under-way.tsx";
import { sentenceCase } from "@/components/ui/words.ts";

type Marks = NonNullable<ComponentProps<typeof ResultGrid>["marks"]>;

/** What one of the versions answers. */
export function ComparedResult({ run, label, marks }: { run: QueryRun; label: string; marks?: Marks }) {
  return (
    <section aria-label={`Result of ${label}`} className="flex min-w-0 flex-col gap-2">
      <div className="flex min-h-7 flex-wrap items-center gap-x-3 gap-y-1">
        <h3 className="text-sm font-medium">{sentenceCase(label)}</h3>
        {run.state === "running" && (
          <Status kind="running">
            Running… <Elapsed since={run.since} />
          </Status>
        )}
        {run.state === "cancelled" && <Status kind="neutral">Cancelled</Status>}
        {run.state === "done" && <Facts preview={run.preview} />}
      </div>
      {run.state === "failed" && (
        <FormError>
          <p className="font-medium">It did not run</p>
          <p className="whitespace-pre-wrap">{run.facts.message}</p>
          {run.facts.errors.map(({ path, message }) => (
            <p key={path + message}>
              {wordsOfPath(path)} {message}
            </p>
          ))}
          {run.facts.code === "INTERNAL_SERVER_ERROR" && run.facts.requestId && (
            <p>Request {run.facts.requestId}</p>
          )}
        </FormError>
      )}
      {run.state === "done" && run.preview.columns.length > 0 && (
        <Rows columns={run.preview.columns} rows={run.preview.rows} {...(marks && { marks })} />
      )}
    </section>
  );
}

/** Typing a comment below does not draw a thousand rows anew. */
const Rows = memo(ResultGrid);

function Facts({
  preview: { rowCount, truncated, columns, executionTimeMs },
}: {
  preview: Extract<QueryRun, { state: "done" }>["preview"];
}) {
  return (
    <>
      <span className="text-ink-2 tabular-nums">
        {truncated
          ? `the first ${plural(rowCount, "row")}`
          : rowCount === 0
            ? "no rows"
            : plural(rowCount, "row")}
        , {plural(columns.length, "column")}, {formatDuration(executionTimeMs)}
      </span>
      {truncated && (
        <Badge tone="warning">
          a preview ends at {rowCount < 1000 ? "4 MB" : `${formatNumber(1000)} rows`}
        </Badge>
      )}
    </>
  );
}

"use client";
import { type ComponentProps, memo } from "react";
import { ResultGrid } from "@/components/queries/result-grid.tsx";
import { wordsOfPath } from "@/components/queries/result-panel.tsx";
import type { Run } from "@/components/runs/use-run.ts";
import { Badge } from "@/components/ui/badge.tsx";
import { FormError } from "@/components/ui/field.tsx";
import { formatDuration, formatNumber, plural } from "@/components/ui/format.ts";
import { Status } from "@/components/ui/status.tsx";
import { Elapsed } from "@/components/ui/under-way.tsx";
import { sentenceCase } from "@/components/ui/words.ts";
import type { Preview } from "@/server/queries/schema.ts";

type Marks = NonNullable<ComponentProps<typeof ResultGrid>["marks"]>;

/** The result of one of the versions. */
export function ComparedResult({ run, label, marks }: { run: Run<Preview>; label: string; marks?: Marks }) {
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
        {run.state === "done" && <Facts preview={run.result} />}
      </div>
      {run.state === "failed" && (
        <FormError>
          <p className="font-medium">Did not run</p>
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
      {run.state === "done" && run.result.columns.length > 0 && (
        <Rows columns={run.result.columns} rows={run.result.rows} {...(marks && { marks })} />
      )}
    </section>
  );
}

/** Memoized: typing a comment below must not re-render a thousand rows. */
const Rows = memo(ResultGrid);

function Facts({ preview: { rowCount, truncated, columns, executionTimeMs } }: { preview: Preview }) {
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

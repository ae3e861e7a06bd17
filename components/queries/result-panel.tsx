"use client";
import { memo, useEffect, useState } from "react";
import { Badge } from "@/components/ui/badge.tsx";
import { Button } from "@/components/ui/button.tsx";
import { downloadText } from "@/components/ui/download-text.ts";
import { FormError } from "@/components/ui/field.tsx";
import { formatDuration, formatNumber, plural } from "@/components/ui/format.ts";
import { Download, Square } from "@/components/ui/icons.tsx";
import { Status } from "@/components/ui/status.tsx";
import { sentenceCase } from "@/components/ui/words.ts";
import type { Preview } from "@/server/queries/schema.ts";
import { failedPlace, wordsOfPlace } from "./error-position.ts";
import { csvFileName, resultCsv } from "./result-csv.ts";
import { ResultGrid } from "./result-grid.tsx";
import type { QueryRun } from "./use-query-run.ts";

/** The result of the last run, or its progress. */
export function ResultPanel({
  run,
  shown,
  queryName,
  onCancel,
  onPlace,
  onStep,
}: {
  run: QueryRun;
  /** The last result, which stays visible while another run is in progress. */
  shown: { label: string; preview: Preview } | null;
  queryName: string;
  onCancel: () => void;
  /** Moves to the place of the error, if it is in the current step. */
  onPlace: (() => void) | null;
  /** Selects the step named in a message; null if there is no such step. */
  onStep: (order: number) => (() => void) | null;
}) {
  return (
    <section aria-label="Result" className="flex flex-col gap-2 pt-4">
      <div aria-live="polite" className="flex flex-wrap items-center gap-x-3 gap-y-2">
        {run.state === "running" && (
          <>
            <Status kind="running">
              Running {run.target.label}… <Elapsed since={run.since} />
            </Status>
            <Button size="sm" icon={Square} onClick={onCancel}>
              Cancel
            </Button>
          </>
        )}
        {run.state === "cancelled" && (
          <Status kind="neutral">Cancelled; the data source may still be finishing the query</Status>
        )}
        {run.state === "done" && (
          <ResultFacts preview={run.result} target={run.target} queryName={queryName} />
        )}
      </div>
      {run.state === "failed" && <Failure run={run} onPlace={onPlace} onStep={onStep} />}
      {shown && run.state !== "failed" && (
        <div className={run.state === "done" ? undefined : "opacity-50"}>
          <Rows preview={shown.preview} />
        </div>
      )}
    </section>
  );
}

/** Memoized: typing in the editor above must not re-render a thousand rows. */
const Rows = memo(function Rows({ preview }: { preview: Preview }) {
  return preview.columns.length === 0 ? null : <ResultGrid columns={preview.columns} rows={preview.rows} />;
});

function ResultFacts({
  preview,
  target,
  queryName,
}: {
  preview: Preview;
  target: QueryRun["target"];
  queryName: string;
}) {
  const { rowCount, columns, rows, truncated, executionTimeMs } = preview;
  const download = () => downloadText(resultCsv(columns, rows), csvFileName(queryName), "text/csv");
  return (
    <>
      <h2 className="text-sm font-semibold">
        {truncated
          ? `The first ${plural(rowCount, "row")}`
          : rowCount === 0
            ? "No rows"
            : plural(rowCount, "row")}
      </h2>
      <span className="text-ink-3 tabular-nums">
        Of {target.label}: {plural(columns.length, "column")}, {formatDuration(executionTimeMs)}
      </span>
      {truncated && (
        <Badge tone="warning">
          There are more: a preview ends at {rowCount < 1000 ? "4 MB" : `${formatNumber(1000)} rows`}
        </Badge>
      )}
      {rowCount > 0 && (
        <Button size="sm" icon={Download} className="ml-auto" onClick={download}>
          {truncated ? "Download these as CSV" : "Download CSV"}
        </Button>
      )}
    </>
  );
}

function Failure({
  run: { facts, target },
  onPlace,
  onStep,
}: {
  run: Extract<QueryRun, { state: "failed" }>;
  onPlace: (() => void) | null;
  onStep: (order: number) => (() => void) | null;
}) {
  const step = /^Step (\d+): /.exec(facts.message)?.[1];
  const place = failedPlace(facts.position, target);
  const go = step === undefined || target.stepKey !== null ? null : onStep(Number(step));
  return (
    <FormError>
      <p className="font-medium">{sentenceCase(target.label)} did not run</p>
      <p className="whitespace-pre-wrap">
        {facts.message}
        {place && ` (${wordsOfPlace(place).toLowerCase()})`}
      </p>
      {facts.errors.length > 0 && (
        <ul className="list-disc pl-4">
          {facts.errors.map(({ path, message }) => (
            <li key={path + message}>
              {wordsOfPath(path)} {message}
            </li>
          ))}
        </ul>
      )}
      {facts.code === "INTERNAL_SERVER_ERROR" && facts.requestId && <p>Request {facts.requestId}</p>}
      {place && onPlace && (
        <Button size="sm" className="mt-2" onClick={onPlace}>
          Go to {wordsOfPlace(place).toLowerCase()}
        </Button>
      )}
      {go && (
        <Button size="sm" className="mt-2" onClick={go}>
          Go to step {step}
        </Button>
      )}
    </FormError>
  );
}

/** `steps.1.sql` becomes "Step 2: SQL", and `parameters.region` the parameter. */
export function wordsOfPath(path: string): string {
  const [, index, rest] = /^steps\.(\d+)(?:\.(.+))?$/.exec(path) ?? [];
  if (index !== undefined) return `Step ${Number(index) + 1}: ${rest ? wordsOfPath(rest) : "it"}`;
  if (path.startsWith("parameters.")) return `{{${path.slice("parameters.".length)}}}`;
  const names: Record<string, string> = { sql: "SQL", dataSourceId: "Data source" };
  return names[path] ?? path;
}

/** Elapsed time in tenths of a second. */
function Elapsed({ since }: { since: number }) {
  const [now, setNow] = useState(since);
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), 100);
    return () => clearInterval(timer);
  }, []);
  // Not announced by screen readers ten times a second.
  return (
    <span aria-hidden className="tabular-nums">
      {((now - since) / 1000).toFixed(1)} s
    </span>
  );
}

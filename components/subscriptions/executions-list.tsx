"use client";
import { parseAsInteger } from "nuqs";
import { useState } from "react";
import { trpc } from "@/components/trpc/client.tsx";
import { Button } from "@/components/ui/button.tsx";
import { formatDuration, formatNumber } from "@/components/ui/format.ts";
import { ChevronDown, ChevronRight } from "@/components/ui/icons.tsx";
import { type Columns, List } from "@/components/ui/list.tsx";
import { Moment } from "@/components/ui/moment.tsx";
import { Td, Tr } from "@/components/ui/table.tsx";
import { useListFilters } from "@/components/ui/use-list-filters.ts";
import type { RowProps } from "@/components/ui/use-row-keys.ts";
import type { Execution } from "@/server/subscriptions/schema.ts";
import { executionPageSize } from "./execution-page-size.ts";
import { Outcome, Told } from "./outcome.tsx";
import { hintedLooks, lookNameOf, outcomeLooks } from "./outcome-looks.ts";

const parameters = { page: parseAsInteger.withDefault(1) };

const columns: Columns = [
  { title: "Found" },
  { title: "Told", from: "sm" },
  { title: "Executed" },
  { title: "Took", numeric: true, from: "sm" },
  { title: "Begun", from: "sm" },
  { title: "Version", numeric: true, from: "sm" },
];

/** All runs, newest first, in pages; a failed run's error expands below its row. */
export function ExecutionsList({
  subscriptionId,
  selectedId,
}: {
  subscriptionId: number;
  selectedId?: number;
}) {
  const list = useListFilters(parameters, ({ page }) => Math.max(page, 1) - 1);
  const [page] = trpc.subscriptions.executions.useSuspenseQuery({
    id: subscriptionId,
    page: list.input,
    pageSize: executionPageSize,
  });
  const { items, totalCount } = page;
  const [unfolded, setUnfolded] = useState<ReadonlySet<number>>(new Set());
  const toggle = (id: number) => {
    const next = new Set(unfolded);
    if (!next.delete(id)) next.add(id);
    setUnfolded(next);
  };
  const names = items.map(({ outcome }) => lookNameOf(outcome));
  const hints = hintedLooks.filter((hinted) => names.includes(hinted));
  return (
    <section aria-labelledby="runs" className="flex min-w-0 flex-col gap-2">
      <h2 id="runs" className="text-sm font-semibold">
        All runs <span className="font-normal text-ink-3 tabular-nums">{formatNumber(totalCount)}</span>
      </h2>
      <List
        label="Runs"
        things="runs"
        columns={columns}
        rows={items}
        keyOf={({ id }) => id}
        onOpen={(run) => run.errorMessage && toggle(run.id)}
        list={list}
        page={page}
        isNewestFirst
        empty={<p className="border-t py-3 text-ink-2">Its runs are listed here.</p>}
      >
        {(run, row) => (
          <>
            <RunRow
              run={run}
              selected={run.id === selectedId}
              isUnfolded={unfolded.has(run.id)}
              onToggle={() => toggle(run.id)}
              {...row}
            />
            {run.errorMessage && unfolded.has(run.id) && <ErrorRow run={run} />}
          </>
        )}
      </List>
      {hints.map((name) => (
        <p key={name} className="text-xs text-ink-3">
          <span className="font-medium text-ink-2">{outcomeLooks[name].word}:</span> {outcomeLooks[name].hint}
        </p>
      ))}
    </section>
  );
}

function RunRow({
  run,
  selected,
  isUnfolded,
  onToggle,
  ...row
}: { run: Execution; selected: boolean; isUnfolded: boolean; onToggle: () => void } & RowProps) {
  return (
    <Tr selected={selected} {...row}>
      <Td className="whitespace-nowrap">
        <span className="flex items-center gap-1">
          <Outcome outcome={run.outcome} hideTold />
          {run.errorMessage && (
            <Button
              variant="ghost"
              size="sm"
              className="-my-1 h-6 px-1"
              icon={isUnfolded ? ChevronDown : ChevronRight}
              aria-expanded={isUnfolded}
              aria-controls={`error-${run.id}`}
              onClick={onToggle}
            >
              Error
            </Button>
          )}
        </span>
        {run.outcome.told.state !== "NothingToTell" && (
          <Told told={run.outcome.told} className="block pl-5.5 text-xs sm:hidden" />
        )}
      </Td>
      <Td className="hidden sm:table-cell">
        {run.outcome.run === "Ran" ? <Told told={run.outcome.told} /> : "–"}
      </Td>
      <Td>
        <Moment at={run.executedAt} />
      </Td>
      <Td numeric className="hidden text-ink-2 sm:table-cell">
        {run.executionTimeMs === null ? "–" : formatDuration(run.executionTimeMs)}
      </Td>
      <Td className="hidden whitespace-nowrap text-ink-2 sm:table-cell">
        {run.trigger === "Manual" ? "manually" : "on schedule"}
      </Td>
      <Td numeric className="hidden text-ink-2 sm:table-cell">
        {run.queryVersion}
      </Td>
    </Tr>
  );
}

function ErrorRow({ run }: { run: Execution }) {
  return (
    <tr id={`error-${run.id}`} className="border-b bg-sunken">
      <td colSpan={6} className="px-2 py-2">
        <pre className="font-mono text-xs leading-5 break-words whitespace-pre-wrap text-ink-2">
          {run.errorMessage}
        </pre>
      </td>
    </tr>
  );
}

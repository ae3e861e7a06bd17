"use client";
import { ChevronDown, ChevronRight } from "lucide-react";
import { parseAsInteger, useQueryState } from "nuqs";
import { Fragment, useDeferredValue, useState } from "react";
import { trpc } from "@/components/trpc/client.tsx";
import { Button } from "@/components/ui/button.tsx";
import { formatDuration, formatNumber } from "@/components/ui/format.ts";
import { Moment } from "@/components/ui/moment.tsx";
import { Pager } from "@/components/ui/pager.tsx";
import { Table, Td, Th, Thead, Tr } from "@/components/ui/table.tsx";
import { useRowKeys } from "@/components/ui/use-row-keys.ts";
import type { Execution } from "@/server/subscriptions/schema.ts";
import { executionPageSize } from "./execution-page-size.ts";
import { Outcome, Told } from "./outcome.tsx";
import { hintedLooks, lookNameOf, outcomeLooks } from "./outcome-looks.ts";

/** Every run, newest first, a page at a time; what went wrong unfolds below its row. */
export function ExecutionsList({
  subscriptionId,
  selectedId,
}: {
  subscriptionId: number;
  selectedId?: number;
}) {
  const [page, setPage] = useQueryState("page", parseAsInteger.withDefault(1));
  const shownPage = Math.max(useDeferredValue(page), 1) - 1;
  const [{ items, totalCount }] = trpc.subscriptions.executions.useSuspenseQuery({
    id: subscriptionId,
    page: shownPage,
    pageSize: executionPageSize,
  });
  const [unfolded, setUnfolded] = useState<ReadonlySet<number>>(new Set());
  const toggle = (id: number) => {
    const next = new Set(unfolded);
    if (!next.delete(id)) next.add(id);
    setUnfolded(next);
  };
  const keys = useRowKeys({
    count: items.length,
    onOpen: (index) => {
      const run = items[index];
      if (run?.errorMessage) toggle(run.id);
    },
  });
  const names = items.map(({ outcome }) => lookNameOf(outcome));
  const hints = hintedLooks.filter((hinted) => names.includes(hinted));
  return (
    <section aria-labelledby="runs" className="flex min-w-0 flex-col gap-2">
      <h2 id="runs" className="text-sm font-semibold">
        All runs <span className="font-normal text-ink-3 tabular-nums">{formatNumber(totalCount)}</span>
      </h2>
      <Table label="Runs">
        <Thead>
          <tr>
            <Th>Found</Th>
            <Th className="hidden sm:table-cell">Told</Th>
            <Th>Executed</Th>
            <Th numeric className="hidden sm:table-cell">
              Took
            </Th>
            <Th className="hidden sm:table-cell">Begun</Th>
            <Th numeric className="hidden sm:table-cell">
              Version
            </Th>
          </tr>
        </Thead>
        <tbody>
          {items.map((run, index) => (
            <Fragment key={run.id}>
              <Tr selected={run.id === selectedId} {...keys.row(index)}>
                <Td className="whitespace-nowrap">
                  <span className="flex items-center gap-1">
                    <Outcome outcome={run.outcome} hideTold />
                    {run.errorMessage && (
                      <Button
                        variant="ghost"
                        size="sm"
                        className="-my-1 h-6 px-1"
                        icon={unfolded.has(run.id) ? ChevronDown : ChevronRight}
                        aria-expanded={unfolded.has(run.id)}
                        aria-controls={`error-${run.id}`}
                        onClick={() => toggle(run.id)}
                      >
                        Why
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
                  {run.trigger === "Manual" ? "by hand" : "on schedule"}
                </Td>
                <Td numeric className="hidden text-ink-2 sm:table-cell">
                  {run.queryVersion}
                </Td>
              </Tr>
              {run.errorMessage && unfolded.has(run.id) && <ErrorRow run={run} />}
            </Fragment>
          ))}
        </tbody>
      </Table>
      {hints.map((name) => (
        <p key={name} className="text-xs text-ink-3">
          <span className="font-medium text-ink-2">{outcomeLooks[name].word}:</span> {outcomeLooks[name].hint}
        </p>
      ))}
      <Pager
        page={shownPage}
        pageSize={executionPageSize}
        total={totalCount}
        onPageChange={(next) => void setPage(next === 0 ? null : next + 1)}
        previous="Newer"
        next="Older"
      />
    </section>
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

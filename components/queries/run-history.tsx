"use client";
import { useState } from "react";
import { trpc } from "@/components/trpc/client.tsx";
import { messageOf } from "@/components/trpc/errors.ts";
import { Button } from "@/components/ui/button.tsx";
import { ConfirmDialog } from "@/components/ui/confirm-dialog.tsx";
import { CopyButton } from "@/components/ui/copy-button.tsx";
import { FormError } from "@/components/ui/field.tsx";
import { formatDuration, plural } from "@/components/ui/format.ts";
import { Input } from "@/components/ui/input.tsx";
import { Moment } from "@/components/ui/moment.tsx";
import { Sheet } from "@/components/ui/sheet.tsx";
import { Skeleton } from "@/components/ui/skeleton.tsx";
import { Status } from "@/components/ui/status.tsx";
import type { HistoryEntry } from "@/server/queries/schema.ts";

const pageSize = 20;

/** What the user ran in the editor, newest first, to look at or use again. */
export function RunHistory({
  onUse,
  onClose,
}: {
  onUse: ((sql: string) => void) | null;
  onClose: () => void;
}) {
  const utils = trpc.useUtils();
  const [search, setSearch] = useState("");
  const [page, setPage] = useState(0);
  const [clearing, setClearing] = useState(false);
  const clear = trpc.queries.clearHistory.useMutation();
  const history = trpc.queries.history.useQuery(
    { page, pageSize, ...(search.trim() && { search: search.trim() }) },
    { placeholderData: (before) => before, staleTime: 0 },
  );
  const { items = [], totalCount = 0 } = history.data ?? {};
  const isLast = (page + 1) * pageSize >= totalCount;
  return (
    <Sheet open onOpenChange={(open) => !open && onClose()} title="What you ran">
      <div className="flex flex-col gap-3">
        <div className="flex flex-wrap items-center gap-2">
          <Input
            type="search"
            aria-label="Search what you ran"
            placeholder="Search the SQL"
            autoComplete="off"
            className="min-w-0 flex-1"
            value={search}
            onChange={(event) => {
              setSearch(event.target.value);
              setPage(0);
            }}
          />
          {totalCount > 0 && search === "" && <Button onClick={() => setClearing(true)}>Clear…</Button>}
        </div>
        <p className="text-xs text-ink-3">
          Only you see this: your last 200 runs of 30 days, without values or results.
        </p>
        {history.error && <FormError>{messageOf(history.error)}</FormError>}
        {history.isPending && <Skeleton className="h-40 w-full" />}
        {history.data && items.length === 0 && (
          <p className="text-ink-2">
            {search.trim() === "" ? "Run something, and it will be here." : "Nothing you ran contains this."}
          </p>
        )}
        <ol aria-label="Runs" className="flex flex-col divide-y border-y empty:hidden">
          {items.map((entry) => (
            <li key={entry.id} className="flex min-w-0 flex-col gap-1 py-2">
              <div className="flex flex-wrap items-center gap-x-3 gap-y-1 text-xs text-ink-2">
                <Moment at={entry.ranAt} />
                {entry.dataSource && <span className="min-w-0 truncate">{entry.dataSource.name}</span>}
                <Outcome entry={entry} />
                <span className="ml-auto flex gap-1">
                  {onUse && (
                    <Button
                      size="sm"
                      onClick={() => {
                        onUse(entry.sql);
                        onClose();
                      }}
                    >
                      Use
                    </Button>
                  )}
                  <CopyButton text={entry.sql} label="Copy the SQL" />
                </span>
              </div>
              {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a long text scrolls, also by keyboard */}
              <pre tabIndex={0} className="max-h-32 overflow-auto font-mono text-[13px] whitespace-pre-wrap">
                {entry.sql}
              </pre>
            </li>
          ))}
        </ol>
        {totalCount > pageSize && (
          <div className="flex items-center justify-between gap-2 text-xs text-ink-3">
            <Button size="sm" disabled={page === 0} onClick={() => setPage(page - 1)}>
              Newer
            </Button>
            {plural(totalCount, "run")}
            <Button size="sm" disabled={isLast} onClick={() => setPage(page + 1)}>
              Older
            </Button>
          </div>
        )}
      </div>
      <ConfirmDialog
        open={clearing}
        onOpenChange={setClearing}
        title="Clear what you ran?"
        confirm="Clear history"
        onConfirm={async () => {
          await clear.mutateAsync();
          setPage(0);
          await utils.queries.history.invalidate();
        }}
      >
        The queries themselves and the audit log stay as they are.
      </ConfirmDialog>
    </Sheet>
  );
}

const problems: Record<string, string> = {
  rejected: "Rejected",
  source_unreachable: "Data source did not answer",
  source_timeout: "Took too long",
};

function Outcome({ entry: { rowCount, problem, tookMs } }: { entry: HistoryEntry }) {
  return (
    <>
      {problem === null ? (
        <Status kind="ok">{plural(rowCount ?? 0, "row")}</Status>
      ) : (
        <Status kind="critical">{problems[problem] ?? "Failed"}</Status>
      )}
      <span className="tabular-nums">{formatDuration(tookMs)}</span>
    </>
  );
}

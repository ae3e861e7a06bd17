"use client";
import { useId, useState } from "react";
import { Button, ButtonLink } from "@/components/ui/button.tsx";
import { Count } from "@/components/ui/count.tsx";
import { formatPercent, plural } from "@/components/ui/format.ts";
import { ChevronDown, ChevronRight, FilePlus2 } from "@/components/ui/icons.tsx";
import { Moment } from "@/components/ui/moment.tsx";
import { Name } from "@/components/ui/name.tsx";
import type { SourceQuality, UncoveredTable } from "./overview-rows.ts";

const shownAtOnce = 20;

/** How many of a data source's tables have a contract; expands into the ones without. */
export function Coverage({
  source: { dataSourceName, coverage },
  uncovered,
  isSearch,
  newHref,
}: {
  source: SourceQuality;
  /** Tables without a contract that match the search. */
  uncovered: readonly UncoveredTable[];
  isSearch: boolean;
  newHref: ((table: UncoveredTable) => string) | null;
}) {
  const id = useId();
  const [isUnfolded, setIsUnfolded] = useState(false);
  const [shown, setShown] = useState(shownAtOnce);
  if (coverage === null)
    return (
      <p className="text-xs text-ink-3">
        Tables without a contract are listed once the schema has been read.
      </p>
    );
  const { tableCount, coveredCount, readAt } = coverage;
  if (tableCount === 0)
    return (
      <p className="text-xs text-ink-3">
        The data source had no tables when its schema was last read <Moment at={readAt} />.
      </p>
    );
  const without = tableCount - coveredCount;
  const share = (coveredCount / tableCount) * 100;
  const isOpen = (isUnfolded || (isSearch && coveredCount === 0)) && uncovered.length > 0;
  const Chevron = isOpen ? ChevronDown : ChevronRight;
  return (
    <div className="flex flex-col gap-2">
      <div className="flex flex-wrap items-center gap-x-3 gap-y-1 text-sm">
        <span aria-hidden className="block h-1.5 w-24 overflow-hidden rounded-sm bg-line">
          <span className="block h-full bg-accent" style={{ width: `${share}%` }} />
        </span>
        <span className="tabular-nums">
          {coveredCount} of {plural(tableCount, "table")} watched{" "}
          <span className="text-ink-3">{formatPercent(share, 0)}</span>
        </span>
        {without > 0 && uncovered.length > 0 && (
          <button
            type="button"
            aria-expanded={isOpen}
            aria-controls={isOpen ? id : undefined}
            onClick={() => setIsUnfolded(!isOpen)}
            className="inline-flex items-center gap-1 rounded-sm text-ink-2 hover:text-ink hover:underline"
          >
            <Chevron aria-hidden className="size-3.5 text-ink-3" />
            {isSearch
              ? `${plural(uncovered.length, "match", "matches")} among those without a contract`
              : `${plural(without, "table")} without a contract`}
          </button>
        )}
        <span className="text-xs text-ink-3">
          as read <Moment at={readAt} />
        </span>
      </div>
      {isOpen && (
        <div id={id}>
          <ul aria-label={`Tables of ${dataSourceName} without a contract`} className="border-t text-sm">
            {uncovered.slice(0, shown).map((table) => {
              const name = `${table.schemaName}.${table.tableName}`;
              return (
                <li key={name} className="flex min-h-9 items-center gap-3 border-b py-0.5">
                  <span className="min-w-0 flex-1 truncate" title={name}>
                    <span className="text-ink-3">{table.schemaName}.</span>
                    <Name>{table.tableName}</Name>
                    {table.kind === "View" && <span className="pl-2 text-xs text-ink-3">view</span>}
                  </span>
                  {table.rowEstimate !== null && (
                    <span className="text-xs text-ink-3 tabular-nums">
                      about <Count value={table.rowEstimate} /> rows
                    </span>
                  )}
                  {newHref && (
                    <ButtonLink
                      href={newHref(table)}
                      size="sm"
                      variant="ghost"
                      icon={FilePlus2}
                      aria-label={`New contract for ${name}`}
                    >
                      New contract
                    </ButtonLink>
                  )}
                </li>
              );
            })}
          </ul>
          {uncovered.length > shown && (
            <Button size="sm" className="mt-2" onClick={() => setShown(uncovered.length)}>
              Show {uncovered.length - shown} more
            </Button>
          )}
          {!isSearch && without > uncovered.length && shown >= uncovered.length && (
            <p className="pt-2 text-xs text-ink-3">
              The largest {uncovered.length} of {without} are listed.
            </p>
          )}
        </div>
      )}
    </div>
  );
}

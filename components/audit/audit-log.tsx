"use client";
import { Button } from "../ui/button.tsx";
import { Empty } from "../ui/empty.tsx";
import { formatNumber } from "../ui/format.ts";
import { NewestFirst } from "../ui/newest-first.tsx";
import { PageHeader } from "../ui/page-header.tsx";
import { Th } from "../ui/table.tsx";
import { useRowKeys } from "../ui/use-row-keys.ts";
import { AuditFilters } from "./audit-filters.tsx";
import { AuditRow } from "./audit-row.tsx";
import { useAuditLog } from "./use-audit-log.ts";

/** Who did what, newest first. */
export function AuditLogPage() {
  const { log, filters, isFiltered, isChanging, setFilters, setPage, showAll } = useAuditLog();
  const { items, totalCount } = log;
  const keys = useRowKeys({ count: items.length });
  return (
    <>
      <PageHeader
        title="Audit"
        count={formatNumber(totalCount)}
        filters={<AuditFilters filters={filters} setFilters={setFilters} />}
      />
      {items.length === 0 ? (
        totalCount > 0 ? (
          <Empty
            title="The log does not go back as far"
            action={<Button onClick={() => setPage(0)}>Show the newest entries</Button>}
          />
        ) : (
          <Empty
            title={isFiltered ? "Nothing that was done fits" : "Nothing has been done yet"}
            action={isFiltered && <Button onClick={showAll}>Show everything</Button>}
          >
            {isFiltered
              ? "No entry has all of what the filters ask for."
              : "Every change, decision, sign-in and run of SQL is entered here, with who did it and from where."}
          </Empty>
        )
      ) : (
        <NewestFirst
          label="Audit log"
          head={
            <>
              <Th className="hidden sm:table-cell">Time</Th>
              <Th className="hidden sm:table-cell">Who</Th>
              <Th>Action</Th>
              <Th className="hidden md:table-cell">Object</Th>
              <Th className="hidden sm:table-cell">Detail</Th>
              <Th className="hidden lg:table-cell">Address</Th>
            </>
          }
          isChanging={isChanging}
          page={log}
          setPage={setPage}
        >
          {items.map((entry, index) => (
            <AuditRow key={entry.id} entry={entry} {...keys.row(index)} />
          ))}
        </NewestFirst>
      )}
    </>
  );
}

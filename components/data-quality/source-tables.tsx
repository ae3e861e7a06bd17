"use client";
import { type ComponentProps, memo } from "react";
import { Figure, Figures } from "@/components/ui/figure.tsx";
import { formatNumber, plural } from "@/components/ui/format.ts";
import { Link } from "@/components/ui/link.tsx";
import { Moment } from "@/components/ui/moment.tsx";
import { Name } from "@/components/ui/name.tsx";
import { NearRows } from "@/components/ui/near-rows.tsx";
import { Status } from "@/components/ui/status.tsx";
import { Table, Td, Th, Thead, Tr } from "@/components/ui/table.tsx";
import { Coverage } from "./coverage.tsx";
import { outageTitle } from "./outage.tsx";
import type { SourceQuality, TableRow, UncoveredTable } from "./overview-rows.ts";
import { formatScore, ScoreBar, ScoreStatusWord, ScoreTrend } from "./score.tsx";
import { AskedScoreCourse, ScoreCourse } from "./score-course.tsx";
import { tableStatusOf, tablesStatusOf } from "./score-status.ts";
import type { OverviewFilters } from "./use-overview-filters.ts";

const rowHeight = 32;

/** One data source: its figures, and its tables, worst first. */
export function SourceTables({
  source,
  rows,
  uncovered,
  projectName,
  newHref,
  list,
  rowProps,
  reveal,
  hrefOf,
  contractHref,
}: {
  source: SourceQuality;
  rows: readonly TableRow[];
  /** Tables without a contract that match the search. */
  uncovered: readonly UncoveredTable[];
  /** Set if sources of several projects are listed together. */
  projectName: string | null;
  /** null for users who may not create contracts. */
  newHref: ((table: UncoveredTable) => string) | null;
  list: OverviewFilters;
  rowProps: (index: number) => ComponentProps<"tr"> & { ref: (row: HTMLTableRowElement | null) => void };
  /** Receives how to scroll to a row that is not drawn. */
  reveal: (toRow: ((index: number) => void) | null) => void;
  hrefOf: (row: TableRow) => string;
  contractHref: (contractId: number) => string;
}) {
  const { dataSourceName, measured } = source;
  const { averageScore, tableCount, healthyTables, degradingTables } = measured;
  const status = tablesStatusOf(measured);
  return (
    <section aria-labelledby={`source-${source.dataSourceId}`} className="flex flex-col gap-3">
      <h2 id={`source-${source.dataSourceId}`} className="text-sm font-semibold break-words">
        <Name>{dataSourceName}</Name>
        {projectName !== null && <span className="pl-2 font-normal text-ink-3">{projectName}</span>}
      </h2>
      <Figures className="max-sm:[&>*:last-child]:col-span-2">
        <Figure
          label="Average score"
          value={averageScore === null ? "–" : formatScore(averageScore)}
          detail={averageScore === null ? "nothing evaluated yet" : `of ${plural(tableCount, "table")}`}
        />
        <Figure
          label="Tables scored"
          value={formatNumber(tableCount)}
          detail={unscoredText(rows, measured)}
        />
        <Figure
          label="Healthy"
          value={formatNumber(healthyTables)}
          kind={healthyTables > 0 ? "ok" : "neutral"}
          detail={
            status.kind === "ok" ? (
              "all of them"
            ) : (
              <Status kind={status.kind} className="[&_svg]:size-3.5">
                {status.word}
              </Status>
            )
          }
        />
        <Figure
          label="Degrading"
          value={formatNumber(degradingTables)}
          kind={degradingTables > 0 ? "warning" : "neutral"}
          detail={degradingTables > 0 ? "lost more than a point" : "none lost a point"}
        />
        <Figure
          label="Active contracts"
          value={formatNumber(source.activeContractCount)}
          detail="run on a schedule"
        />
      </Figures>
      {rows.length === 0 ? (
        <p className="text-ink-2">
          {list.filters.q === ""
            ? "No contract watches a table of this data source."
            : "No watched tables match."}
        </p>
      ) : (
        <Table label={`Tables of ${dataSourceName}`} rows={rows.length} className="md:table-fixed">
          <Thead>
            <tr>
              <Th className="md:w-[24%]" sort={list.sortBy("table")}>
                Table
              </Th>
              <Th className="md:w-[20%]" sort={list.sortBy("score")}>
                Score
              </Th>
              <Th className="hidden w-[24%] md:table-cell" sort={list.sortBy("trend")}>
                Trend
              </Th>
              <Th className="hidden w-[11%] md:table-cell" sort={list.sortBy("evaluated")}>
                Evaluated
              </Th>
              <Th className="hidden md:table-cell" sort={list.sortBy("contracts")}>
                Contracts
              </Th>
            </tr>
          </Thead>
          <NearRows items={rows} rowHeight={rowHeight} reveal={reveal}>
            {(row, index, measured) => {
              const own = rowProps(index);
              return (
                <Tr
                  key={`${row.schemaName}.${row.tableName}`}
                  {...own}
                  {...measured}
                  ref={(element) => {
                    own.ref(element);
                    measured.ref?.(element);
                  }}
                >
                  <Cells
                    row={row}
                    dataSourceId={source.dataSourceId}
                    hrefOf={hrefOf}
                    contractHref={contractHref}
                  />
                </Tr>
              );
            }}
          </NearRows>
        </Table>
      )}
      <Coverage source={source} uncovered={uncovered} isSearch={list.filters.q !== ""} newHref={newHref} />
    </section>
  );
}

/** A row's cells. Scrolling draws only those anew that were not there. */
const Cells = memo(function Cells({
  row,
  dataSourceId,
  hrefOf,
  contractHref,
}: {
  row: TableRow;
  dataSourceId: number;
  hrefOf: (row: TableRow) => string;
  contractHref: (contractId: number) => string;
}) {
  return (
    <>
      <Td className="w-full max-w-0 md:w-auto">
        <Link
          href={hrefOf(row)}
          className="block truncate hover:underline"
          title={`${row.schemaName}.${row.tableName}`}
        >
          <span className="text-ink-3">{row.schemaName}.</span>
          <span className="font-medium">{row.tableName}</span>
        </Link>
        {row.score !== null && (
          <span className="flex items-baseline gap-2 text-xs text-ink-3 md:hidden">
            <ScoreTrend {...row} />
            <Moment at={row.evaluatedAt} />
          </span>
        )}
      </Td>
      <Td className="whitespace-nowrap">
        <span className="inline-flex items-center gap-3">
          {row.score !== null && <ScoreBar score={row.score} />}
          <ScoreStatusWord
            status={tableStatusOf(row.score, row.outage)}
            title={row.outage ? outageTitle(row.outage) : undefined}
          />
        </span>
      </Td>
      <Td className="hidden whitespace-nowrap md:table-cell">
        {row.isCourseLeftOut ? (
          <AskedScoreCourse
            table={{ dataSourceId, schemaName: row.schemaName, tableName: row.tableName }}
            className="max-lg:hidden"
          />
        ) : (
          <ScoreCourse course={row.course} className="max-lg:hidden" />
        )}
        <ScoreTrend {...row} />
        {row.previousScore !== null && row.outage === null && (
          <span className="pl-1.5 text-xs max-2xl:hidden text-ink-3 tabular-nums">
            from {formatScore(row.previousScore)}
          </span>
        )}
      </Td>
      <Td className="hidden text-ink-2 md:table-cell">
        <Moment at={row.evaluatedAt} />
      </Td>
      <Td className="hidden md:table-cell">
        <ContractLinks
          contracts={row.contracts}
          count={row.contractCount}
          allHref={hrefOf(row)}
          contractHref={contractHref}
        />
      </Td>
    </>
  );
});

function unscoredText(rows: readonly TableRow[], { outageTables }: SourceQuality["measured"]): string {
  if (outageTables > 0) return `${formatNumber(outageTables)} could not be evaluated`;
  const waiting = rows.filter((row) => row.score === null).length;
  return waiting > 0 ? `${formatNumber(waiting)} not evaluated yet` : "by their latest evaluation";
}

function ContractLinks({
  contracts,
  count,
  allHref,
  contractHref,
}: {
  contracts: TableRow["contracts"];
  count: number;
  allHref: string;
  contractHref: (contractId: number) => string;
}) {
  const [first] = contracts;
  if (!first) return <span className="text-ink-3">none any more</span>;
  return (
    <span className="flex items-baseline gap-2">
      <Link
        href={contractHref(first.id)}
        className="truncate text-ink-2 hover:text-ink hover:underline"
        title={first.name}
      >
        {first.name}
      </Link>
      {count > 1 && (
        <Link href={allHref} className="shrink-0 text-xs text-ink-3 hover:text-ink hover:underline">
          and {plural(count - 1, "other")}
        </Link>
      )}
    </span>
  );
}

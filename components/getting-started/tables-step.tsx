"use client";
import { useEffect } from "react";
import { ReadSchema } from "../catalog/read-schema.tsx";
import { TableFilters } from "../catalog/table-filters.tsx";
import { TableList } from "../catalog/table-list.tsx";
import { useCatalogTables } from "../catalog/use-catalog-tables.ts";
import { sourceFindingsHref } from "../findings/finding-hrefs.ts";
import { ScanButton } from "../findings/scan-button.tsx";
import { ScanSummary } from "../findings/scan-summary.tsx";
import { useScans } from "../findings/use-scans.ts";
import { useProject } from "../projects/use-project.ts";
import { trpc } from "../trpc/client.tsx";
import { Button, ButtonLink } from "../ui/button.tsx";
import { Figure, Figures } from "../ui/figure.tsx";
import { formatNumber } from "../ui/format.ts";
import type { StepProps } from "./step-props.ts";

/** What the scan found in the tables, what that cost, and which of them have a contract. */
export function TablesStep({ guide, open }: StepProps) {
  const { source } = guide;
  if (source === null)
    return (
      <Button variant="primary" onClick={() => open("Connect")}>
        Connect a database
      </Button>
    );
  return <Tables source={source} guide={guide} />;
}

function Tables({
  source,
  guide: { scan },
}: {
  source: NonNullable<StepProps["guide"]["source"]>;
  guide: StepProps["guide"];
}) {
  const { href } = useProject();
  const scans = useScans({ dataSourceId: source.id });
  const tables = useCatalogTables(source.id);
  const [{ items }] = trpc.catalog.sources.useSuspenseQuery({}, { refetchInterval: 10_000 });
  // The list of tables comes with the scan, and what was found when it ends.
  const { invalidate } = trpc.useUtils().catalog;
  const progress = `${scan?.status} ${(scan?.tables ?? 0) > 0}`;
  // biome-ignore lint/correctness/useExhaustiveDependencies: whenever the scan has got further
  useEffect(() => void invalidate(), [progress]);
  const known = items.find(({ id }) => id === source.id);
  const contractHref = ({ schemaName, tableName }: { schemaName: string; tableName: string }) =>
    `/getting-started?${new URLSearchParams({ step: "Rules", inSchema: schemaName, ofTable: tableName })}`;
  return (
    <div className="flex flex-col gap-4">
      <ScanSummary sources={[source]} scans={scans.filter(({ status }) => status !== "Completed")} />
      {known && known.tableCount > 0 && <CoverageFigures source={known} />}
      <div className="flex flex-wrap gap-2">
        <ButtonLink href={href(sourceFindingsHref(source.id))}>All findings</ButtonLink>
        {scan?.status !== "Completed" && <ScanButton sources={[source]} scans={scans} />}
      </div>
      {known?.readAt === null ? (
        <ReadSchema id={source.id} />
      ) : (
        <div>
          {tables.page.totalCount > 10 || tables.isFiltered ? (
            <TableFilters
              tables={tables}
              tags={known?.tags ?? []}
              {...(known && { schemas: known.schemas })}
            />
          ) : null}
          <TableList tables={tables} showSource={false} contractHref={contractHref} />
        </div>
      )}
    </div>
  );
}

type Covered = {
  tableCount: number;
  watchedCount: number;
  onlyFindingsCount: number;
};

/** Each table counts once: it has a contract, or else findings, or nothing. */
export function CoverageFigures({
  source: { tableCount, watchedCount, onlyFindingsCount },
}: {
  source: Covered;
}) {
  return (
    <Figures className="grid-cols-3">
      <Figure
        label="With a contract"
        value={formatNumber(watchedCount)}
        detail={`of ${formatNumber(tableCount)}`}
      />
      <Figure
        label="Only findings"
        value={formatNumber(onlyFindingsCount)}
        detail="and no contract"
        {...(onlyFindingsCount > 0 && { kind: "warning" })}
      />
      <Figure
        label="Nothing"
        value={formatNumber(tableCount - watchedCount - onlyFindingsCount)}
        detail="no findings, no contract"
      />
    </Figures>
  );
}

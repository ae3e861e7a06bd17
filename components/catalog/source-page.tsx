"use client";
import { useMay } from "@/components/auth/use-me.ts";
import { formatScore } from "@/components/data-quality/score.tsx";
import { type ScoreStatus, tablesStatusOf } from "@/components/data-quality/score-status.ts";
import { useProject } from "@/components/projects/use-project.ts";
import { type Outputs, trpc } from "@/components/trpc/client.tsx";
import { messageOf } from "@/components/trpc/errors.ts";
import { Button, ButtonLink } from "@/components/ui/button.tsx";
import { Empty } from "@/components/ui/empty.tsx";
import { Figure, Figures } from "@/components/ui/figure.tsx";
import { formatNumber, plural } from "@/components/ui/format.ts";
import { Database, RefreshCw } from "@/components/ui/icons.tsx";
import { Moment } from "@/components/ui/moment.tsx";
import { PageHeader } from "@/components/ui/page-header.tsx";
import { toast } from "@/components/ui/toaster.tsx";
import { kindLabels } from "@/server/data-sources/dialects/dialects.ts";
import { ExportButton } from "./export-button.tsx";
import { ReadSchema } from "./read-schema.tsx";
import { TableFilters } from "./table-filters.tsx";
import { documentationFileName } from "./table-href.ts";
import { TableList } from "./table-list.tsx";
import { useCatalogTables } from "./use-catalog-tables.ts";

/** One data source's schemas and tables. */
export function SourcePage({ id }: { id: number }) {
  const [{ name, kind }] = trpc.dataSources.get.useSuspenseQuery({ id });
  const [{ items }] = trpc.catalog.sources.useSuspenseQuery({}, { refetchInterval: 60_000 });
  const { href } = useProject();
  const source = items.find((each) => each.id === id);
  const isRead = source !== undefined && source.readAt !== null;
  return (
    <>
      <PageHeader
        parent={{ href: href("/catalog"), label: "Catalog" }}
        title={name}
        description={
          <span className="text-ink-3">
            {kindLabels[kind]}
            {isRead && (
              <>
                , schema read <Moment at={source.readAt} />
              </>
            )}
          </span>
        }
        actions={isRead && <SourceActions id={id} name={name} />}
      />
      {!source ? (
        <Empty icon={Database} title="A REST API has no tables">
          Queries can read its responses, but there are no tables to describe or watch.
        </Empty>
      ) : isRead ? (
        <SourceTables source={source} />
      ) : (
        <ReadSchema id={id} />
      )}
    </>
  );
}

function SourceActions({ id, name }: { id: number; name: string }) {
  const { href } = useProject();
  const utils = trpc.useUtils();
  const mayManage = useMay("data-sources:manage");
  const refresh = trpc.dataSources.refreshSchema.useMutation({
    onSuccess: async (found) => {
      utils.dataSources.schema.setData({ id }, found);
      await Promise.all([utils.catalog.invalidate(), utils.dataQuality.overview.invalidate()]);
      const tables = found.items.reduce((sum, schema) => sum + schema.tables.length, 0);
      toast.success(`Read the schema: ${plural(tables, "table")}`);
    },
    onError: (error) => toast.error(messageOf(error)),
  });
  return (
    <>
      <ExportButton of={{ dataSourceId: id }} fileName={documentationFileName(name)} />
      {mayManage && (
        <Button icon={RefreshCw} pending={refresh.isPending} onClick={() => refresh.mutate({ id })}>
          Refresh schema
        </Button>
      )}
      <ButtonLink href={href(`/data-sources/${id}`)} icon={Database}>
        Connection
      </ButtonLink>
    </>
  );
}

type Source = Outputs["catalog"]["sources"]["items"][number];

function SourceTables({ source }: { source: Source }) {
  const { href } = useProject();
  const tables = useCatalogTables(source.id);
  const { averageScore, tableCount, documentedCount, activeContractCount, scoredCount, schemas } = source;
  const status = tablesStatusOf({
    tableCount: scoredCount,
    healthyTables: source.healthyCount,
    outageTables: source.outageCount,
  });
  return (
    <>
      <Figures>
        <Figure
          label="Tables"
          value={formatNumber(tableCount)}
          detail={`in ${plural(schemas.length, "schema")}`}
        />
        <Figure
          label="Documented"
          value={formatNumber(documentedCount)}
          detail={
            documentedCount === tableCount
              ? "all of them"
              : `${formatNumber(tableCount - documentedCount)} without a word`
          }
          pressed={tables.filters.documented === "no"}
          onPress={() => tables.set({ documented: tables.filters.documented === "no" ? null : "no" })}
        />
        <Figure
          label="Average score"
          value={averageScore === null ? "–" : formatScore(averageScore)}
          {...(averageScore !== null && { kind: status.kind })}
          detail={averageScore === null ? "nothing evaluated yet" : scoredText(status, scoredCount)}
        />
        <Figure
          label="Active contracts"
          value={formatNumber(activeContractCount)}
          detail="run on a schedule"
          href={href(`/data-quality/contracts?source=${source.id}`)}
        />
      </Figures>
      <section aria-label={`Tables of ${source.name}`} className="pt-4">
        {tableCount > 0 && <TableFilters tables={tables} schemas={schemas} tags={source.tags} />}
        <TableList tables={tables} showSource={false} />
      </section>
    </>
  );
}

const scoredText = ({ kind, word }: ScoreStatus, scored: number) =>
  kind === "ok" ? `of ${plural(scored, "scored table")}` : word;

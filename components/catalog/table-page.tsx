"use client";
import { useState } from "react";
import { useMay } from "@/components/auth/use-me.ts";
import { Star } from "@/components/favorites/star.tsx";
import { TableFindings } from "@/components/findings/table-findings.tsx";
import { TableLineage } from "@/components/lineage/table-lineage.tsx";
import { useProject } from "@/components/projects/use-project.ts";
import { trpc } from "@/components/trpc/client.tsx";
import { ButtonLink } from "@/components/ui/button.tsx";
import { Count } from "@/components/ui/count.tsx";
import { FileCode2, FilePlus2 } from "@/components/ui/icons.tsx";
import { Link } from "@/components/ui/link.tsx";
import { Moment } from "@/components/ui/moment.tsx";
import { Name } from "@/components/ui/name.tsx";
import { PageHeader } from "@/components/ui/page-header.tsx";
import { Status } from "@/components/ui/status.tsx";
import { TableWatch } from "@/components/watch/table-watch.tsx";
import type { TablePage as Page } from "@/server/catalog/schema.ts";
import { ColumnsTable } from "./columns-table.tsx";
import { Described } from "./described.tsx";
import { ExportButton } from "./export-button.tsx";
import { ReadSchema } from "./read-schema.tsx";
import { columnHash, documentationFileName, tableHref } from "./table-href.ts";
import { TableQuality } from "./table-quality.tsx";
import { TableReaders } from "./table-readers.tsx";
import { TableTags } from "./table-tags.tsx";
import { TableValues } from "./table-values.tsx";

type Named = { dataSourceId: number; schemaName: string; tableName: string };

/** One table: its columns, quality, description, and queries. */
export function TablePage(name: Named) {
  const [table] = trpc.catalog.table.useSuspenseQuery(name, { refetchInterval: 60_000 });
  const { href } = useProject();
  const mayDescribe = useMay("catalog:describe");
  const mayWatch = useMay("contracts:configure");
  const mayQuery = useMay("queries:configure");
  const { dataSource, schemaName, tableName, isThere, readAt } = table;
  const start = new URLSearchParams({ source: String(dataSource.id), schema: schemaName, table: tableName });
  const newContract = mayWatch && isThere ? href(`/data-quality/contracts/new?${start}`) : null;
  return (
    <>
      <PageHeader
        parent={{ href: href(`/catalog/${dataSource.id}`), label: dataSource.name }}
        title={
          <span className="wrap-anywhere">
            <span className="font-normal text-ink-3">{schemaName}.</span>
            <Name>{tableName}</Name>
          </span>
        }
        mark={<Star kind="Table" id={dataSource.id} name={tableName} {...{ schemaName, tableName }} />}
        description={<Facts table={table} />}
        actions={
          isThere && (
            <>
              <ExportButton
                of={{ dataSourceId: dataSource.id, schemaName, tableName }}
                fileName={documentationFileName(dataSource.name, schemaName, tableName)}
              />
              {mayQuery && (
                <ButtonLink href={href(`/queries/new?${start}`)} icon={FileCode2}>
                  New query
                </ButtonLink>
              )}
              {newContract && (
                <ButtonLink href={newContract} variant="primary" icon={FilePlus2}>
                  New contract
                </ButtonLink>
              )}
            </>
          )
        }
      />
      {!isThere && readAt !== null && (
        <p className="mb-4 rounded-md border border-warning/40 bg-warning-soft/50 px-3 py-2">
          <Status kind="warning" className="items-start whitespace-normal">
            <span>
              This table did not exist when the schema was last read <Moment at={readAt} />. Its descriptions
              are kept in case it comes back.
            </span>
          </Status>
        </p>
      )}
      <TableWords table={table} mayEdit={mayDescribe} />
      <TableTags table={table} mayEdit={mayDescribe} />
      <TableQuality table={table} newContract={newContract} />
      {isThere && table.kind !== "View" && (
        <TableWatch dataSourceId={dataSource.id} schemaName={schemaName} tableName={tableName} />
      )}
      <TableFindings dataSourceId={dataSource.id} schemaName={schemaName} tableName={tableName} />
      {isThere && <TableValues dataSourceId={dataSource.id} schemaName={schemaName} tableName={tableName} />}
      {isThere ? (
        <ColumnsTable table={table} />
      ) : readAt === null ? (
        <div className="pt-6">
          <ReadSchema id={dataSource.id} />
        </div>
      ) : null}
      <FormerColumns table={table} mayEdit={mayDescribe} />
      <TableLineage dataSourceId={dataSource.id} schemaName={schemaName} tableName={tableName} />
      <TableReaders table={table} />
      <ReferredBy table={table} />
    </>
  );
}

function Facts({ table: { kind, rowEstimate, readAt } }: { table: Page }) {
  if (kind === null) return null;
  return (
    <span className="text-ink-3">
      {kind}
      {rowEstimate !== null && (
        <>
          , about <Count value={rowEstimate} /> rows
        </>
      )}
      , read <Moment at={readAt} />
    </span>
  );
}

function TableWords({ table, mayEdit }: { table: Page; mayEdit: boolean }) {
  const [isEditing, setEditing] = useState(false);
  const { dataSource, schemaName, tableName, description, comment } = table;
  if (!description && !comment && !mayEdit) return null;
  return (
    <section aria-label="Description" className="max-w-3xl pb-4">
      <Described
        place={{ dataSourceId: dataSource.id, schemaName, tableName }}
        words={description}
        mayEdit={mayEdit}
        isEditing={isEditing}
        onEditing={setEditing}
      />
      {description && !isEditing && (
        <p className="text-xs text-ink-3">
          {description.updatedBy?.name ?? "Someone"}, <Moment at={description.updatedAt} />
        </p>
      )}
      {comment && (
        <p className="pt-1 break-words whitespace-pre-wrap text-ink-2">
          <span className="text-xs text-ink-3">Database comment: </span>
          {comment}
        </p>
      )}
    </section>
  );
}

function FormerColumns({ table, mayEdit }: { table: Page; mayEdit: boolean }) {
  const [editing, setEditing] = useState<string | null>(null);
  const { dataSource, schemaName, tableName, formerColumns, readAt } = table;
  if (formerColumns.length === 0 || readAt === null) return null;
  return (
    <section aria-labelledby="former" className="pt-8">
      <h2 id="former" className="text-base font-semibold tracking-tight">
        Described, but missing
      </h2>
      <ul className="border-t">
        {formerColumns.map(({ name, description }) => (
          <li key={name} className="grid gap-x-4 border-b py-1 sm:grid-cols-[14rem_minmax(0,1fr)]">
            <span className="font-mono text-[13px] wrap-anywhere text-ink-2">{name}</span>
            <Described
              place={{ dataSourceId: dataSource.id, schemaName, tableName, columnName: name }}
              words={description}
              mayEdit={mayEdit}
              isEditing={editing === name}
              onEditing={(isEditing) => setEditing(isEditing ? name : null)}
            />
          </li>
        ))}
      </ul>
    </section>
  );
}

function ReferredBy({ table: { dataSource, referredBy } }: { table: Page }) {
  const { href } = useProject();
  if (referredBy.length === 0) return null;
  return (
    <section aria-labelledby="referred" className="pt-8">
      <h2 id="referred" className="pb-1 text-base font-semibold tracking-tight">
        Referenced by
      </h2>
      <ul className="border-t">
        {referredBy.map(({ to, ...from }) => (
          <li
            key={JSON.stringify(from)}
            className="flex min-h-8 flex-wrap items-center gap-x-2 border-b font-mono text-[13px]"
          >
            <Link
              href={href(tableHref(dataSource.id, from)) + columnHash(from.columnName)}
              className="wrap-anywhere hover:underline"
            >
              <span className="text-ink-3">{from.schemaName}.</span>
              <Name>{from.tableName}</Name>.<Name>{from.columnName}</Name>
            </Link>
            <span className="text-ink-3">
              <span aria-hidden>→</span> {to}
            </span>
          </li>
        ))}
      </ul>
    </section>
  );
}

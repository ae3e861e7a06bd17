"use client";
import { type ReactNode, useState } from "react";
import { Star } from "@/components/favorites/star.tsx";
import { ChevronDown, Ellipsis, Pencil, PlugZap, Trash2 } from "@/components/ui/icons.tsx";
import { Link } from "@/components/ui/link.tsx";
import { kindLabels } from "@/server/data-sources/dialects/dialects.ts";
import { isRest, isServer, isServerKind, isSnowflake } from "@/server/data-sources/kinds.ts";
import { useMay } from "../auth/use-me.ts";
import { ScanSource, SourceFindings } from "../findings/scan-source.tsx";
import { useProject, useProjects } from "../projects/use-project.ts";
import { ManagedNotice } from "../stacks/managed-notice.tsx";
import { useIsManaged } from "../stacks/use-managed.ts";
import { trpc } from "../trpc/client.tsx";
import { messageOf } from "../trpc/errors.ts";
import { Button, ButtonLink } from "../ui/button.tsx";
import { Menu, MenuContent, MenuItem, MenuTrigger } from "../ui/dropdown-menu.tsx";
import { Fact, Facts } from "../ui/facts.tsx";
import { FormError } from "../ui/field.tsx";
import { plural } from "../ui/format.ts";
import { Moment } from "../ui/moment.tsx";
import { PageHeader } from "../ui/page-header.tsx";
import { Status } from "../ui/status.tsx";
import { WatchPanel } from "../watch/watch-panel.tsx";
import { ConnectionFacts } from "./connection-facts.tsx";
import { ConnectionTestResult } from "./connection-test.tsx";
import { countedContracts } from "./contract-count.ts";
import { CostFacts } from "./cost-facts.tsx";
import { DeleteDataSource } from "./delete-data-source.tsx";
import { ReadOnlyAdvice } from "./read-only-advice.tsx";
import { ScanScheduleWords } from "./scan-schedule.tsx";
import { SchemaBrowser } from "./schema-browser.tsx";
import { SnowflakeRoleAdvice } from "./snowflake-role-advice.tsx";

export function DataSourcePage({ id }: { id: number }) {
  const [source] = trpc.dataSources.get.useSuspenseQuery({ id });
  const { data: contracts } = trpc.dataQuality.searchContracts.useQuery(countedContracts(id));
  const { nameOf } = useProjects();
  const { href } = useProject();
  const mayManage = useMay("data-sources:manage");
  const isManaged = useIsManaged("DataSource", id);
  const test = trpc.dataSources.testConnection.useMutation();
  const [isDeleting, setIsDeleting] = useState(false);
  const { name, kind, connection, canWrite } = source;

  return (
    <>
      <PageHeader
        parent={{ href: href("/data-sources"), label: "Data sources" }}
        title={name}
        mark={<Star kind="DataSource" id={id} name={name} />}
        actions={
          <>
            {!isRest(connection) && <ScanSource id={id} />}
            {mayManage && (
              <Button
                icon={PlugZap}
                pending={test.isPending}
                onClick={() => test.mutate({ kind, connection, dataSourceId: id })}
              >
                Test connection
              </Button>
            )}
            {mayManage && !isManaged && (
              <>
                <ButtonLink href={href(`/data-sources/${id}/edit`)} icon={Pencil}>
                  Edit
                </ButtonLink>
                <Menu>
                  <MenuTrigger>
                    <Button size="icon" icon={Ellipsis} aria-label="More actions" />
                  </MenuTrigger>
                  <MenuContent>
                    <MenuItem icon={Trash2} danger onSelect={() => setIsDeleting(true)}>
                      Delete
                    </MenuItem>
                  </MenuContent>
                </Menu>
              </>
            )}
          </>
        }
      />
      <ManagedNotice kind="DataSource" id={id} />
      {(test.data || test.error) && !test.isPending && (
        <div className="pb-4">
          {test.data && <ConnectionTestResult result={test.data} />}
          {test.error && <FormError>{messageOf(test.error)}</FormError>}
        </div>
      )}
      <Facts>
        <Fact label="Kind">{kindLabels[kind]}</Fact>
        <ConnectionFacts source={source} />
        <Fact label="Project">{nameOf(source.projectId)}</Fact>
        {!isRest(connection) && (
          <Fact label="Contracts">
            <Link
              href={`/data-quality/contracts?source=${id}`}
              className="rounded-sm text-accent underline-offset-2 hover:underline"
            >
              {contracts ? plural(contracts.totalCount, "contract") : "See contracts"}
            </Link>
          </Fact>
        )}
        {!isRest(connection) && (
          <Fact label="Findings">
            <SourceFindings id={id} />
          </Fact>
        )}
        {!isRest(connection) && (
          <Fact label="Scans">
            <ScanScheduleWords schedule={source.scanSchedule} />
          </Fact>
        )}
        <CostFacts source={source} />
        <Fact label="Changed">
          <Moment at={source.updatedAt} />
        </Fact>
      </Facts>
      {canWrite && mayManage && isServerKind(kind) && isServer(connection) && (
        <WriteWarning
          title={`The user ${connection.user} can write in this database. How to create a read-only login`}
        >
          <ReadOnlyAdvice kind={kind} user={`${connection.user}_reads`} database={connection.database} />
        </WriteWarning>
      )}
      {canWrite && mayManage && isSnowflake(connection) && (
        <WriteWarning
          title={`The role of ${connection.user} can write. How to create one that can only read`}
        >
          <SnowflakeRoleAdvice
            fields={{ ...connection, role: "PLUMBLINE", warehouse: connection.warehouse ?? "" }}
          />
        </WriteWarning>
      )}
      {!isRest(connection) && <WatchPanel id={id} />}
      {isRest(connection) ? (
        <p className="pt-4 text-ink-2">A REST API has no tables, so no data contract can watch it.</p>
      ) : (
        <SchemaBrowser id={id} mayRefresh={mayManage} />
      )}
      <DeleteDataSource source={source} open={isDeleting} onOpenChange={setIsDeleting} />
    </>
  );
}

/** That a login can write, and what to do about it. */
function WriteWarning({ title, children }: { title: string; children: ReactNode }) {
  return (
    <details className="group mt-4 rounded-md border border-warning/40 bg-warning-soft/50 px-3 py-2">
      <summary className="flex list-none items-start gap-2 [&::-webkit-details-marker]:hidden">
        <Status kind="warning" className="items-start whitespace-normal">
          {title}
        </Status>
        <ChevronDown
          aria-hidden
          className="mt-0.5 size-4 shrink-0 text-warning transition-transform group-open:rotate-180"
        />
      </summary>
      <div className="max-w-3xl pt-2">{children}</div>
    </details>
  );
}

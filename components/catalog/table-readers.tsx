"use client";
import { healthLook } from "@/components/control-tower/health-looks.ts";
import { Schedule } from "@/components/cron/schedule.tsx";
import { useProject } from "@/components/projects/use-project.ts";
import { type Outputs, trpc } from "@/components/trpc/client.tsx";
import { formatPercent, plural } from "@/components/ui/format.ts";
import { Link } from "@/components/ui/link.tsx";
import { Status } from "@/components/ui/status.tsx";
import { Table, Td, Th, Thead, Tr } from "@/components/ui/table.tsx";
import type { TablePage } from "@/server/catalog/schema.ts";

type Health = Outputs["controlTower"]["health"]["items"][number];

/** The queries that use the table, their subscriptions, and the health of those. */
export function TableReaders({ table }: { table: TablePage }) {
  const { queries, queryCount, dataSource } = table;
  const { href } = useProject();
  const isRun = queries.some(({ subscriptions }) => subscriptions.length > 0);
  const { data } = trpc.controlTower.health.useQuery(
    { dataSourceId: dataSource.id, pageSize: 500 },
    { enabled: isRun, refetchInterval: 60_000 },
  );
  const healthOf = new Map(data?.items.map((row) => [row.subscriptionId, row]));
  return (
    <section aria-labelledby="readers" className="pt-8">
      <div className="flex min-h-8 flex-wrap items-baseline gap-x-3">
        <h2 id="readers" className="text-base font-semibold tracking-tight">
          Read by
        </h2>
        <span className="text-ink-3 tabular-nums">{plural(queryCount, "query", "queries")}</span>
        <span className="text-xs text-ink-3">
          Found by the table's name in their SQL. Queries that read it through a view are not listed.
        </span>
      </div>
      {queries.length === 0 ? (
        <p className="border-t py-3 text-ink-2">No query on this data source names the table.</p>
      ) : (
        <Table label="Queries that read the table">
          <Thead>
            <tr>
              <Th>Query</Th>
              <Th className="hidden md:table-cell">Folder</Th>
              <Th>Subscriptions</Th>
            </tr>
          </Thead>
          <tbody>
            {queries.map((query) => (
              <Tr key={query.id}>
                <Td className="max-w-64 align-top font-medium">
                  <Link href={href(`/queries/${query.id}`)} className="break-words hover:underline">
                    {query.name}
                  </Link>
                </Td>
                <Td className="hidden align-top text-ink-2 md:table-cell">{query.folderPath}</Td>
                <Td className="align-top">
                  {query.subscriptions.length === 0 ? (
                    <span className="text-ink-3">No subscription runs it</span>
                  ) : (
                    <ul className="flex flex-col">
                      {query.subscriptions.map((subscription) => (
                        <li key={subscription.id} className="flex flex-wrap items-center gap-x-3">
                          <Link
                            href={href(`/subscriptions/${subscription.id}`)}
                            className="text-ink-2 hover:text-ink hover:underline"
                          >
                            <Schedule
                              expression={subscription.cronExpression}
                              timezone={subscription.timezone}
                            />
                          </Link>
                          {subscription.enabled ? (
                            <HealthWord health={healthOf.get(subscription.id)} />
                          ) : (
                            <span className="text-xs text-ink-3">disabled</span>
                          )}
                        </li>
                      ))}
                    </ul>
                  )}
                </Td>
              </Tr>
            ))}
          </tbody>
        </Table>
      )}
      {queryCount > queries.length && (
        <p className="pt-2 text-xs text-ink-3">
          The first {queries.length} of {queryCount} by name are listed.
        </p>
      )}
    </section>
  );
}

function HealthWord({ health }: { health: Health | undefined }) {
  if (!health) return null;
  const { kind, icon, word, hint } = healthLook(health);
  return (
    <span className="flex items-center gap-2 text-xs" title={hint}>
      <Status kind={kind} {...(icon && { icon })}>
        {word}
      </Status>
      {health.successRate !== null && (
        <span className="text-ink-3 tabular-nums">{formatPercent(health.successRate)} of 30 d</span>
      )}
    </span>
  );
}

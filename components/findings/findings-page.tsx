"use client";
import { useMay } from "@/components/auth/use-me.ts";
import { useProject, useProjectInput } from "@/components/projects/use-project.ts";
import { LiveNotice } from "@/components/realtime/live-notice.tsx";
import { trpc } from "@/components/trpc/client.tsx";
import { Button, ButtonLink } from "@/components/ui/button.tsx";
import { Empty } from "@/components/ui/empty.tsx";
import { formatNumber } from "@/components/ui/format.ts";
import { Database, ScanSearch } from "@/components/ui/icons.tsx";
import { actionsColumn, type Columns } from "@/components/ui/list.tsx";
import { ListPage } from "@/components/ui/list-page.tsx";
import { useListFilters } from "@/components/ui/use-list-filters.ts";
import { isRest } from "@/server/data-sources/kinds.ts";
import type { Finding, FindingScan } from "@/server/findings/schema.ts";
import { shownFrom } from "@/server/findings/shown-from.ts";
import { findingListInput, findingParameters, ofSources } from "./finding-filter.ts";
import { FindingFilters } from "./finding-filters.tsx";
import { FindingRow, TableHeading } from "./finding-row.tsx";
import { surenessPercent, tableKey } from "./finding-words.ts";
import { ScanButton } from "./scan-button.tsx";
import { ReadWords, ScanSummary } from "./scan-summary.tsx";
import { useFindingDecisions } from "./use-finding-decisions.tsx";
import { useScans } from "./use-scans.ts";

const columns: Columns = [
  { title: "Severity", from: "sm" },
  { title: "What looks wrong", wide: true },
  { title: "Rows", numeric: true, from: "md" },
  { title: "How sure", from: "sm" },
  actionsColumn(),
];

/** What looks wrong in the data, by table, the worst first; and the scans that say so. */
export function FindingsPage() {
  const { href } = useProject();
  const project = useProjectInput();
  const list = useListFilters(findingParameters, (filters) => findingListInput(project, filters), {
    options: ["source"],
  });
  const { source } = list.filters;
  const mayConnect = useMay("data-sources:manage");
  const [page] = trpc.findings.list.useSuspenseQuery(list.input, { refetchInterval: 60_000 });
  const [{ items: all }] = trpc.dataSources.list.useSuspenseQuery(project);
  const scansOf = ofSources(project, list.filters);
  const everyScan = useScans(project);
  const sources = all.filter(({ connection }) => !isRest(connection));
  const ids = new Set(sources.map(({ id }) => id));
  const chosen = sources.filter(({ id }) => id === (source ?? id));
  const scans = everyScan.filter(
    ({ dataSourceId }) => ids.has(dataSourceId) && dataSourceId === (source ?? dataSourceId),
  );
  const byTable = Map.groupBy(page.items, tableKey);
  const { mayDecide, ask, dialog } = useFindingDecisions(() => focusedFinding(page.items));
  const hrefOf = ({ id }: Finding) => href(`/findings/${id}`);
  const showSource = source === null && sources.length > 1;
  const scanButton = <ScanButton sources={chosen} scans={everyScan} />;
  return (
    <>
      <ListPage
        title="Findings"
        things="findings"
        columns={columns}
        rows={page.items}
        page={page}
        list={list}
        keyOf={({ id }) => id}
        hrefOf={hrefOf}
        count={
          list.filters.status === null
            ? `${formatNumber(page.totalCount)} open`
            : formatNumber(page.totalCount)
        }
        actions={scanButton}
        notices={
          <>
            <LiveNotice />
            <ScanSummary sources={sources} scans={scans} />
            {everyScan.length > 0 && <FindingFilters list={list} sources={sources} of={scansOf} />}
          </>
        }
        noMatch={
          scans.some(({ status }) => status === "Running") ? (
            <p className="border-t py-6 text-ink-2">No findings match these filters so far.</p>
          ) : (
            <Empty
              title="No findings match these filters"
              action={<Button onClick={list.reset}>Clear filters</Button>}
            />
          )
        }
        empty={emptyWords(chosen, scans, scanButton, href, mayConnect)}
      >
        {(finding, row) => {
          const ofTable = byTable.get(tableKey(finding)) ?? [];
          return (
            <>
              {ofTable[0] === finding && (
                <TableHeading
                  table={finding}
                  source={
                    showSource ? (sources.find(({ id }) => id === finding.dataSourceId)?.name ?? null) : null
                  }
                  count={ofTable.length}
                />
              )}
              <FindingRow
                finding={finding}
                href={hrefOf(finding)}
                {...(mayDecide && { onAsk: (decision) => ask(decision, finding) })}
                {...row}
              />
            </>
          );
        }}
      </ListPage>
      {dialog}
    </>
  );
}

/** The finding whose row has the focus, or something in it. */
function focusedFinding(items: readonly Finding[]): Finding | null {
  const row = document.activeElement?.closest<HTMLElement>("[data-finding]");
  return items.find(({ id }) => String(id) === row?.dataset.finding) ?? null;
}

/** What is said while nothing is listed: there is nothing to scan, nothing was scanned, or nothing looks wrong. */
function emptyWords(
  sources: readonly { id: number; name: string }[],
  scans: readonly FindingScan[],
  scanButton: React.ReactNode,
  href: (path: string) => string,
  mayConnect: boolean,
): Parameters<typeof Empty>[0] {
  if (sources.length === 0)
    return {
      icon: Database,
      title: "Nothing to scan yet",
      action: mayConnect && (
        <ButtonLink href={href("/data-sources/new")} variant="primary" icon={Database}>
          Connect a data source
        </ButtonLink>
      ),
      children: `A scan reads the tables of a database and lists what looks wrong in them, without rules. No database is connected yet.${
        mayConnect ? "" : " An Admin can connect one."
      }`,
    };
  if (scans.length === 0)
    return {
      icon: ScanSearch,
      title: "Not scanned yet",
      action: scanButton,
      children:
        "A scan reads the tables of a database and lists what looks wrong in them: duplicates, missing references, values out of range, and more. It needs no rules and changes nothing.",
    };
  if (scans.some(({ status }) => status === "Running"))
    return { icon: ScanSearch, title: "Nothing found so far", children: "The scan is still running." };
  if (scans.every(({ status }) => status === "Failed" || status === "Stopped"))
    return {
      icon: ScanSearch,
      title: "No open findings",
      children: "The scan did not finish, so this does not say that the data is fine.",
    };
  return {
    icon: ScanSearch,
    title: "Nothing looks wrong",
    children: (
      <>
        Looked at: <ReadWords scans={scans} />. Findings that are less than {surenessPercent(shownFrom)}{" "}
        certain are hidden; choose them under Confidence.
      </>
    ),
  };
}

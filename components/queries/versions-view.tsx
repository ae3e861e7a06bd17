"use client";
import Link from "next/link";
import { parseAsInteger, useQueryStates } from "nuqs";
import { useState } from "react";
import { useProject } from "@/components/projects/use-project.ts";
import { trpc } from "@/components/trpc/client.tsx";
import { messageOf } from "@/components/trpc/errors.ts";
import { Loading } from "@/components/trpc/loading.tsx";
import { Button } from "@/components/ui/button.tsx";
import { ConfirmDialog } from "@/components/ui/confirm-dialog.tsx";
import { plural } from "@/components/ui/format.ts";
import { RotateCcw } from "@/components/ui/icons.tsx";
import { actionsColumn, type Columns, List } from "@/components/ui/list.tsx";
import { Moment } from "@/components/ui/moment.tsx";
import { Select } from "@/components/ui/select.tsx";
import { Status } from "@/components/ui/status.tsx";
import { Td, Tr } from "@/components/ui/table.tsx";
import { toast } from "@/components/ui/toaster.tsx";
import type { DataSource } from "@/server/data-sources/schema.ts";
import type { Query, Version } from "@/server/queries/schema.ts";
import { StepsDiff } from "./steps-diff.tsx";
import { versionLooks } from "./version-status.ts";

/** The two versions to compare, in the URL. */
const parameters = { from: parseAsInteger, to: parseAsInteger };

/** All versions of a query, and a comparison of any two. */
export function VersionsView({
  query,
  sources,
  mayRestore,
}: {
  query: Query;
  sources: readonly DataSource[];
  mayRestore: boolean;
}) {
  const versions = trpc.queries.versions.useQuery({ id: query.id });
  if (!versions.data)
    return <Loading query={versions} title="The versions could not be loaded" rows={4} columns={5} />;
  return <Versions query={query} versions={versions.data.items} sources={sources} mayRestore={mayRestore} />;
}

function Versions({
  query,
  versions,
  sources,
  mayRestore,
}: {
  query: Query;
  /** Newest first. */
  versions: readonly Version[];
  sources: readonly DataSource[];
  mayRestore: boolean;
}) {
  const { href } = useProject();
  const [chosen, setChosen] = useQueryStates(parameters);
  const [restoring, setRestoring] = useState<Version | null>(null);
  const decisions = trpc.approvals.list.useQuery({ queryId: query.id, pageSize: 100 });
  const approvalOf = (number: number) =>
    decisions.data?.items.find(({ proposedVersion }) => proposedVersion.number === number);
  const anyRequested = (decisions.data?.items.length ?? 0) > 0;
  const numbered = (number: number | null) => versions.find((version) => version.number === number);
  const to = numbered(chosen.to) ?? versions[0];
  const from = numbered(chosen.from) ?? former(versions, to) ?? to;
  const compare = (number: number) =>
    void setChosen({ from: former(versions, numbered(number))?.number ?? null, to: number });
  const columns: Columns = [
    { title: "Version" },
    { title: "Status" },
    { title: "Summary", wide: true },
    { title: "By", from: "sm" },
    anyRequested && { title: "Decided by", from: "md" },
    { title: "When" },
    mayRestore && actionsColumn(),
  ];
  return (
    <div className="flex flex-col gap-6">
      <List
        label="Versions"
        things="versions"
        columns={columns}
        rows={versions}
        keyOf={({ number }) => number}
        onOpen={({ number }) => compare(number)}
        empty={null}
      >
        {(version, row) => {
          const { number, status, changeSummary, createdBy, createdAt } = version;
          const look = versionLooks[status];
          const approval = approvalOf(number);
          return (
            <Tr selected={number === to?.number} {...row}>
              <Td className="font-medium tabular-nums">{number}</Td>
              <Td>
                <Status kind={look.kind}>{look.word}</Status>
              </Td>
              <Td className="max-w-0 min-w-24 text-ink-2">
                <span className="block truncate" title={changeSummary ?? undefined}>
                  {changeSummary ?? <span className="text-ink-3">–</span>}
                </span>
              </Td>
              <Td className="hidden max-w-40 truncate text-ink-2 sm:table-cell">
                {createdBy?.name ?? "The service"}
              </Td>
              {anyRequested && (
                <Td className="hidden max-w-40 truncate text-ink-2 md:table-cell">
                  {approval && (
                    <Link href={href(`/approvals/${approval.id}`)} className="hover:underline">
                      {approval.reviewer?.name ?? (status === "PendingApproval" ? "To be decided" : "–")}
                    </Link>
                  )}
                </Td>
              )}
              <Td className="text-ink-2">
                <Moment at={createdAt} />
              </Td>
              {mayRestore && (
                <Td className="text-right">
                  {status !== "Active" && status !== "PendingApproval" && (
                    <Button
                      variant="ghost"
                      size="sm"
                      icon={RotateCcw}
                      aria-label={`Restore version ${number}`}
                      onClick={() => setRestoring(version)}
                    >
                      <span className="hidden sm:inline">Restore</span>
                    </Button>
                  )}
                </Td>
              )}
            </Tr>
          );
        }}
      </List>
      {versions.length === 1 ? (
        <p className="text-ink-2">
          There is one version. Each change to the steps creates another, which you can compare and restore
          here.
        </p>
      ) : (
        from &&
        to && (
          <section aria-label="Comparison" className="flex flex-col gap-4">
            <div className="flex flex-wrap items-center gap-2">
              <h2 className="pr-1 text-base font-semibold tracking-tight">Compare</h2>
              <VersionSelect
                label="From version"
                versions={versions}
                value={from.number}
                onChange={(number) => void setChosen({ from: number, to: to.number })}
              />
              <span className="text-ink-3">with</span>
              <VersionSelect
                label="To version"
                versions={versions}
                value={to.number}
                onChange={(number) => void setChosen({ from: from.number, to: number })}
              />
            </div>
            {from.number === to.number ? (
              <p className="text-ink-2">These are the same version.</p>
            ) : (
              <StepsDiff
                before={{ label: `version ${from.number}`, steps: from.steps }}
                after={{ label: `version ${to.number}`, steps: to.steps }}
                sources={sources}
              />
            )}
          </section>
        )
      )}
      {restoring && <RestoreVersion query={query} version={restoring} onClose={() => setRestoring(null)} />}
    </div>
  );
}

/** The version before the given one. */
const former = (versions: readonly Version[], version: Version | undefined) =>
  versions.find(({ number }) => version !== undefined && number < version.number);

function VersionSelect({
  label,
  versions,
  value,
  onChange,
}: {
  label: string;
  versions: readonly Version[];
  value: number;
  onChange: (number: number) => void;
}) {
  return (
    <Select
      aria-label={label}
      className="w-56"
      value={String(value)}
      onValueChange={(number) => onChange(Number(number))}
      options={versions.map(({ number, status }) => ({
        value: String(number),
        label: `Version ${number}, ${versionLooks[status].word.toLowerCase()}`,
      }))}
    />
  );
}

function RestoreVersion({
  query,
  version,
  onClose,
}: {
  query: Query;
  version: Version;
  onClose: () => void;
}) {
  const utils = trpc.useUtils();
  const restore = trpc.queries.restoreVersion.useMutation();
  const [{ isOn }] = trpc.approvals.workflow.useSuspenseQuery();
  return (
    <ConfirmDialog
      open
      onOpenChange={(open) => !open && onClose()}
      variant="primary"
      title={`Restore version ${version.number}?`}
      confirm="Restore version"
      explain={messageOf}
      onConfirm={async () => {
        const restored = await restore.mutateAsync({ id: query.id, number: version.number });
        utils.queries.get.setData({ id: query.id }, restored);
        await Promise.all([
          utils.queries.versions.invalidate({ id: query.id }),
          utils.queries.list.invalidate(),
          utils.approvals.list.invalidate(),
        ]);
        toast.success(restoredWords(query, restored, version.number));
      }}
    >
      <p>
        {isOn ? (
          <>
            Its steps become a new version that waits for approval; version {query.activeVersion} keeps
            running until then.
          </>
        ) : (
          <>
            Its steps become a new version, and version {query.activeVersion}, which is active now, stays in
            this history.
          </>
        )}
      </p>
      {query.subscriptionCount > 0 && (
        <p>
          {plural(query.subscriptionCount, "subscription runs", "subscriptions run")} this query, and{" "}
          {isOn ? "once it is approved" : "from then on"} with these steps.
        </p>
      )}
    </ConfirmDialog>
  );
}

function restoredWords(before: Query, after: Query, number: number): string {
  if (after.activeVersion !== before.activeVersion)
    return `Version ${number} is restored as version ${after.activeVersion}`;
  return after.pendingVersion === before.pendingVersion
    ? `Version ${number} has the same steps as the active version`
    : `Version ${number} is restored as version ${after.pendingVersion}, which waits for approval`;
}

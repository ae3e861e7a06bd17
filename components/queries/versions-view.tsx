"use client";
import { useState } from "react";
import { useProject } from "@/components/projects/use-project.ts";
import { trpc } from "@/components/trpc/client.tsx";
import { messageOf } from "@/components/trpc/errors.ts";
import { Loading } from "@/components/trpc/loading.tsx";
import { ConfirmDialog } from "@/components/ui/confirm-dialog.tsx";
import { plural } from "@/components/ui/format.ts";
import { Link } from "@/components/ui/link.tsx";
import { Status } from "@/components/ui/status.tsx";
import { toast } from "@/components/ui/toaster.tsx";
import { Comparison } from "@/components/versions/comparison.tsx";
import { useComparedVersions } from "@/components/versions/use-compared-versions.ts";
import { VersionList } from "@/components/versions/version-list.tsx";
import type { DataSource } from "@/server/data-sources/schema.ts";
import type { Query, Version } from "@/server/queries/schema.ts";
import { StepsDiff } from "./steps-diff.tsx";
import { versionLooks } from "./version-status.ts";

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
  const { from, to, compare, choose } = useComparedVersions(versions);
  const [restoring, setRestoring] = useState<Version | null>(null);
  const decisions = trpc.approvals.list.useQuery({ queryId: query.id, pageSize: 100 });
  const approvalOf = (number: number) =>
    decisions.data?.items.find(({ proposedVersion }) => proposedVersion.number === number);
  const anyRequested = (decisions.data?.items.length ?? 0) > 0;
  return (
    <div className="flex flex-col gap-6">
      <VersionList
        versions={versions}
        selected={to?.number}
        onCompare={compare}
        statusOf={({ status }) => (
          <Status kind={versionLooks[status].kind}>{versionLooks[status].word}</Status>
        )}
        summaryOf={({ changeSummary }) => changeSummary}
        authorOf={({ createdBy }) => createdBy?.name ?? "The service"}
        decidedBy={
          anyRequested
            ? ({ number, status }) => {
                const approval = approvalOf(number);
                return (
                  approval && (
                    <Link href={href(`/approvals/${approval.id}`)} className="hover:underline">
                      {approval.reviewer?.name ?? (status === "PendingApproval" ? "To be decided" : "–")}
                    </Link>
                  )
                );
              }
            : undefined
        }
        onRestore={mayRestore ? setRestoring : undefined}
        isRestorable={({ status }) => status !== "Active" && status !== "PendingApproval"}
      />
      {versions.length === 1 ? (
        <p className="text-ink-2">
          There is one version. Each change to the steps creates another, which you can compare and restore
          here.
        </p>
      ) : (
        from &&
        to && (
          <Comparison
            versions={versions}
            from={from.number}
            to={to.number}
            onChoose={choose}
            labelOf={({ number, status }) => `Version ${number}, ${versionLooks[status].word.toLowerCase()}`}
          >
            <StepsDiff
              before={{ label: `version ${from.number}`, steps: from.steps }}
              after={{ label: `version ${to.number}`, steps: to.steps }}
              sources={sources}
            />
          </Comparison>
        )
      )}
      {restoring && <RestoreVersion query={query} version={restoring} onClose={() => setRestoring(null)} />}
    </div>
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

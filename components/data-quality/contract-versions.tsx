"use client";
import { useState } from "react";
import { trpc } from "@/components/trpc/client.tsx";
import { messageOf } from "@/components/trpc/errors.ts";
import { Loading } from "@/components/trpc/loading.tsx";
import { ConfirmDialog } from "@/components/ui/confirm-dialog.tsx";
import { Status } from "@/components/ui/status.tsx";
import { toast } from "@/components/ui/toaster.tsx";
import { Comparison } from "@/components/versions/comparison.tsx";
import { useComparedVersions } from "@/components/versions/use-compared-versions.ts";
import { VersionList } from "@/components/versions/version-list.tsx";
import type { Contract } from "@/server/data-quality/schema.ts";
import type { ContractVersion } from "@/server/data-quality/version-schema.ts";
import { versionDifference, versionWords } from "./contract-version-difference.ts";
import { VersionChanges } from "./version-changes.tsx";

/** How many versions the page lists. */
const listed = 500;

/** All versions of a contract, and a comparison of any two. */
export function ContractVersions({ contract, mayRestore }: { contract: Contract; mayRestore: boolean }) {
  const versions = trpc.dataQuality.versions.useQuery({ id: contract.id, take: listed });
  if (!versions.data)
    return <Loading query={versions} title="The versions could not be loaded" rows={4} columns={5} />;
  return <Versions contract={contract} versions={versions.data.items} mayRestore={mayRestore} />;
}

function Versions({
  contract,
  versions,
  mayRestore,
}: {
  contract: Contract;
  /** Newest first. */
  versions: readonly ContractVersion[];
  mayRestore: boolean;
}) {
  const { from, to, compare, choose } = useComparedVersions(versions);
  const [restoring, setRestoring] = useState<ContractVersion | null>(null);
  const isCurrent = ({ number }: { number: number }) => number === contract.version;
  return (
    <div className="flex flex-col gap-6">
      <VersionList
        versions={versions}
        selected={to?.number}
        onCompare={compare}
        statusOf={(version) =>
          isCurrent(version) ? <Status kind="ok">Current</Status> : <Status kind="neutral">Earlier</Status>
        }
        summaryOf={versionWords}
        authorOf={({ createdBy }) => createdBy?.name ?? "Not known"}
        onRestore={mayRestore ? setRestoring : undefined}
        isRestorable={(version) => !isCurrent(version)}
      />
      {versions.length === 1 ? (
        <p className="text-ink-2">
          There is one version. Each save that changes the contract creates another, which you can compare and
          restore here.
        </p>
      ) : (
        from &&
        to && (
          <Comparison
            versions={versions}
            from={from.number}
            to={to.number}
            onChoose={choose}
            labelOf={(version) => `Version ${version.number}, ${isCurrent(version) ? "current" : "earlier"}`}
          >
            <Difference
              contractId={contract.id}
              projectId={contract.projectId}
              from={from.number}
              to={to.number}
            />
          </Comparison>
        )
      )}
      {restoring && (
        <RestoreVersion contract={contract} version={restoring} onClose={() => setRestoring(null)} />
      )}
    </div>
  );
}

function Difference({
  contractId: id,
  projectId,
  from,
  to,
}: {
  contractId: number;
  projectId: number;
  from: number;
  to: number;
}) {
  const before = trpc.dataQuality.version.useQuery({ id, number: from });
  const after = trpc.dataQuality.version.useQuery({ id, number: to });
  const sources = trpc.dataSources.list.useQuery({});
  const recipients = trpc.recipients.list.useQuery({ projectId });
  if (!before.data)
    return <Loading query={before} title="The version could not be loaded" rows={3} columns={2} />;
  if (!after.data)
    return <Loading query={after} title="The version could not be loaded" rows={3} columns={2} />;
  const difference = versionDifference(before.data.content, after.data.content, {
    sourceOf: (sourceId) =>
      sources.data?.items.find((source) => source.id === sourceId)?.name ?? `data source ${sourceId}`,
    recipientOf: (recipientId) =>
      recipients.data?.items.find((recipient) => recipient.id === recipientId)?.name ??
      `recipient ${recipientId}, removed`,
  });
  return <VersionChanges difference={difference} />;
}

function RestoreVersion({
  contract,
  version,
  onClose,
}: {
  contract: Contract;
  version: ContractVersion;
  onClose: () => void;
}) {
  const utils = trpc.useUtils();
  const restore = trpc.dataQuality.restoreVersion.useMutation();
  // What the person has seen, even if the page has refreshed since.
  const [{ revision, version: current }] = useState(contract);
  return (
    <ConfirmDialog
      open
      onOpenChange={(open) => !open && onClose()}
      variant="primary"
      title={`Restore version ${version.number}?`}
      confirm="Restore version"
      explain={messageOf}
      onConfirm={async () => {
        const { id } = contract;
        const restored = await restore.mutateAsync({ id, number: version.number, baseRevision: revision });
        utils.dataQuality.contract.setData({ id }, restored);
        await utils.dataQuality.invalidate();
        toast.success(
          restored.version === current
            ? `Version ${version.number} is the same as the current one`
            : `Version ${version.number} is restored as version ${restored.version}`,
        );
      }}
    >
      <p>
        Its content becomes a new version, and version {current}, which is current now, stays in this history.
        Compared with the current version, restoring it changes:
      </p>
      <div className="max-h-64 overflow-y-auto border-y py-2">
        <Difference
          contractId={contract.id}
          projectId={contract.projectId}
          from={current}
          to={version.number}
        />
      </div>
      <p>
        Rules that differ are measured again at the next evaluation. Recipients that no longer exist are left
        out.
      </p>
    </ConfirmDialog>
  );
}

"use client";
import type { ReactNode } from "react";
import { Button } from "@/components/ui/button.tsx";
import { RotateCcw } from "@/components/ui/icons.tsx";
import { actionsColumn, type Columns, List } from "@/components/ui/list.tsx";
import { Moment } from "@/components/ui/moment.tsx";
import { Td, Tr } from "@/components/ui/table.tsx";

export type Listed = { number: number; createdAt: string };

/** All versions of a thing, newest first. Opening one compares it with the one before. */
export function VersionList<Version extends Listed>({
  versions,
  selected,
  onCompare,
  statusOf,
  summaryOf,
  authorOf,
  decidedBy,
  onRestore,
  isRestorable,
}: {
  versions: readonly Version[];
  /** The version that is compared with an earlier one. */
  selected: number | undefined;
  onCompare: (number: number) => void;
  statusOf: (version: Version) => ReactNode;
  summaryOf: (version: Version) => string | null;
  authorOf: (version: Version) => string;
  /** Who decided on a version; omitted where nothing is decided. */
  decidedBy?: ((version: Version) => ReactNode) | undefined;
  /** Omitted for people who may not restore. */
  onRestore?: ((version: Version) => void) | undefined;
  isRestorable: (version: Version) => boolean;
}) {
  const columns: Columns = [
    { title: "Version" },
    { title: "Status" },
    { title: "Summary", wide: true },
    { title: "By", from: "sm" },
    decidedBy !== undefined && { title: "Decided by", from: "md" },
    { title: "When" },
    onRestore !== undefined && actionsColumn(),
  ];
  return (
    <List
      label="Versions"
      things="versions"
      columns={columns}
      rows={versions}
      keyOf={({ number }) => number}
      onOpen={({ number }) => onCompare(number)}
      empty={null}
    >
      {(version, row) => (
        <Tr selected={version.number === selected} {...row}>
          <Td className="font-medium tabular-nums">{version.number}</Td>
          <Td>{statusOf(version)}</Td>
          <Td className="max-w-0 min-w-24 text-ink-2">
            <span className="block truncate" title={summaryOf(version) ?? undefined}>
              {summaryOf(version) ?? <span className="text-ink-3">–</span>}
            </span>
          </Td>
          <Td className="hidden max-w-40 truncate text-ink-2 sm:table-cell">{authorOf(version)}</Td>
          {decidedBy && (
            <Td className="hidden max-w-40 truncate text-ink-2 md:table-cell">{decidedBy(version)}</Td>
          )}
          <Td className="text-ink-2">
            <Moment at={version.createdAt} />
          </Td>
          {onRestore && (
            <Td className="text-right">
              {isRestorable(version) && (
                <Button
                  variant="ghost"
                  size="sm"
                  icon={RotateCcw}
                  aria-label={`Restore version ${version.number}`}
                  onClick={() => onRestore(version)}
                >
                  <span className="hidden sm:inline">Restore</span>
                </Button>
              )}
            </Td>
          )}
        </Tr>
      )}
    </List>
  );
}

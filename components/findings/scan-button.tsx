"use client";
import { Button } from "@/components/ui/button.tsx";
import { Menu, MenuContent, MenuItem, MenuTrigger } from "@/components/ui/dropdown-menu.tsx";
import { Database, ScanSearch } from "@/components/ui/icons.tsx";
import type { FindingScan } from "@/server/findings/schema.ts";
import { useStartScan } from "./use-scans.ts";

type Source = { id: number; name: string };

/** Scans the one data source there is, or asks which. Nothing for those who may not, or without a database. */
export function ScanButton({
  sources,
  scans,
}: {
  sources: readonly Source[];
  scans: readonly FindingScan[];
}) {
  const { mayScan, isStarting, scan } = useStartScan();
  const [only, another] = sources;
  if (!mayScan || !only) return null;
  const runningIn = ({ id }: Source) =>
    scans.some(({ dataSourceId, status }) => dataSourceId === id && status === "Running");
  const wasScanned = sources.every(({ id }) => scans.some(({ dataSourceId }) => dataSourceId === id));
  const look = { variant: "primary", icon: ScanSearch } as const;
  if (!another)
    return (
      <Button {...look} pending={isStarting || runningIn(only)} onClick={() => scan(only.id)}>
        {runningIn(only) ? "Scanning" : wasScanned ? "Scan again" : "Scan"}
      </Button>
    );
  return (
    <Menu>
      <MenuTrigger>
        <Button {...look} pending={isStarting}>
          {wasScanned ? "Scan again" : "Scan"}
        </Button>
      </MenuTrigger>
      <MenuContent>
        {sources.map((source) => (
          <MenuItem
            key={source.id}
            icon={Database}
            disabled={runningIn(source)}
            onSelect={() => scan(source.id)}
          >
            {source.name}
          </MenuItem>
        ))}
      </MenuContent>
    </Menu>
  );
}

"use client";
import type { ComponentProps } from "react";
import { useMay } from "@/components/auth/use-me.ts";
import { useProject } from "@/components/projects/use-project.ts";
import { Badge } from "@/components/ui/badge.tsx";
import { MenuItem, MenuSeparator } from "@/components/ui/dropdown-menu.tsx";
import { formatNumber } from "@/components/ui/format.ts";
import { Archive, BellPlus, FolderInput, Lock } from "@/components/ui/icons.tsx";
import { Link } from "@/components/ui/link.tsx";
import { Moment } from "@/components/ui/moment.tsx";
import { RowMenu } from "@/components/ui/row-menu.tsx";
import { Td, Tr } from "@/components/ui/table.tsx";
import type { Query } from "@/server/queries/schema.ts";
import { subscribePath } from "./subscribe-path.ts";

/** One query: its folder, its data sources, and its number of subscriptions. */
export function QueryRow({
  query,
  place,
  sourceNames,
  onMove,
  onArchive,
  ...row
}: {
  query: Query;
  /** Project and folder, unless obvious from the filters. */
  place: string;
  sourceNames: string;
  onMove: () => void;
  onArchive: () => void;
} & Omit<ComponentProps<"tr">, "children">) {
  const { project, href } = useProject();
  const mayChange = useMay("queries:configure");
  const maySubscribe = useMay("subscriptions:configure");
  const { id, name, description, isLocked, activeVersion, pendingVersion, subscriptionCount } = query;
  return (
    <Tr {...row}>
      <Td className="w-full max-w-0">
        <span className="flex min-w-0 items-center gap-2">
          <Link
            href={href(`/queries/${id}`)}
            className="truncate font-medium hover:underline"
            title={description ?? name}
          >
            {name}
          </Link>
          {isLocked && <Lock role="img" aria-label="locked" className="size-3.5 shrink-0 text-ink-3" />}
          {pendingVersion !== null && (
            <Badge tone="warning" className="shrink-0">
              pending<span className="hidden lg:inline"> approval</span>
            </Badge>
          )}
        </span>
        <span className="block truncate text-xs text-ink-3 lg:hidden">
          {[place, sourceNames].filter(Boolean).join(", ")}
        </span>
      </Td>
      <Td className="hidden max-w-56 min-w-28 truncate text-ink-2 lg:table-cell" title={place}>
        {place || <span className="text-ink-3">–</span>}
      </Td>
      <Td className="hidden max-w-48 min-w-28 truncate text-ink-2 lg:table-cell" title={sourceNames}>
        {sourceNames}
      </Td>
      <Td numeric className="hidden text-ink-2 sm:table-cell">
        {activeVersion}
      </Td>
      <Td numeric>
        {subscriptionCount > 0 ? (
          <Link href={withView(href(`/queries/${id}`))} className="hover:underline">
            {formatNumber(subscriptionCount)}
          </Link>
        ) : (
          <span className="text-ink-3">0</span>
        )}
      </Td>
      <Td className="hidden text-ink-2 md:table-cell">
        <Moment at={query.updatedAt} />
      </Td>
      {(mayChange || maySubscribe) && (
        <Td className="w-8 px-0">
          <RowMenu of={name}>
            {maySubscribe && (
              <MenuItem icon={BellPlus} href={subscribePath(id, project)}>
                Subscribe
              </MenuItem>
            )}
            {mayChange && (
              <>
                <MenuItem icon={FolderInput} disabled={isLocked} onSelect={onMove}>
                  Move to a folder…
                </MenuItem>
                <MenuSeparator />
                <MenuItem icon={Archive} danger disabled={isLocked} onSelect={onArchive}>
                  Archive…
                </MenuItem>
              </>
            )}
          </RowMenu>
        </Td>
      )}
    </Tr>
  );
}

const withView = (href: string) => `${href}${href.includes("?") ? "&" : "?"}view=subscriptions`;

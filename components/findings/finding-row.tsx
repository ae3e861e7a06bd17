"use client";
import { useMay } from "@/components/auth/use-me.ts";
import { tableHref } from "@/components/catalog/table-href.ts";
import { useProject } from "@/components/projects/use-project.ts";
import { cn } from "@/components/ui/class-names.ts";
import { MenuItem } from "@/components/ui/dropdown-menu.tsx";
import { plural } from "@/components/ui/format.ts";
import { CircleSlash, FileCheck2 } from "@/components/ui/icons.tsx";
import { Link } from "@/components/ui/link.tsx";
import { RowMenu } from "@/components/ui/row-menu.tsx";
import { Td, Tr } from "@/components/ui/table.tsx";
import type { RowProps } from "@/components/ui/use-row-keys.ts";
import type { Finding } from "@/server/findings/schema.ts";
import { Examples } from "./examples.tsx";
import { FindingStatus, Learned, Severity, Sureness } from "./finding-looks.tsx";
import { kindWords, rowsInDoubt } from "./finding-words.ts";
import { TeachLink } from "./teach-link.tsx";
import { type Decision, decisionsOf } from "./use-finding-decisions.tsx";

/** The table that the rows below are in. */
export function TableHeading({
  table,
  source,
  count,
}: {
  table: Finding;
  /** Said where findings of several are listed. */
  source: string | null;
  count: number;
}) {
  const { href } = useProject();
  const mayTeach = useMay("contracts:configure");
  return (
    <tr className="border-b">
      <th scope="rowgroup" colSpan={5} className="px-2 pt-5 pb-1 text-left font-normal">
        <span className="flex items-baseline gap-x-3">
          <Link
            href={href(tableHref(table.dataSourceId, table))}
            className="min-w-0 rounded-sm font-mono text-[13px] wrap-anywhere hover:underline"
          >
            <span className="text-ink-3">{table.schemaName}.</span>
            <span className="font-semibold">{table.tableName}</span>
          </Link>
          {source !== null && <span className="text-xs text-ink-3">{source}</span>}
          {mayTeach && (
            <span className="ml-auto text-xs">
              <TeachLink table={table} />
            </span>
          )}
          <span className={cn("text-xs whitespace-nowrap text-ink-3 tabular-nums", !mayTeach && "ml-auto")}>
            {plural(count, "finding")}
          </span>
        </span>
      </th>
    </tr>
  );
}

/** One finding: what is wrong, in how many rows, how sure, and some of them. */
export function FindingRow({
  finding,
  href,
  onAsk,
  ...row
}: {
  finding: Finding;
  href: string;
  /** Left out for those who may not decide. */
  onAsk?: (decision: Decision) => void;
} & RowProps) {
  const { id, kind, severity, statement, status, confidence } = finding;
  const open = decisionsOf(finding);
  return (
    <Tr {...row} data-finding={id}>
      <Td className="hidden pt-1.5 align-top sm:table-cell">
        <Severity severity={severity} />
      </Td>
      <Td className="w-full min-w-0 py-1.5">
        <span className="flex min-w-0 flex-col gap-1">
          <Link href={href} className="rounded-sm font-medium wrap-anywhere hover:underline">
            {statement}
          </Link>
          <Examples finding={finding} />
          <span className="flex flex-wrap items-center gap-x-3 text-xs text-ink-3 lg:hidden">
            <span className="sm:hidden">
              <Severity severity={severity} />
            </span>
            <span className="md:hidden">{rowsInDoubt(finding)}</span>
            <span>{kindWords[kind]}</span>
            <span className="sm:hidden">
              <Sureness confidence={confidence} />
            </span>
          </span>
          <span className="text-xs empty:hidden">
            <Learned finding={finding} />
          </span>
          {status !== "Open" && (
            <span className="text-xs">
              <FindingStatus status={status} />
              {finding.reason && <span className="text-ink-2"> · {finding.reason}</span>}
            </span>
          )}
        </span>
      </Td>
      <Td numeric className="hidden pt-1.5 align-top md:table-cell">
        {rowsInDoubt(finding)}
      </Td>
      <Td className="hidden pt-1.5 align-top sm:table-cell">
        <Sureness confidence={confidence} />
      </Td>
      <Td className="pt-1 text-right align-top">
        {onAsk && open.length > 0 && (
          <RowMenu of={statement}>
            {open.includes("accept") && (
              <MenuItem icon={FileCheck2} shortcut="A" onSelect={() => onAsk("accept")}>
                Make it a rule
              </MenuItem>
            )}
            {open.includes("dismiss") && (
              <MenuItem icon={CircleSlash} shortcut="D" onSelect={() => onAsk("dismiss")}>
                Not a problem
              </MenuItem>
            )}
          </RowMenu>
        )}
      </Td>
    </Tr>
  );
}

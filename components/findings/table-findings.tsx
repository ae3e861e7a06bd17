"use client";
import { useMay } from "@/components/auth/use-me.ts";
import { useProject } from "@/components/projects/use-project.ts";
import { trpc } from "@/components/trpc/client.tsx";
import { formatNumber } from "@/components/ui/format.ts";
import { Link } from "@/components/ui/link.tsx";
import { tableFindingsHref } from "./finding-hrefs.ts";
import { FindingLine } from "./finding-line.tsx";
import { findingsOfTable, tableFindingsInput } from "./shown-input.ts";
import { TeachLink } from "./teach-link.tsx";

/** The open findings of a table, where they are not what the page is about, and a way to more of them for those who may. */
export function TableFindings(table: { dataSourceId: number; schemaName: string; tableName: string }) {
  const { href } = useProject();
  const mayTeach = useMay("contracts:configure");
  const { data } = trpc.findings.list.useQuery(tableFindingsInput(table));
  if (!data || (data.totalCount === 0 && !mayTeach)) return null;
  return (
    <section aria-labelledby="findings" className="pt-6">
      <h2 id="findings" className="pb-1 text-base font-semibold tracking-tight">
        Findings{" "}
        <span className="text-sm font-normal text-ink-3 tabular-nums">
          {formatNumber(data.totalCount)} open
        </span>
      </h2>
      {data.totalCount > 0 && (
        <ul aria-label="Open findings" className="border-t">
          {data.items.map((finding) => (
            <FindingLine key={finding.id} finding={finding} />
          ))}
        </ul>
      )}
      {data.totalCount > findingsOfTable && (
        <Link
          href={href(tableFindingsHref(table.dataSourceId, table))}
          className="inline-block rounded-sm pt-2 text-xs text-accent underline-offset-2 hover:underline"
        >
          All {formatNumber(data.totalCount)} findings
        </Link>
      )}
      {mayTeach && (
        <p className="pt-2 text-xs text-ink-2">
          <TeachLink table={table} /> Answer questions about a few cells to find more of what is wrong.
        </p>
      )}
    </section>
  );
}

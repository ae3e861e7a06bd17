"use client";
import dynamic from "next/dynamic";
import type { ReactNode } from "react";
import { CopyButton } from "@/components/ui/copy-button.tsx";
import { Skeleton } from "@/components/ui/skeleton.tsx";
import type { Kind } from "@/server/data-sources/kinds.ts";

const loading = () => <Skeleton className="m-3 h-24" />;

// SQL highlighting and comparison load only for people who review SQL.
const SqlText = dynamic(() => import("./sql-text.tsx").then((module) => module.SqlText), {
  ssr: false,
  loading,
});
export const SqlDiff = dynamic(
  () => import("@/components/queries/text-diff.tsx").then((module) => module.TextDiff),
  { ssr: false, loading: () => <Skeleton className="h-40 w-full rounded-md" /> },
);

/** The SQL to be stored. */
export function ProposedSql({
  text,
  label,
  engine,
  action,
}: {
  text: string;
  label: string;
  engine: Kind | null;
  action?: ReactNode;
}) {
  return (
    <div className="overflow-hidden rounded-md border bg-surface">
      <div className="flex min-h-8 flex-wrap items-center gap-2 border-b bg-sunken pr-1 pl-3 text-xs text-ink-2">
        <span className="mr-auto truncate">{label}</span>
        {action}
        <CopyButton text={text} />
      </div>
      <SqlText text={text} label={label} engine={engine} />
    </div>
  );
}

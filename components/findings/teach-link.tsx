"use client";
import { useProject } from "@/components/projects/use-project.ts";
import { GraduationCap } from "@/components/ui/icons.tsx";
import { Link } from "@/components/ui/link.tsx";
import type { TaughtTable } from "@/server/findings/schema.ts";
import { teachHref } from "./finding-hrefs.ts";

/** To the questions about a table's cells, for those who may answer them. */
export function TeachLink({ table }: { table: TaughtTable }) {
  const { href } = useProject();
  return (
    <Link
      href={href(teachHref(table))}
      aria-label={`Teach ${table.schemaName}.${table.tableName}`}
      title="Answer questions about a few cells to find more of what is wrong"
      className="inline-flex items-baseline gap-1 rounded-sm text-accent underline-offset-2 hover:underline"
    >
      <GraduationCap aria-hidden className="size-3.5 self-center" /> Teach
    </Link>
  );
}

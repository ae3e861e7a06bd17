import type { ComponentProps } from "react";
import { useMay } from "@/components/auth/use-me.ts";
import { outageTitle } from "@/components/data-quality/outage.tsx";
import { formatScore, ScoreStatusWord, ScoreTrend } from "@/components/data-quality/score.tsx";
import { ScoreCourse } from "@/components/data-quality/score-course.tsx";
import { tableStatusOf } from "@/components/data-quality/score-status.ts";
import { tableFindingsHref } from "@/components/findings/finding-hrefs.ts";
import { useProject } from "@/components/projects/use-project.ts";
import { Badge } from "@/components/ui/badge.tsx";
import { Count } from "@/components/ui/count.tsx";
import { formatNumber, plural } from "@/components/ui/format.ts";
import { Link } from "@/components/ui/link.tsx";
import { Status } from "@/components/ui/status.tsx";
import { Td, Tr } from "@/components/ui/table.tsx";
import type { CatalogRow } from "@/server/catalog/schema.ts";

export function TableListRow({
  row,
  href,
  contractHref,
  showSource,
  ...rest
}: { row: CatalogRow; href: string; contractHref: string; showSource: boolean } & ComponentProps<typeof Tr>) {
  const words = row.description ?? row.comment;
  const status = tableStatusOf(row.score, row.outage);
  const mayWrite = useMay("contracts:configure");
  const write = mayWrite && row.contractCount === 0 && (
    <Link
      href={contractHref}
      aria-label={`Write a contract for ${row.schemaName}.${row.tableName}`}
      className="rounded-sm text-accent underline-offset-2 hover:underline"
    >
      Write contract
    </Link>
  );
  return (
    <Tr {...rest}>
      <Td className="w-full max-w-0 sm:w-auto sm:max-w-80">
        <Link
          href={href}
          className="block truncate hover:underline"
          title={`${row.schemaName}.${row.tableName}`}
        >
          <span className="text-ink-3">{row.schemaName}.</span>
          <span className="font-medium">{row.tableName}</span>
        </Link>
        <span className="flex items-center gap-1.5 text-xs text-ink-3 empty:hidden">
          {showSource && <span className="truncate">{row.dataSourceName}</span>}
          {row.kind === "View" && <Badge className="h-4">View</Badge>}
          {row.tags.length > 0 && <TagWords tags={row.tags} />}
          <span className="flex gap-3 empty:hidden md:hidden">
            {row.openFindings > 0 && <span className="sm:hidden">{plural(row.openFindings, "finding")}</span>}
            {write}
          </span>
        </span>
      </Td>
      <Td truncate className="hidden w-2/5 text-ink-2 lg:table-cell" title={words ?? undefined}>
        {words ?? <span className="text-ink-3">–</span>}
        {row.describedColumns > 0 && (
          <span className="pl-2 text-xs text-ink-3">{plural(row.describedColumns, "column")} described</span>
        )}
      </Td>
      <Td numeric className="hidden sm:table-cell">
        {row.rowEstimate === null ? <span className="text-ink-3">–</span> : <Count value={row.rowEstimate} />}
      </Td>
      <Td numeric className="hidden md:table-cell">
        {formatNumber(row.columnCount)}
      </Td>
      <Td className="whitespace-nowrap">
        {row.score === null ? (
          <span className="text-ink-3">{row.contractCount > 0 ? status.word : "–"}</span>
        ) : (
          <span className="inline-flex items-center gap-2">
            <span className="w-12 text-right tabular-nums">{formatScore(row.score)}</span>
            <span className="max-sm:hidden">
              <ScoreStatusWord status={status} title={row.outage ? outageTitle(row.outage) : undefined} />
            </span>
            <span className="sm:hidden">
              <Status kind={status.kind} hideWord>
                {status.word}
              </Status>
            </span>
          </span>
        )}
      </Td>
      <Td className="hidden whitespace-nowrap xl:table-cell">
        <ScoreCourse course={row.course} />
        <ScoreTrend {...row} />
      </Td>
      <Td numeric className="hidden sm:table-cell">
        <FindingsLink row={row} />
      </Td>
      <Td className="hidden max-w-56 md:table-cell">{write || <ContractLinks row={row} />}</Td>
    </Tr>
  );
}

const shownTags = 3;

function TagWords({ tags }: { tags: readonly string[] }) {
  const more = tags.length - shownTags;
  return (
    <span title={tags.join(", ")} className="hidden min-w-0 items-center gap-1 sm:flex">
      {tags.slice(0, shownTags).map((tag) => (
        <Badge key={tag} className="h-4 min-w-0 truncate">
          {tag}
        </Badge>
      ))}
      {more > 0 && <span className="shrink-0">+ {more}</span>}
    </span>
  );
}

function FindingsLink({ row }: { row: CatalogRow }) {
  const { href } = useProject();
  if (row.openFindings === 0) return <span className="text-ink-3">–</span>;
  return (
    <Link
      href={href(tableFindingsHref(row.dataSourceId, row))}
      aria-label={`${plural(row.openFindings, "finding")} in ${row.schemaName}.${row.tableName}`}
      className="text-ink-2 hover:text-ink hover:underline"
    >
      {formatNumber(row.openFindings)}
    </Link>
  );
}

function ContractLinks({ row: { contracts, contractCount } }: { row: CatalogRow }) {
  const { href } = useProject();
  const [first] = contracts;
  if (!first) return <span className="text-ink-3">–</span>;
  return (
    <span className="flex items-baseline gap-2">
      <Link
        href={href(`/data-quality/contracts/${first.id}`)}
        className="truncate text-ink-2 hover:text-ink hover:underline"
        title={first.name}
      >
        {first.name}
      </Link>
      {contractCount > 1 && (
        <span className="shrink-0 text-xs text-ink-3">and {plural(contractCount - 1, "other")}</span>
      )}
    </span>
  );
}

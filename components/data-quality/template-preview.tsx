"use client";
import { keepPreviousData } from "@tanstack/react-query";
import { useFormContext, useWatch } from "react-hook-form";
import { EditorSection } from "@/components/editors/editor-section.tsx";
import { useProject } from "@/components/projects/use-project.ts";
import { trpc } from "@/components/trpc/client.tsx";
import { messageOf } from "@/components/trpc/errors.ts";
import { formatNumber, plural } from "@/components/ui/format.ts";
import { Link } from "@/components/ui/link.tsx";
import { Name } from "@/components/ui/name.tsx";
import { useDebounced } from "@/components/ui/use-paused.ts";
import type { TemplatePreview as Preview, TemplateInput } from "@/server/data-quality/templates/schema.ts";
import { previewInputOf, type TemplateForm } from "./template-form.ts";

type Match = Preview["contracts"]["items"][number];

/** What the template would reach, by the tables as last read. */
export function TemplatePreview() {
  const { control } = useFormContext<TemplateForm>();
  const form = useWatch({ control }) as TemplateForm;
  const typed = JSON.stringify(previewInputOf(form));
  const settled = JSON.parse(useDebounced(typed, 400)) as TemplateInput | null;
  const { data, error, isPlaceholderData } = trpc.dataQuality.previewTemplate.useQuery(
    settled ?? { projectId: 0, selector: {}, rule: { name: "", type: "Volume" } },
    { enabled: settled !== null, placeholderData: keepPreviousData, retry: false },
  );
  const isStale = isPlaceholderData || typed !== JSON.stringify(settled);
  return (
    <EditorSection title="Preview" explanation="Which tables it reaches, by their names as last read.">
      {settled === null ? (
        <p className="text-ink-2">Complete the rule and its patterns to see which tables it reaches.</p>
      ) : error ? (
        <p className="text-critical">{messageOf(error)}</p>
      ) : (
        data && (
          <div aria-live="polite" aria-busy={isStale} className="flex min-w-0 flex-col gap-4">
            <Matches
              matches={data.contracts}
              title={`${plural(data.ruleCount, "rule")} in ${plural(data.contracts.total, "contract")}`}
            />
            {data.withoutContract.total > 0 && (
              <Matches
                matches={data.withoutContract}
                title={`${plural(data.withoutContract.total, "table")} without a contract${
                  data.newContractCount > 0 ? `, ${formatNumber(data.newContractCount)} of which get one` : ""
                }`}
              />
            )}
            {data.unread.length > 0 && (
              <p className="text-xs text-ink-3">
                Not read yet, so nothing is known of their tables:{" "}
                {data.unread.map(({ name }) => name).join(", ")}
              </p>
            )}
          </div>
        )
      )}
    </EditorSection>
  );
}

function Matches({ matches, title }: { matches: Preview["contracts"]; title: string }) {
  const more = matches.total - matches.items.length;
  return (
    <section className="min-w-0">
      <h3 className="pb-1 text-sm font-medium">{title}</h3>
      {matches.items.length > 0 && (
        <ul className="max-h-72 overflow-y-auto border-y text-sm">
          {matches.items.map((match) => (
            <MatchLine
              key={`${match.dataSourceId} ${match.contractId} ${match.schemaName}.${match.tableName}`}
              match={match}
            />
          ))}
          {more > 0 && <li className="py-1 text-ink-3">and {formatNumber(more)} more</li>}
        </ul>
      )}
    </section>
  );
}

function MatchLine({ match }: { match: Match }) {
  const { href } = useProject();
  const { contractId, schemaName, tableName, columns, ruleCount } = match;
  const table = `${schemaName}.${tableName}`;
  const query = new URLSearchParams({
    source: String(match.dataSourceId),
    schema: schemaName,
    table: tableName,
  });
  return (
    <li className="flex min-h-8 flex-wrap items-baseline gap-x-3 border-b py-1 last:border-b-0">
      <span className="min-w-0 break-words">
        <Name>{table}</Name> <span className="text-xs text-ink-3">{match.dataSourceName}</span>
      </span>
      {columns.length > 0 && (
        <span
          className="min-w-0 flex-1 basis-40 truncate font-mono text-xs text-ink-2"
          title={columns.join(", ")}
        >
          {columns.join(", ")}
          {ruleCount > columns.length && ` and ${ruleCount - columns.length} more`}
        </span>
      )}
      {/* In a tab of its own: what is typed here must not be lost. */}
      <Link
        href={href(
          contractId === null
            ? `/data-quality/contracts/new?${query}`
            : `/data-quality/contracts/${contractId}`,
        )}
        target="_blank"
        className="ml-auto text-xs text-accent underline"
      >
        {contractId === null ? "Write a contract" : match.contractName}
      </Link>
    </li>
  );
}

"use client";
import { SourceFilter } from "@/components/data-quality/source-filter.tsx";
import { trpc } from "@/components/trpc/client.tsx";
import { Combobox } from "@/components/ui/combobox.tsx";
import { FilterSelect } from "@/components/ui/filter-select.tsx";
import type { ListFilters } from "@/components/ui/use-list-filters.ts";
import { findingKinds } from "@/server/findings/kinds.ts";
import type { OfSources } from "@/server/findings/schema.ts";
import { shownFrom } from "@/server/findings/shown-from.ts";
import type { findingParameters } from "./finding-filter.ts";
import { kindWords, statusWords, surenessPercent, tableKey } from "./finding-words.ts";

const all = "all";

/** Which findings are listed. */
export function FindingFilters({
  list: { filters, set },
  sources,
  of,
}: {
  list: ListFilters<typeof findingParameters>;
  sources: readonly { id: number; name: string }[];
  of: OfSources;
}) {
  return (
    <div className="flex flex-wrap items-center gap-2 pb-3">
      {(sources.length > 1 || filters.source !== null) && (
        <SourceFilter
          sources={sources}
          value={filters.source}
          onChange={(source) => set({ source, schema: null, table: null })}
        />
      )}
      <TableFilter list={{ filters, set }} of={of} />
      <FilterSelect
        label="Kind"
        any="Any kind"
        className="sm:w-36"
        value={filters.kind}
        onChange={(kind) => set({ kind })}
        options={findingKinds.map((kind) => ({ value: kind, label: kindWords[kind] }))}
      />
      <FilterSelect
        label="Status"
        any={statusWords.Open}
        className="sm:w-36"
        value={filters.status}
        onChange={(status) => set({ status })}
        options={[
          ...(["Accepted", "Dismissed", "Gone"] as const).map((value) => ({
            value,
            label: statusWords[value],
          })),
          { value: all, label: "Any status" },
        ]}
      />
      <FilterSelect
        label="Confidence"
        any={`Likely (${surenessPercent(shownFrom)} or more)`}
        className="sm:w-52"
        value={filters.sure}
        onChange={(sure) => set({ sure })}
        options={[
          { value: "very", label: "Very likely (90 %)" },
          { value: "possible", label: "Possible (50 %)" },
          { value: "any", label: "All that were kept" },
        ]}
      />
    </div>
  );
}

/** One of the tables that have findings, or all of them. */
function TableFilter({
  list: { filters, set },
  of,
}: {
  list: ListFilters<typeof findingParameters>;
  of: OfSources;
}) {
  const { data, isLoading } = trpc.findings.tables.useQuery(of);
  const tables = data?.items ?? [];
  const isChosen = filters.schema !== null || filters.table !== null;
  const chosen = isChosen
    ? tableKey({
        dataSourceId: filters.source ?? 0,
        schemaName: filters.schema ?? "",
        tableName: filters.table ?? "",
      })
    : all;
  const isKnown = !isChosen || tables.some((table) => tableKey(table) === chosen);
  const schemas = new Set(tables.map(({ dataSourceId, schemaName }) => `${dataSourceId} ${schemaName}`));
  return (
    <Combobox
      aria-label="Table"
      className="w-[calc(50%-0.25rem)] sm:w-52"
      value={chosen}
      loading={isLoading}
      searchPlaceholder="Search tables…"
      onValueChange={(value) => {
        const table = tables.find((each) => tableKey(each) === value);
        if (table) set({ source: table.dataSourceId, schema: table.schemaName, table: table.tableName });
        else set({ schema: null, table: null });
      }}
      groups={[
        {
          items: [
            { value: all, label: "All tables" },
            ...(isKnown ? [] : [{ value: chosen, label: filters.table ?? filters.schema ?? "Not found" }]),
          ],
        },
        {
          items: tables.map((table) => ({
            value: tableKey(table),
            label: schemas.size > 1 ? `${table.schemaName}.${table.tableName}` : table.tableName,
            hint: table.openCount === 0 ? "none open" : `${table.openCount} open`,
          })),
        },
      ]}
    />
  );
}

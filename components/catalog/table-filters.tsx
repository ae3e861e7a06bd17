"use client";
import { FilterSelect } from "@/components/ui/filter-select.tsx";
import { SearchInput } from "@/components/ui/search-input.tsx";
import type { CatalogTables } from "./use-catalog-tables.ts";

const width = "sm:w-auto sm:max-w-52";

/** The search and filters of the table list. */
export function TableFilters({
  tables: { filters, set },
  sources,
  schemas,
  tags,
}: {
  tables: CatalogTables;
  /** Omitted on the page of a single data source. */
  sources?: readonly { id: number; name: string }[];
  /** Omitted if it is unclear which data source they belong to. */
  schemas?: readonly { schemaName: string; tableCount: number }[];
  /** Of the tables that could be listed. */
  tags: readonly string[];
}) {
  return (
    <div className="flex flex-wrap items-center gap-2 pb-3">
      <SearchInput
        label="Search tables"
        className="sm:w-64"
        value={filters.q}
        onValueChange={(q) => set({ q })}
      />
      {sources && (sources.length > 1 || filters.source !== null) && (
        <FilterSelect
          label="Data source"
          any="All data sources"
          className={width}
          value={filters.source === null ? null : String(filters.source)}
          options={sources.map(({ id, name }) => ({ value: String(id), label: name }))}
          onChange={(source) => set({ source: source === null ? null : Number(source), schema: null })}
        />
      )}
      {schemas && (schemas.length > 1 || filters.schema !== null) && (
        <FilterSelect
          label="Schema"
          any="All schemas"
          className={width}
          value={filters.schema}
          options={schemas.map(({ schemaName, tableCount }) => ({
            value: schemaName,
            label: `${schemaName} (${tableCount})`,
          }))}
          onChange={(schema) => set({ schema })}
        />
      )}
      <FilterSelect
        label="Kind"
        any="Tables and views"
        className={width}
        value={filters.kind}
        options={[
          { value: "Table", label: "Tables" },
          { value: "View", label: "Views" },
        ]}
        onChange={(kind) => set({ kind })}
      />
      <FilterSelect
        label="Documented"
        any="Any documentation"
        className={width}
        value={filters.documented}
        options={[
          { value: "yes", label: "Documented" },
          { value: "no", label: "Not documented" },
        ]}
        onChange={(documented) => set({ documented })}
      />
      <FilterSelect
        label="Contracts"
        any="Any contract state"
        className={width}
        value={filters.watched}
        options={[
          { value: "yes", label: "With a contract" },
          { value: "no", label: "Without a contract" },
        ]}
        onChange={(watched) => set({ watched })}
      />
      {(tags.length > 0 || filters.tag !== null) && (
        <FilterSelect
          label="Tag"
          any="Any tag"
          className={width}
          value={filters.tag}
          options={[...new Set([...tags, ...(filters.tag === null ? [] : [filters.tag])])]
            .sort()
            .map((tag) => ({ value: tag, label: tag }))}
          onChange={(tag) => set({ tag })}
        />
      )}
    </div>
  );
}

"use client";
import { SearchInput } from "@/components/ui/search-input.tsx";
import { Select } from "@/components/ui/select.tsx";
import type { CatalogueTables } from "./use-catalogue-tables.ts";

type Choice = { value: string; label: string };

/** What the list of tables shows: its search, and a picker for each thing that tells tables apart. */
export function TableFilters({
  tables: { filters, choose },
  sources,
  schemas,
}: {
  tables: CatalogueTables;
  /** Left out on the page of one data source. */
  sources?: readonly { id: number; name: string }[];
  /** Left out where there is no telling whose. */
  schemas?: readonly { schemaName: string; tableCount: number }[];
}) {
  return (
    <div className="flex flex-wrap items-center gap-2 pb-3">
      <SearchInput
        label="Search tables"
        className="sm:w-64"
        value={filters.q}
        onValueChange={(q) => choose({ q: q || null })}
      />
      {sources && (sources.length > 1 || filters.source !== null) && (
        <Picker
          label="Data source"
          all="All data sources"
          value={filters.source === null ? null : String(filters.source)}
          choices={sources.map(({ id, name }) => ({ value: String(id), label: name }))}
          onChange={(source) => choose({ source: source === null ? null : Number(source), schema: null })}
        />
      )}
      {schemas && (schemas.length > 1 || filters.schema !== null) && (
        <Picker
          label="Schema"
          all="All schemas"
          value={filters.schema}
          choices={schemas.map(({ schemaName, tableCount }) => ({
            value: schemaName,
            label: `${schemaName} (${tableCount})`,
          }))}
          onChange={(schema) => choose({ schema })}
        />
      )}
      <Picker
        label="Kind"
        all="Tables and views"
        value={filters.kind}
        choices={[
          { value: "Table", label: "Tables" },
          { value: "View", label: "Views" },
        ]}
        onChange={(kind) => choose({ kind: kind as "Table" | "View" | null })}
      />
      <Picker
        label="Documented"
        all="Documented or not"
        value={filters.documented}
        choices={[
          { value: "yes", label: "Documented" },
          { value: "no", label: "Not documented" },
        ]}
        onChange={(documented) => choose({ documented: documented as "yes" | "no" | null })}
      />
      <Picker
        label="Contracts"
        all="Contract or none"
        value={filters.watched}
        choices={[
          { value: "yes", label: "With a contract" },
          { value: "no", label: "Without a contract" },
        ]}
        onChange={(watched) => choose({ watched: watched as "yes" | "no" | null })}
      />
    </div>
  );
}

function Picker({
  label,
  all,
  value,
  choices,
  onChange,
}: {
  label: string;
  all: string;
  value: string | null;
  choices: readonly Choice[];
  onChange: (value: string | null) => void;
}) {
  // The select has no empty value, and a name of a schema may be any: choices have a letter before them.
  const isKnown = value === null || choices.some((choice) => choice.value === value);
  return (
    <Select
      aria-label={label}
      className="w-[calc(50%-0.25rem)] sm:w-auto sm:max-w-52"
      value={value === null ? "all" : `=${value}`}
      onValueChange={(chosen) => onChange(chosen === "all" ? null : chosen.slice(1))}
      options={[
        { value: "all", label: all },
        ...choices.map((choice) => ({ value: `=${choice.value}`, label: choice.label })),
        ...(isKnown ? [] : [{ value: `=${value}`, label: "One that is not here" }]),
      ]}
    />
  );
}

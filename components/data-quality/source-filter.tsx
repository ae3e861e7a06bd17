"use client";
import { FilterSelect } from "@/components/ui/filter-select.tsx";

/** Filters by one of the listed data sources, or none. */
export function SourceFilter({
  sources,
  value,
  onChange,
}: {
  sources: readonly { id: number; name: string }[];
  value: number | null;
  onChange: (dataSourceId: number | null) => void;
}) {
  return (
    <FilterSelect
      label="Data source"
      any="All data sources"
      className="w-full sm:w-44"
      value={value === null ? null : String(value)}
      onChange={(chosen) => onChange(chosen === null ? null : Number(chosen))}
      options={sources.map(({ id, name }) => ({ value: String(id), label: name }))}
    />
  );
}

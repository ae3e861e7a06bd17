"use client";
import { Select } from "@/components/ui/select.tsx";

/** One data source of those that are listed, or all of them. */
export function SourceFilter({
  sources,
  value,
  onChange,
}: {
  sources: readonly { id: number; name: string }[];
  value: number | null;
  onChange: (dataSourceId: number | null) => void;
}) {
  // An old address may name one that is gone, or that another project holds.
  const isKnown = value === null || sources.some(({ id }) => id === value);
  return (
    <Select
      aria-label="Data source"
      className="w-full sm:w-44"
      value={value === null ? "all" : String(value)}
      onValueChange={(chosen) => onChange(chosen === "all" ? null : Number(chosen))}
      options={[
        { value: "all", label: "All data sources" },
        ...sources.map(({ id, name }) => ({ value: String(id), label: name })),
        ...(isKnown ? [] : [{ value: String(value), label: "One that is not here" }]),
      ]}
    />
  );
}

"use client";
import type { ReactNode } from "react";
import { Select } from "@/components/ui/select.tsx";

/** A comparison of any two versions: what to compare above, and how they differ below. */
export function Comparison<Version extends { number: number }>({
  versions,
  from,
  to,
  onChoose,
  labelOf,
  children,
}: {
  versions: readonly Version[];
  from: number;
  to: number;
  onChoose: (from: number, to: number) => void;
  labelOf: (version: Version) => string;
  /** How they differ. */
  children: ReactNode;
}) {
  const options = versions.map((version) => ({ value: String(version.number), label: labelOf(version) }));
  return (
    <section aria-label="Comparison" className="flex flex-col gap-4">
      <div className="flex flex-wrap items-center gap-2">
        <h2 className="pr-1 text-base font-semibold tracking-tight">Compare</h2>
        <Select
          aria-label="From version"
          className="w-56"
          value={String(from)}
          onValueChange={(number) => onChoose(Number(number), to)}
          options={options}
        />
        <span className="text-ink-3">with</span>
        <Select
          aria-label="To version"
          className="w-56"
          value={String(to)}
          onValueChange={(number) => onChoose(from, Number(number))}
          options={options}
        />
      </div>
      {from === to ? <p className="text-ink-2">These are the same version.</p> : children}
    </section>
  );
}

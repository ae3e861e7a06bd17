"use client";
import { Button } from "../ui/button.tsx";
import { Checkbox } from "../ui/checkbox.tsx";
import { Combobox } from "../ui/combobox.tsx";
import { FilterSelect } from "../ui/filter-select.tsx";
import type { ListFilters } from "../ui/use-list-filters.ts";
import type { jobParameters } from "./job-filter.ts";
import { jobWords, knownJobs } from "./words.ts";

const any = "any";

const statuses = [
  { value: "Waiting", label: "Waiting or retrying" },
  { value: "Running", label: "Running" },
  { value: "Failed", label: "Failed" },
  { value: "Cancelled", label: "Cancelled" },
  { value: "Completed", label: "Completed" },
] as const;

export function JobFilters({
  list: { filters, set },
  failedLastDay,
}: {
  list: ListFilters<typeof jobParameters>;
  failedLastDay: number;
}) {
  const { status, name, housekeeping } = filters;
  // A value from the URL stays selected even if it is not a known job.
  const isUnknown = name !== null && !knownJobs.some((job) => job.name === name);
  return (
    <>
      <FilterSelect
        label="Status"
        any="Any status"
        className="sm:w-44"
        value={status}
        onChange={(chosen) => set({ status: chosen })}
        options={statuses}
      />
      <Combobox
        aria-label="Job"
        className="w-[calc(50%-0.25rem)] sm:w-60"
        value={name ?? any}
        onValueChange={(value) => set({ name: value === any ? null : value })}
        searchPlaceholder="Search jobs"
        groups={[
          {
            items: [
              { value: any, label: "Any job" },
              ...(isUnknown ? [{ value: name, label: jobWords(name) }] : []),
            ],
          },
          { items: knownJobs.map((job) => ({ value: job.name, label: job.words })) },
        ]}
      />
      <Checkbox
        checked={housekeeping}
        onCheckedChange={(checked) => set({ housekeeping: checked })}
        label="Completed housekeeping"
        disabled={name !== null}
      />
      {failedLastDay > 0 && status !== "Failed" && (
        <Button variant="ghost" className="text-critical" onClick={() => set({ status: "Failed" })}>
          {failedLastDay} failed in the last 24 h
        </Button>
      )}
    </>
  );
}

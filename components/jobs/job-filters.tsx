"use client";
import { Button } from "../ui/button.tsx";
import { Checkbox } from "../ui/checkbox.tsx";
import { Combobox } from "../ui/combobox.tsx";
import { Select } from "../ui/select.tsx";
import type { Jobs } from "./use-jobs.ts";
import { jobWords, knownJobs } from "./words.ts";

const any = "any";

const statuses = [
  { value: any, label: "Any status" },
  { value: "Waiting", label: "Waiting or retrying" },
  { value: "Running", label: "Running" },
  { value: "Failed", label: "Failed" },
  { value: "Cancelled", label: "Cancelled" },
  { value: "Completed", label: "Completed" },
] as const;

export function JobFilters({
  filters,
  setFilters,
  failedLastDay,
}: Pick<Jobs, "filters" | "setFilters"> & { failedLastDay: number }) {
  const { status, name, housekeeping } = filters;
  // What an address names stays visible as chosen, even when it is no job that is known.
  const isUnknown = name !== null && !knownJobs.some((job) => job.name === name);
  return (
    <>
      <Select
        aria-label="Status"
        className="w-[calc(50%-0.25rem)] sm:w-44"
        value={status ?? any}
        onValueChange={(value) => setFilters({ status: value === any ? null : value })}
        options={statuses}
      />
      <Combobox
        aria-label="Job"
        className="w-[calc(50%-0.25rem)] sm:w-60"
        value={name ?? any}
        onValueChange={(value) => setFilters({ name: value === any ? null : value })}
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
        onCheckedChange={(checked) => setFilters({ housekeeping: checked })}
        label="Completed housekeeping"
        disabled={name !== null}
      />
      {failedLastDay > 0 && status !== "Failed" && (
        <Button variant="ghost" className="text-critical" onClick={() => setFilters({ status: "Failed" })}>
          {failedLastDay} failed in the last 24 h
        </Button>
      )}
    </>
  );
}

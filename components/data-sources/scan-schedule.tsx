"use client";
import type { DataSource } from "@/server/data-sources/schema.ts";
import { cronProblem } from "@/server/jobs/cron.ts";
import { CronField } from "../cron/cron-field.tsx";
import { NextRuns } from "../cron/next-runs.tsx";
import { Schedule } from "../cron/schedule.tsx";
import { TimezoneField } from "../cron/timezone-field.tsx";
import type { FieldProblem } from "../ui/field.tsx";
import { Moment } from "../ui/moment.tsx";
import { Switch } from "../ui/switch.tsx";

export type ScanScheduleValue = { isOn: boolean; cronExpression: string; timezone: string };

/** What the form begins with: the stored schedule, or one for the night that is off. */
export const scanScheduleValue = (schedule: DataSource["scanSchedule"] | undefined): ScanScheduleValue => ({
  isOn: schedule !== null && schedule !== undefined,
  cronExpression: schedule?.cronExpression ?? "0 2 * * *",
  timezone: schedule?.timezone ?? "UTC",
});

/** As the API takes it: null for never. */
export const scanScheduleOf = ({ isOn, ...schedule }: ScanScheduleValue) => (isOn ? schedule : null);

/** Why the schedule is invalid, or true. */
export const isValidScanSchedule = ({ isOn, cronExpression }: ScanScheduleValue): true | string =>
  !isOn || (cronProblem(cronExpression) ?? true);

/** When the data source is scanned on its own. */
export function ScanScheduleFields({
  value,
  onChange,
  error,
}: {
  value: ScanScheduleValue;
  onChange: (value: ScanScheduleValue) => void;
  error?: FieldProblem;
}) {
  return (
    <div className="flex flex-col gap-4">
      <Switch
        checked={value.isOn}
        onCheckedChange={(isOn) => onChange({ ...value, isOn })}
        label="Scan for faults on a schedule"
        hint={value.isOn ? undefined : "Off: it is scanned only when someone starts a scan."}
      />
      {value.isOn && (
        <div className="grid items-start gap-4 sm:grid-cols-2">
          <div className="flex flex-col gap-4">
            <CronField
              value={value.cronExpression}
              onChange={(cronExpression) => onChange({ ...value, cronExpression })}
              error={error}
            />
            <TimezoneField value={value.timezone} onChange={(timezone) => onChange({ ...value, timezone })} />
          </div>
          {cronProblem(value.cronExpression) === null && (
            <div>
              <h2 className="pb-1 text-xs font-medium text-ink-2">Next five scans</h2>
              <NextRuns expression={value.cronExpression} timezone={value.timezone} />
            </div>
          )}
        </div>
      )}
    </div>
  );
}

/** The same in words: "Every day at 02:00 UTC, next in 5 h". */
export function ScanScheduleWords({ schedule }: { schedule: DataSource["scanSchedule"] }) {
  if (schedule === null) return <>Only when someone starts one</>;
  const { cronExpression, timezone, nextRunAt } = schedule;
  return (
    <>
      <Schedule expression={cronExpression} timezone={timezone} />
      {nextRunAt !== null && (
        <>
          , next <Moment at={nextRunAt} />
        </>
      )}
    </>
  );
}

"use client";
import { useMemo } from "react";
import { CronField } from "@/components/cron/cron-field.tsx";
import { TimezoneField } from "@/components/cron/timezone-field.tsx";
import { useDatabaseSchema } from "@/components/data-quality/use-database-schema.ts";
import { Checkbox } from "@/components/ui/checkbox.tsx";
import { Field, FieldError } from "@/components/ui/field.tsx";
import { Input } from "@/components/ui/input.tsx";
import type { ComboboxGroup } from "@/components/ui/matching.ts";
import { checkNames } from "@/server/actors/wished-checks.ts";
import type { Exclusion } from "@/server/actors/wishes.ts";
import type { DatabaseSchema } from "@/server/data-sources/database-schema.ts";
import { ChoicePicker } from "./choice-picker.tsx";
import {
  checksFor,
  choiceIn,
  choiceKey,
  choiceTitle,
  type WishesForm,
  wishesProblems,
} from "./wishes-form.ts";

/** Structured wishes for an actor: tables, checks, schedule, and number of checks. */
export function WishesFields({
  dataSourceId,
  isBuiltIn,
  value,
  onChange,
  wide = false,
  error,
}: {
  dataSourceId: number | null;
  isBuiltIn: boolean;
  value: WishesForm;
  onChange: (wishes: WishesForm) => void;
  /** Two columns if there is room. */
  wide?: boolean;
  /** The server's error. */
  error?: string | undefined;
}) {
  const schema = useDatabaseSchema(dataSourceId);
  const { items } = schema;
  const tables = useMemo(() => groupsOf(items, false), [items]);
  const withColumns = useMemo(() => groupsOf(items, true), [items]);
  const problems = wishesProblems(value);
  const set = (part: Partial<WishesForm>) => onChange({ ...value, ...part });
  const picker = {
    searchPlaceholder: "Search…",
    loading: schema.isLoading,
    disabled: dataSourceId === null || schema.failure !== null,
  };
  const checks = [...new Set([...checksFor(isBuiltIn), ...value.checks])];
  return (
    <div className={wide ? "grid items-start gap-x-6 gap-y-4 sm:grid-cols-2" : "flex flex-col gap-4"}>
      <ChoicePicker
        {...picker}
        label="Tables"
        placeholder={dataSourceId === null ? "Choose a data source first" : "All tables"}
        hint={schema.failure ?? undefined}
        groups={tables}
        chosen={value.tables.map(chosenOf)}
        onChange={(keys) => set({ tables: keys.map(choiceIn) })}
      />
      <ChoicePicker
        {...picker}
        label="Exclude"
        placeholder="Nothing"
        groups={withColumns}
        chosen={value.exclude.map(chosenOf)}
        onChange={(keys) => set({ exclude: keys.map(choiceIn) })}
      />
      <fieldset className="flex min-w-0 flex-col gap-2">
        <legend className="pb-1 text-xs font-medium text-ink-2">
          Checks<span className="ml-1.5 font-normal text-ink-3">optional</span>
        </legend>
        <div className="grid grid-cols-2 gap-x-4 gap-y-2">
          {checks.map((check) => (
            <Checkbox
              key={check}
              checked={value.checks.includes(check)}
              onCheckedChange={(isChosen) =>
                set({
                  checks: isChosen ? [...value.checks, check] : value.checks.filter((each) => each !== check),
                })
              }
              label={<span className="first-letter:uppercase inline-block">{checkNames[check]}</span>}
            />
          ))}
        </div>
        <p className="text-xs text-ink-3">None checked: whatever fits the data.</p>
      </fieldset>
      <div className="flex min-w-0 flex-col gap-3">
        <Checkbox
          checked={value.schedule !== null}
          onCheckedChange={(isFixed) =>
            set({ schedule: isFixed ? { cronExpression: "0 6 * * *", timezone: "UTC" } : null })
          }
          label="Fixed schedule"
          hint={value.schedule ? undefined : "Off: each check runs as often as its data changes."}
        />
        {value.schedule && (
          <>
            <CronField
              value={value.schedule.cronExpression}
              onChange={(cronExpression) =>
                set({ schedule: { timezone: "UTC", ...value.schedule, cronExpression } })
              }
              error={problems.cronExpression}
            />
            <TimezoneField
              value={value.schedule.timezone}
              onChange={(timezone) => set({ schedule: { cronExpression: "", ...value.schedule, timezone } })}
              error={problems.timezone}
            />
          </>
        )}
        <Field label="Maximum checks in a plan" optional error={problems.maxChecks}>
          <Input
            inputMode="numeric"
            placeholder="20"
            className="w-24 text-right tabular-nums"
            value={value.maxChecks}
            onChange={(event) => set({ maxChecks: event.target.value })}
          />
        </Field>
      </div>
      {error && <FieldError>{error}</FieldError>}
    </div>
  );
}

const chosenOf = (choice: Exclusion) => ({ key: choiceKey(choice), label: choiceTitle(choice) });

function groupsOf(items: DatabaseSchema["items"], hasColumns: boolean): ComboboxGroup[] {
  const item = (choice: Exclusion) => ({ value: choiceKey(choice), label: choiceTitle(choice) });
  return items.map(({ schemaName, tables }) => ({
    label: schemaName,
    items: [
      item({ schemaName }),
      ...tables.map(({ tableName }) => item({ schemaName, tableName })),
      ...(hasColumns
        ? tables.flatMap(({ tableName, columns }) =>
            columns.map(({ name }) => item({ schemaName, tableName, columnName: name })),
          )
        : []),
    ],
  }));
}

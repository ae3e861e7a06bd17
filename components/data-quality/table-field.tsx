"use client";
import { useState } from "react";
import { Button } from "@/components/ui/button.tsx";
import { Combobox } from "@/components/ui/combobox.tsx";
import { Field, type FieldProblem } from "@/components/ui/field.tsx";
import { formatCount } from "@/components/ui/format.ts";
import { Input } from "@/components/ui/input.tsx";
import type { ComboboxGroup } from "@/components/ui/matching.ts";
import type { KnownSchema, KnownTable } from "./use-database-schema.ts";

type Named = { schemaName: string; tableName: string };

/**
 * A table: picked from the data source, or typed if its tables can't be read or the table doesn't exist yet.
 * Names may contain dots and quotes, so the value is a schema and table pair, never a string to split.
 */
export function TableField({
  label,
  schema,
  value,
  onChange,
  error,
  schemaError,
  schemaHint,
  disabled = false,
}: {
  label: string;
  schema: KnownSchema;
  value: Named;
  onChange: (table: Named) => void;
  error?: FieldProblem;
  schemaError?: FieldProblem;
  /** What an empty schema means. */
  schemaHint: string;
  disabled?: boolean;
}) {
  const [wantsToType, setWantsToType] = useState(false);
  if (wantsToType || schema.failure !== null)
    return (
      <div className="flex flex-col gap-2">
        <div className="grid gap-4 sm:grid-cols-2">
          <Field label={`${label}: schema`} optional error={schemaError} hint={schemaHint}>
            <Input
              mono
              spellCheck={false}
              value={value.schemaName}
              onChange={(event) => onChange({ ...value, schemaName: event.target.value })}
            />
          </Field>
          <Field label={label} error={error}>
            <Input
              mono
              spellCheck={false}
              value={value.tableName}
              onChange={(event) => onChange({ ...value, tableName: event.target.value })}
            />
          </Field>
        </div>
        {schema.failure !== null ? (
          <p className="text-xs text-ink-2">
            The tables cannot be listed right now: {schema.failure} Type the names, or{" "}
            <button type="button" className="text-accent hover:underline" onClick={schema.retry}>
              try again
            </button>
            .
          </p>
        ) : (
          <Button size="sm" className="self-start" onClick={() => setWantsToType(false)}>
            Pick from the list
          </Button>
        )}
      </div>
    );

  const key = value.tableName === "" ? "" : keyOf(value);
  const isKnown = key === "" || schema.table(value.schemaName, value.tableName) !== null;
  return (
    <Field
      label={label}
      error={error ?? schemaError}
      hint={
        isKnown || schema.isLoading || disabled
          ? undefined
          : "This table did not exist when the schema was last read."
      }
      action={
        !disabled && (
          <Button variant="ghost" size="sm" className="-my-1.5 -mr-2" onClick={() => setWantsToType(true)}>
            Type the name
          </Button>
        )
      }
    >
      <Combobox
        mono
        value={key}
        disabled={disabled}
        loading={schema.isLoading}
        placeholder={disabled ? "Choose a data source first" : "Choose a table…"}
        searchPlaceholder="Search tables…"
        onValueChange={(chosen) => {
          const [schemaName, tableName] = JSON.parse(chosen) as [string, string];
          onChange({ schemaName, tableName });
        }}
        groups={groupsOf(schema, isKnown ? null : value)}
      />
    </Field>
  );
}

const keyOf = ({ schemaName, tableName }: Named) => JSON.stringify([schemaName, tableName]);
const nameOf = ({ schemaName, tableName }: Named) =>
  schemaName === "" ? tableName : `${schemaName}.${tableName}`;

function groupsOf(schema: KnownSchema, unknown: Named | null): ComboboxGroup[] {
  const known = schema.items.map(({ schemaName, tables }) => ({
    label: schemaName,
    items: tables.map((table) => {
      const named = { schemaName, tableName: table.tableName };
      return { value: keyOf(named), label: nameOf(named), hint: factsOf(table) };
    }),
  }));
  return unknown === null
    ? known
    : [{ items: [{ value: keyOf(unknown), label: nameOf(unknown) }] }, ...known];
}

function factsOf({ kind, rowEstimate }: KnownTable): string {
  const rows = rowEstimate === null ? "" : `≈ ${formatCount(rowEstimate)} rows`;
  return [kind === "View" ? "view" : "", rows].filter(Boolean).join(", ");
}

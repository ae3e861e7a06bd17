"use client";
import dynamic from "next/dynamic";
import { useMemo } from "react";
import { trpc } from "@/components/trpc/client.tsx";
import { factsOf } from "@/components/trpc/errors.ts";
import { Button } from "@/components/ui/button.tsx";
import { Field } from "@/components/ui/field.tsx";
import { ArrowLeft, ArrowRight, Trash2 } from "@/components/ui/icons.tsx";
import { Input } from "@/components/ui/input.tsx";
import { Select } from "@/components/ui/select.tsx";
import { Skeleton } from "@/components/ui/skeleton.tsx";
import { kindLabels } from "@/server/data-sources/dialects/dialects.ts";
import { type DataSource, isRest } from "@/server/data-sources/schema.ts";
import { type DraftProblem, type DraftStep, isRequest, placeName } from "./query-draft.ts";
import { RequestFields } from "./request-fields.tsx";
import type { Offer } from "./sql-editor.tsx";
import { problemAt } from "./step-problems.ts";
import { columnOffers } from "./step-runs.ts";

// The editor is large, so the page renders without waiting for it.
const SqlEditor = dynamic(() => import("./sql-editor.tsx").then((module) => module.SqlEditor), {
  ssr: false,
  loading: () => <Skeleton className="h-56 w-full rounded-md" />,
});

const noTables: never[] = [];

/** One step: its name, its data source, and what it runs. */
export function StepPanel({
  step,
  index,
  count,
  sources,
  problems,
  offers,
  readOnly,
  onChange,
  onMove,
  onRemove,
  onRun,
}: {
  step: DraftStep;
  index: number;
  /** The number of steps. */
  count: number;
  sources: readonly DataSource[];
  problems: readonly DraftProblem[];
  offers: readonly Offer[];
  readOnly: boolean;
  onChange: (change: Partial<DraftStep>) => void;
  onMove: (by: -1 | 1) => void;
  onRemove: () => void;
  onRun: (() => void) | undefined;
}) {
  const source = sources.find(({ id }) => id === step.source);
  const isDatabase = source !== undefined && !isRest(source.connection);
  const schema = trpc.dataSources.schema.useQuery(
    { id: source?.id ?? 0 },
    { enabled: isDatabase, staleTime: 5 * 60_000, retry: false },
  );
  const tables = (isDatabase && schema.data?.items) || noTables;
  const nearest = useMemo(() => nearestSchema(tables), [tables]);
  const allOffers = useMemo(() => [...offers, ...columnOffers(step.sql, tables)], [offers, step.sql, tables]);
  const at = (path: string) => problemAt(problems, `steps.${index}.${path}`);
  const sourceProblem = at("dataSourceId");
  return (
    <div className="flex flex-col gap-3">
      <div className="flex flex-wrap items-start gap-2">
        <Field label="Data source" className="w-full sm:w-64" error={sourceProblem}>
          <Select
            value={step.source === null ? undefined : String(step.source)}
            disabled={readOnly}
            placeholder="Choose where it runs"
            onValueChange={(chosen) =>
              onChange({ source: chosen === "results" ? "results" : Number(chosen) })
            }
            options={[
              ...(index > 0 || step.source === "results"
                ? [
                    {
                      value: "results",
                      label: "Earlier results",
                      hint: "Joins @@result1, @@result2, … of the steps before",
                    },
                  ]
                : []),
              ...sources.map(({ id, name, kind }) => ({
                value: String(id),
                label: name,
                hint: kindLabels[kind],
              })),
            ]}
          />
        </Field>
        <Field label="Name of the step" optional className="w-full sm:w-64" error={at("name")}>
          <Input
            readOnly={readOnly}
            placeholder={placeName(index + 1)}
            value={step.name}
            onChange={(event) => onChange({ name: event.target.value })}
          />
        </Field>
        {!readOnly && count > 1 && (
          <div className="flex gap-1 pt-5">
            <Button
              variant="ghost"
              size="icon"
              icon={ArrowLeft}
              aria-label="Move the step earlier"
              title="Move the step earlier"
              disabled={index === 0}
              onClick={() => onMove(-1)}
            />
            <Button
              variant="ghost"
              size="icon"
              icon={ArrowRight}
              aria-label="Move the step later"
              title="Move the step later"
              disabled={index === count - 1}
              onClick={() => onMove(1)}
            />
            <Button
              variant="ghost"
              size="icon"
              icon={Trash2}
              aria-label="Remove the step"
              title="Remove the step"
              onClick={onRemove}
            />
          </div>
        )}
      </div>
      {isRequest(step, () => source?.kind) && source && isRest(source.connection) ? (
        <RequestFields
          request={step.request}
          baseUrl={source.connection.baseUrl}
          readOnly={readOnly}
          problemAt={(path) => at(`request.${path}`)}
          onChange={(request) => onChange({ request })}
        />
      ) : (
        <Field
          label="SQL"
          error={at("sql")}
          hint={
            schema.error && isDatabase
              ? `Table completion is unavailable: ${factsOf(schema.error).message}`
              : step.source === "results"
                ? "DuckDB SQL, which is close to PostgreSQL. Earlier results are tables: @@result1, @@result2, …"
                : undefined
          }
          action={
            step.source === "results" &&
            step.sql.trim() === "" &&
            !readOnly && (
              <Button
                variant="ghost"
                size="sm"
                className="-my-1.5 -mr-2"
                onClick={() => onChange({ sql: exampleOf(index) })}
              >
                Start with an example
              </Button>
            )
          }
        >
          <SqlEditor
            key={step.key}
            value={step.sql}
            onChange={(sql) => onChange({ sql })}
            engine={source?.kind ?? null}
            tables={tables}
            schemaName={nearest}
            offers={allOffers}
            readOnly={readOnly}
            {...(onRun && { onRun })}
            className="[--sql-max:60vh] [--sql-min:11rem]"
          />
        </Field>
      )}
    </div>
  );
}

/** The schema that needs no qualification: the engine's default one, or the only one. */
function nearestSchema(items: readonly { schemaName: string }[]): string {
  const names = items.map(({ schemaName }) => schemaName);
  return (
    ["public", "dbo"].find((name) => names.includes(name)) ?? (names.length === 1 ? (names[0] ?? "") : "")
  );
}

function exampleOf(index: number): string {
  if (index < 2) return "select *\nfrom @@result1";
  return "select *\nfrom @@result1\njoin @@result2 using (id)";
}

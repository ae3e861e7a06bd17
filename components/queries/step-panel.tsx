"use client";
import type { RefObject } from "react";
import { Button } from "@/components/ui/button.tsx";
import { Field } from "@/components/ui/field.tsx";
import { ArrowLeft, ArrowRight, Trash2 } from "@/components/ui/icons.tsx";
import { Input } from "@/components/ui/input.tsx";
import { Select } from "@/components/ui/select.tsx";
import { kindLabels } from "@/server/data-sources/dialects/dialects.ts";
import { isRest } from "@/server/data-sources/kinds.ts";
import type { DataSource } from "@/server/data-sources/schema.ts";
import { type DraftProblem, type DraftStep, isRequest, placeName } from "./query-draft.ts";
import { RequestFields } from "./request-fields.tsx";
import type { KnownTable } from "./sql-completion.ts";
import type { SelectedSql, SqlEditorHandle } from "./sql-editor.tsx";
import type { ErrorMark } from "./sql-error-mark.ts";
import { SqlStep } from "./sql-step.tsx";
import { problemAt } from "./step-problems.ts";

/** One step: its name, its data source, and what it runs. */
export function StepPanel({
  step,
  index,
  count,
  sources,
  problems,
  parameters,
  results,
  readOnly,
  onChange,
  onMove,
  onRemove,
  mark,
  editor,
  onRun,
  onRunSelection,
  onSelection,
}: {
  step: DraftStep;
  index: number;
  /** The number of steps. */
  count: number;
  sources: readonly DataSource[];
  problems: readonly DraftProblem[];
  /** The names of the query's parameters. */
  parameters: readonly string[];
  /** The results that the step can join. */
  results: readonly KnownTable[];
  readOnly: boolean;
  onChange: (change: Partial<DraftStep>) => void;
  onMove: (by: -1 | 1) => void;
  onRemove: () => void;
  /** What the database said about the last run of its SQL. */
  mark: ErrorMark | null;
  editor: RefObject<SqlEditorHandle | null>;
  onRun: (() => void) | undefined;
  onRunSelection: (() => void) | undefined;
  onSelection: (selected: SelectedSql | null) => void;
}) {
  const source = sources.find(({ id }) => id === step.source);
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
        <SqlStep
          key={step.key}
          sql={step.sql}
          source={source}
          isJoin={step.source === "results"}
          example={exampleOf(index)}
          parameters={parameters}
          results={results}
          problem={at("sql")}
          readOnly={readOnly}
          mark={mark}
          editor={editor}
          onChange={(sql) => onChange({ sql })}
          onRun={onRun}
          onRunSelection={onRunSelection}
          onSelection={onSelection}
        />
      )}
    </div>
  );
}

function exampleOf(index: number): string {
  if (index < 2) return "select *\nfrom @@result1";
  return "select *\nfrom @@result1\njoin @@result2 using (id)";
}

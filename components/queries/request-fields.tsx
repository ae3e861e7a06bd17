"use client";
import { Button } from "@/components/ui/button.tsx";
import { Field, FieldError } from "@/components/ui/field.tsx";
import { Plus, X } from "@/components/ui/icons.tsx";
import { Input } from "@/components/ui/input.tsx";
import { Select } from "@/components/ui/select.tsx";
import { Textarea } from "@/components/ui/textarea.tsx";
import type { DraftRequest } from "./query-draft.ts";

/** A step's REST request. Any value may contain `{{name}}` parameters. */
export function RequestFields({
  request,
  baseUrl,
  readOnly,
  problemAt,
  onChange,
}: {
  request: DraftRequest;
  baseUrl: string;
  readOnly: boolean;
  /** The error at a path below `request`: `path`, `body`. */
  problemAt: (path: string) => string | undefined;
  onChange: (request: DraftRequest) => void;
}) {
  const set = (change: Partial<DraftRequest>) => onChange({ ...request, ...change });
  const setRow = (key: number, change: Partial<DraftRequest["query"][number]>) =>
    set({ query: request.query.map((row) => (row.key === key ? { ...row, ...change } : row)) });
  const nextKey = Math.max(-1, ...request.query.map(({ key }) => key)) + 1;
  return (
    <div className="flex flex-col gap-4">
      <div className="flex flex-wrap items-start gap-2">
        <Field label="Method" className="w-24">
          <Select
            value={request.method}
            disabled={readOnly}
            onValueChange={(method) => set({ method })}
            options={[
              { value: "GET", label: "GET" },
              { value: "POST", label: "POST" },
            ]}
          />
        </Field>
        <Field
          label="Path"
          className="min-w-56 flex-1"
          error={problemAt("path")}
          hint={`Below ${baseUrl}, such as /orders/{{id}}`}
        >
          <Input
            mono
            readOnly={readOnly}
            value={request.path}
            onChange={(event) => set({ path: event.target.value })}
          />
        </Field>
        <Field
          label="Rows are at"
          optional
          className="w-full sm:w-56"
          error={problemAt("rowsPath")}
          hint="data.items; else the answer itself"
        >
          <Input
            mono
            readOnly={readOnly}
            value={request.rowsPath}
            onChange={(event) => set({ rowsPath: event.target.value })}
          />
        </Field>
      </div>
      <fieldset className="flex flex-col gap-2">
        <legend className="pb-1 text-xs font-medium text-ink-2">Query parameters</legend>
        {request.query.map(({ key, name, value }, index) => (
          <div key={key} className="flex items-center gap-2">
            <Input
              mono
              aria-label={`Name of query parameter ${index + 1}`}
              placeholder="name"
              className="flex-1 sm:max-w-56"
              readOnly={readOnly}
              value={name}
              onChange={(event) => setRow(key, { name: event.target.value })}
            />
            <Input
              mono
              aria-label={`Value of query parameter ${index + 1}`}
              placeholder="value, or {{name}}"
              className="flex-1"
              readOnly={readOnly}
              value={value}
              onChange={(event) => setRow(key, { value: event.target.value })}
            />
            {!readOnly && (
              <Button
                variant="ghost"
                size="icon-sm"
                icon={X}
                aria-label={`Remove query parameter ${index + 1}`}
                onClick={() => set({ query: request.query.filter((row) => row.key !== key) })}
              />
            )}
          </div>
        ))}
        {problemAt("query") && <FieldError>Query parameters {problemAt("query")}</FieldError>}
        {!readOnly && (
          <Button
            size="sm"
            icon={Plus}
            className="self-start"
            onClick={() => set({ query: [...request.query, { key: nextKey, name: "", value: "" }] })}
          >
            Add query parameter
          </Button>
        )}
        {readOnly && request.query.length === 0 && <span className="text-ink-3">None</span>}
      </fieldset>
      {request.method === "POST" && (
        <Field label="Body" optional error={problemAt("body")} hint="JSON">
          <Textarea
            mono
            className="min-h-28"
            spellCheck={false}
            readOnly={readOnly}
            value={request.body}
            onChange={(event) => set({ body: event.target.value })}
          />
        </Field>
      )}
    </div>
  );
}

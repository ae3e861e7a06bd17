"use client";
import dynamic from "next/dynamic";
import { type RefObject, useEffect, useId, useState } from "react";
import { trpc } from "@/components/trpc/client.tsx";
import { factsOf } from "@/components/trpc/errors.ts";
import { Button } from "@/components/ui/button.tsx";
import { cn } from "@/components/ui/class-names.ts";
import { Field } from "@/components/ui/field.tsx";
import { Columns3, History, ScrollText } from "@/components/ui/icons.tsx";
import { Skeleton } from "@/components/ui/skeleton.tsx";
import { toast } from "@/components/ui/toaster.tsx";
import { dialectOf } from "@/server/data-sources/dialects/dialects.ts";
import { isRest } from "@/server/data-sources/kinds.ts";
import type { DataSource } from "@/server/data-sources/schema.ts";
import { CannotFormat } from "./cannot-format.ts";
import { isPanelOpen, rememberPanel } from "./schema-panel-state.ts";
import type { KnownTable } from "./sql-completion.ts";
import type { SelectedSql, SqlEditorHandle } from "./sql-editor.tsx";
import type { ErrorMark } from "./sql-error-mark.ts";

// The editor is large, so the page renders without waiting for it.
const SqlEditor = dynamic(() => import("./sql-editor.tsx").then((module) => module.SqlEditor), {
  ssr: false,
  loading: () => <Skeleton className="h-56 w-full rounded-md" />,
});
const SchemaPanel = dynamic(() => import("./schema-panel.tsx").then((module) => module.SchemaPanel), {
  ssr: false,
  loading: () => <Skeleton className="h-56 w-full rounded-md" />,
});

const RunHistory = dynamic(() => import("./run-history.tsx").then((module) => module.RunHistory), {
  ssr: false,
});

const noTables: never[] = [];

/** A step's SQL, with the tables of its data source at hand. */
export function SqlStep({
  sql,
  source,
  isJoin,
  example,
  parameters,
  results,
  problem,
  readOnly,
  mark,
  editor,
  onChange,
  onRun,
  onRunSelection,
  onSelection,
}: {
  sql: string;
  source: DataSource | undefined;
  /** Whether it reads the results of earlier steps. */
  isJoin: boolean;
  /** For such a step. */
  example: string;
  parameters: readonly string[];
  results: readonly KnownTable[];
  problem: string | undefined;
  readOnly: boolean;
  /** What the database said about the last run. */
  mark: ErrorMark | null;
  editor: RefObject<SqlEditorHandle | null>;
  onChange: (sql: string) => void;
  onRun: (() => void) | undefined;
  onRunSelection: (() => void) | undefined;
  onSelection: (selected: SelectedSql | null) => void;
}) {
  const isDatabase = source !== undefined && !isRest(source.connection);
  const schema = trpc.dataSources.schema.useQuery(
    { id: source?.id ?? 0 },
    { enabled: isDatabase, staleTime: 5 * 60_000, retry: false },
  );
  const tables = (isDatabase && schema.data?.items) || noTables;
  const dialect = source ? dialectOf(source.kind) : null;
  const nearest = nearestSchema(tables, source);
  const panelId = useId();
  const [showsTables, setShowsTables] = useState(false);
  useEffect(() => setShowsTables(isPanelOpen()), []);
  const toggleTables = () => {
    rememberPanel(!showsTables);
    setShowsTables(!showsTables);
  };
  const [showsHistory, setShowsHistory] = useState(false);
  const [formatting, setFormatting] = useState(false);
  /** The formatter is large, so it is loaded when it is first used. */
  const format = async () => {
    setFormatting(true);
    try {
      const { formattedSql } = await import("./format-sql.ts");
      editor.current?.replace(formattedSql(sql, isJoin ? "duckdb" : (dialect?.name ?? "postgresql")));
    } catch (error) {
      toast.error(error instanceof CannotFormat ? error.message : "The formatter could not be loaded");
    } finally {
      setFormatting(false);
    }
  };
  const panel = showsTables && dialect && schema.data && (
    <SchemaPanel
      items={tables}
      nearest={nearest}
      dialect={dialect}
      onInsert={readOnly ? null : (name, kind) => editor.current?.insertName(name, kind)}
    />
  );
  return (
    <Field
      label="SQL"
      error={problem}
      hint={
        schema.error && isDatabase
          ? `Table completion is unavailable: ${factsOf(schema.error).message}`
          : isJoin
            ? "DuckDB SQL, which is close to PostgreSQL. Earlier results are tables: @@result1, @@result2, …"
            : undefined
      }
      action={
        <div className="-my-1.5 -mr-2 flex flex-wrap justify-end">
          {isJoin && sql.trim() === "" && !readOnly && (
            <Button variant="ghost" size="sm" onClick={() => onChange(example)}>
              Start with an example
            </Button>
          )}
          {!readOnly && sql.trim() !== "" && (
            <Button
              variant="ghost"
              size="sm"
              icon={ScrollText}
              pending={formatting}
              aria-keyshortcuts="Alt+Shift+F"
              onClick={() => void format()}
            >
              Format
            </Button>
          )}
          {onRun && (
            <Button variant="ghost" size="sm" icon={History} onClick={() => setShowsHistory(true)}>
              History
            </Button>
          )}
          {schema.data && isDatabase && (
            <Button
              variant="ghost"
              size="sm"
              icon={Columns3}
              aria-expanded={showsTables}
              aria-controls={panel ? panelId : undefined}
              onClick={toggleTables}
            >
              Tables
            </Button>
          )}
        </div>
      }
    >
      {/* biome-ignore lint/a11y/noStaticElementInteractions: a shortcut of the button above, for the editor within */}
      <div
        onKeyDown={(event) => {
          if (!event.altKey || !event.shiftKey || event.code !== "KeyF" || readOnly) return;
          event.preventDefault();
          void format();
        }}
        className={cn("grid min-w-0 gap-3", panel && "lg:grid-cols-[minmax(0,1fr)_18rem]")}
      >
        <SqlEditor
          value={sql}
          onChange={onChange}
          engine={source?.kind ?? null}
          tables={tables}
          schemaName={nearest}
          parameters={parameters}
          results={results}
          readOnly={readOnly}
          handle={editor}
          mark={mark}
          onSelection={onSelection}
          {...(onRun && { onRun })}
          {...(onRunSelection && { onRunSelection })}
          className="[--sql-max:60vh] [--sql-min:11rem]"
        />
        {panel && (
          <div id={panelId} className="min-w-0">
            {panel}
          </div>
        )}
        {showsHistory && (
          <RunHistory
            onUse={readOnly ? null : (text) => editor.current?.replace(text)}
            onClose={() => setShowsHistory(false)}
          />
        )}
      </div>
    </Field>
  );
}

/** The schema that needs no qualification: the connection's default one if it has tables, or the only one. */
function nearestSchema(items: readonly { schemaName: string }[], source: DataSource | undefined): string {
  const dialect = source ? dialectOf(source.kind) : null;
  const own = dialect && source && !isRest(source.connection) ? dialect.defaultSchema(source.connection) : "";
  if (items.some(({ schemaName }) => schemaName === own)) return own;
  const [only, another] = items;
  return only && !another ? only.schemaName : "";
}

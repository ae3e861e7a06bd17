"use client";
import dynamic from "next/dynamic";
import { useFormContext, useWatch } from "react-hook-form";
import { Button } from "@/components/ui/button.tsx";
import { Code } from "@/components/ui/code.tsx";
import { Field } from "@/components/ui/field.tsx";
import { Skeleton } from "@/components/ui/skeleton.tsx";
import { quotedIfNeeded } from "@/server/data-sources/dialects/clauses.ts";
import { dialectOf } from "@/server/data-sources/dialects/dialects.ts";
import { postgresql } from "@/server/data-sources/dialects/postgresql.ts";
import type { Kind } from "@/server/data-sources/kinds.ts";
import type { ContractForm } from "./contract-form.ts";
import type { RuleContext } from "./rule-context.ts";
import { useRuleText } from "./use-rule-value.ts";

// The editor is large, so it loads only for people who write SQL.
const SqlEditor = dynamic(
  () => import("@/components/queries/sql-editor.tsx").then((module) => module.SqlEditor),
  {
    ssr: false,
    loading: () => <Skeleton className="h-36 w-full rounded-md" />,
  },
);

const columns = [
  { name: "passed", required: true, meaning: "1 or true passes, 0 or false fails." },
  { name: "score", required: false, meaning: "0 to 100. Without it, 100 on pass and 0 on fail." },
  { name: "actual_value", required: false, meaning: "Shown as what was observed." },
  { name: "message", required: false, meaning: "Shown beside the result." },
];

/** A custom SQL check, and what it must return. */
export function SqlField({ index, name, context }: { index: number; name: string; context: RuleContext }) {
  const { control } = useFormContext<ContractForm>();
  const [schemaName, tableName] = useWatch({ control, name: ["schemaName", "tableName"] });
  const { value, set, onBlur, error } = useRuleText(index, name);
  return (
    <div className="flex flex-col gap-3">
      <Field
        label="SQL"
        error={error}
        action={
          value.trim() === "" && (
            <Button
              variant="ghost"
              size="sm"
              className="-my-1.5 -mr-2"
              onClick={() => set(example(schemaName, tableName, context.engine))}
            >
              Start with an example
            </Button>
          )
        }
      >
        <SqlEditor
          value={value}
          onChange={set}
          onBlur={onBlur}
          engine={context.engine}
          tables={context.schema.items}
          schemaName={schemaName}
          tableName={tableName}
        />
      </Field>
      <div className="text-xs text-ink-2">
        <p>
          One SELECT, run as written, read-only, for at most 60 seconds. Values are taken from the first row
          by column name:
        </p>
        <dl className="grid grid-cols-[max-content_minmax(0,1fr)] gap-x-4 gap-y-1 pt-1.5">
          {columns.map(({ name, required, meaning }) => (
            <div key={name} className="contents">
              <dt>
                <Code className="text-xs">{name}</Code>
              </dt>
              <dd>
                {required && <span className="font-medium">Required. </span>}
                {meaning}
              </dd>
            </div>
          ))}
        </dl>
      </div>
    </div>
  );
}

/** A sample check. Names that need it are quoted. */
function example(schemaName: string, tableName: string, engine: Kind | null): string {
  const dialect = (engine && dialectOf(engine)) ?? postgresql;
  const table = [schemaName, tableName || "the_table"]
    .filter(Boolean)
    .map((name) => quotedIfNeeded(dialect, name))
    .join(".");
  return `select ${dialect.asTruth("count(*) = 0")} as passed,
       count(*) as actual_value,
       'rows that must not be there' as message
from ${table}
where ${dialect.never}`;
}

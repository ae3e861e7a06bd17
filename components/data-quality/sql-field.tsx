"use client";
import dynamic from "next/dynamic";
import { useFormContext, useWatch } from "react-hook-form";
import { Button } from "@/components/ui/button.tsx";
import { Code } from "@/components/ui/code.tsx";
import { Field } from "@/components/ui/field.tsx";
import { Skeleton } from "@/components/ui/skeleton.tsx";
import type { Kind } from "@/server/data-sources/schema.ts";
import type { ContractForm } from "./contract-form.ts";
import type { RuleContext } from "./rule-fields.tsx";
import { useRuleValue } from "./use-rule-value.ts";

// The editor is large, and only those who write SQL load it.
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

/** A person's own query, and what it has to answer. */
export function SqlField({ index, context }: { index: number; context: RuleContext }) {
  const { control } = useFormContext<ContractForm>();
  const [schemaName, tableName] = useWatch({ control, name: ["schemaName", "tableName"] });
  const { value, set, onBlur, error } = useRuleValue(index, "sql");
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
              Begin with an example
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
          One SELECT, run as it is written and read-only, for at most 60 seconds. The first row is read by the
          names of its columns:
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

/** A check to begin with. Names that SQL would read otherwise are quoted. */
function example(schemaName: string, tableName: string, engine: Kind | null): string {
  const quoted = (name: string) => {
    if (/^[a-z_][a-z0-9_]*$/.test(name)) return name;
    if (engine === "MySql") return `\`${name.replaceAll("`", "``")}\``;
    return engine === "SqlServer" ? `[${name.replaceAll("]", "]]")}]` : `"${name.replaceAll('"', '""')}"`;
  };
  const table = [schemaName, tableName || "the_table"].filter(Boolean).map(quoted).join(".");
  // SQL Server has no truth values to select.
  const [passed, nothing] =
    engine === "SqlServer"
      ? ["case when count(*) = 0 then 1 else 0 end", "1 = 0"]
      : ["count(*) = 0", "false"];
  return `select ${passed} as passed,
       count(*) as actual_value,
       'rows that must not be there' as message
from ${table}
where ${nothing}`;
}

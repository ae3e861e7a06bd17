"use client";
import { useFormContext, useWatch } from "react-hook-form";
import { useMay } from "@/components/auth/use-me.ts";
import { ColumnValues } from "@/components/catalog/column-values.tsx";
import { useTableFigures } from "@/components/catalog/use-table-figures.ts";
import { messageOf } from "@/components/trpc/errors.ts";
import { Button } from "@/components/ui/button.tsx";
import { plural } from "@/components/ui/format.ts";
import { ChartSpline } from "@/components/ui/icons.tsx";
import { asSentence } from "@/components/ui/sentence.ts";
import { columnsIn } from "@/server/data-quality/rules/rules.ts";
import type { ContractForm } from "./contract-form.ts";
import type { RuleContext } from "./rule-context.ts";

/** What the columns of a rule hold today, next to the fields that say what they should hold. */
export function RuleColumnValues({ index, context }: { index: number; context: RuleContext }) {
  const mayRead = useMay("evaluations:run");
  const { control } = useFormContext<ContractForm>();
  const rule = useWatch({ control, name: `rules.${index}` });
  const [dataSourceId, schemaName, tableName] = useWatch({
    control,
    name: ["dataSourceId", "schemaName", "tableName"],
  });
  const { figures, isReading, error, read } = useTableFigures({ dataSourceId, schemaName, tableName });
  const columns = columnsIn(rule.type, rule.configuration);
  if (!mayRead || columns.length === 0 || !context.schema.table(schemaName, tableName)) return null;
  const known = figures?.columns.filter(({ name }) => columns.includes(name)) ?? [];
  return (
    <div className="flex min-w-0 flex-col gap-3">
      <div className="flex flex-wrap items-center gap-x-4 gap-y-2">
        <Button size="sm" variant="ghost" icon={ChartSpline} pending={isReading} onClick={read}>
          {isReading ? "Reading the table…" : figures ? "Read the values again" : "Show what it holds"}
        </Button>
        {figures && !figures.isWhole && (
          <span className="text-xs text-ink-3">
            Of {plural(figures.rowsRead, "row")} from all over the table.
          </span>
        )}
        {error && (
          <span role="alert" className="text-xs text-critical">
            {asSentence(messageOf(error))}
          </span>
        )}
      </div>
      {figures &&
        known.map((each) => (
          <section
            key={each.name}
            aria-label={`Values of ${each.name}`}
            className="rounded-md border bg-canvas px-3 py-2"
          >
            <p className="pb-1 font-mono text-xs font-semibold">{each.name}</p>
            <ColumnValues figures={each} rowsRead={figures.rowsRead} />
          </section>
        ))}
    </div>
  );
}

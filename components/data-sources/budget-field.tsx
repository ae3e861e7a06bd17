import type { CostUnit } from "@/server/data-sources/cost.ts";
import { Field, type FieldProblem } from "../ui/field.tsx";
import { Input } from "../ui/input.tsx";
import { budgetHint, budgetLabel } from "./budget.ts";

/** What the statements on a data source may cost in a day. */
export function BudgetField({
  unit,
  value,
  onChange,
  error,
}: {
  unit: CostUnit;
  value: string;
  onChange: (value: string) => void;
  error?: FieldProblem;
}) {
  return (
    <Field label={budgetLabel(unit)} optional hint={budgetHint(value, unit)} error={error}>
      <Input inputMode="decimal" value={value} onChange={(event) => onChange(event.target.value)} />
    </Field>
  );
}

import { type TableColumn, tableColumn } from "@/server/data-quality/rules/table-columns.ts";

/** The columns in a configuration's value; none if it holds something else. */
export function approvedColumnsIn(value: unknown): TableColumn[] {
  const parsed = tableColumn.array().safeParse(value);
  return parsed.success ? parsed.data : [];
}

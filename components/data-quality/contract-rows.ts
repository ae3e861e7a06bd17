import type { Contract } from "@/server/data-quality/schema.ts";

export function targetOf({ schemaName, tableName }: Pick<Contract, "schemaName" | "tableName">): string {
  return `${schemaName}.${tableName}`;
}

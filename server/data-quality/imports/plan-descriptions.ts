import type { EarlierTable, PlanOptions } from "./planned.ts";
import type { SuiteTable } from "./suite.ts";

export const descriptionKey = (schemaName: string, tableName: string, columnName: string | null) =>
  JSON.stringify([schemaName, tableName, columnName]);

/** Descriptions fill what nobody described, and follow the tool as long as nobody changes them here. */
export function planDescriptions(
  table: SuiteTable,
  schemaName: string,
  earlier: EarlierTable | undefined,
  { descriptions }: PlanOptions,
) {
  const wanted = [
    ...(table.description === null ? [] : [{ columnName: null, description: table.description }]),
    ...table.columns.map(({ name, description }) => ({ columnName: name, description })),
  ];
  const remembered: Record<string, string> = Object.assign(Object.create(null), earlier?.descriptions);
  const written = wanted.filter(({ columnName, description }) => {
    const now = descriptions.get(descriptionKey(schemaName, table.tableName, columnName));
    const last = remembered[columnName ?? ""];
    const isOurs = now === undefined ? last === undefined : now === last;
    if (isOurs) remembered[columnName ?? ""] = description;
    return isOurs && now !== description;
  });
  return { descriptions: written, rememberedDescriptions: { ...remembered } };
}

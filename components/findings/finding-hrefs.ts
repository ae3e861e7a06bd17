/** The list of a data source's open findings, as an address. */
export const sourceFindingsHref = (dataSourceId: number): string => `/findings?source=${dataSourceId}`;

/** The list of a table's open findings, as an address. */
export function tableFindingsHref(
  dataSourceId: number,
  { schemaName, tableName }: { schemaName: string; tableName: string },
): string {
  return `/findings?${new URLSearchParams({ source: String(dataSourceId), schema: schemaName, table: tableName })}`;
}

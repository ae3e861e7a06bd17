/** The list of a data source's open findings, as an address. */
export const sourceFindingsHref = (dataSourceId: number): string => `/findings?source=${dataSourceId}`;

/** The list of a table's open findings, as an address. */
export function tableFindingsHref(
  dataSourceId: number,
  { schemaName, tableName }: { schemaName: string; tableName: string },
): string {
  return `/findings?${new URLSearchParams({ source: String(dataSourceId), schema: schemaName, table: tableName })}`;
}

/** Where questions about a table's cells are answered, as an address. */
export function teachHref({
  dataSourceId,
  schemaName,
  tableName,
}: {
  dataSourceId: number;
  schemaName: string;
  tableName: string;
}): string {
  return `/findings/teach?${new URLSearchParams({ source: String(dataSourceId), schema: schemaName, table: tableName })}`;
}

/** A table's page, whatever characters its names are made of. */
export function tableHref(
  dataSourceId: number,
  { schemaName, tableName }: { schemaName: string; tableName: string },
): string {
  return `/catalogue/${dataSourceId}/${encodeURIComponent(schemaName)}/${encodeURIComponent(tableName)}`;
}

/** A column's row on that page. */
export const columnId = (columnName: string) => `column-${columnName}`;

/** The end of an address that leads to it. */
export const columnHash = (columnName: string) => `#${encodeURIComponent(columnId(columnName))}`;

/** A name out of an address' path; null for what no page of ours has written there. */
export function nameInPath(segment: string): string | null {
  try {
    return decodeURIComponent(segment);
  } catch {
    return null;
  }
}

/** What a file of documentation is called: "Demo warehouse" and its table orders are demo-warehouse-orders.md. */
export function documentationFileName(...names: readonly string[]): string {
  const words = names
    .join(" ")
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, "-");
  return `${words.replace(/^-+|-+$/g, "").slice(0, 80) || "catalogue"}.md`;
}

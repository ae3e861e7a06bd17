/** A table's page; names may contain any characters. */
export function tableHref(
  dataSourceId: number,
  { schemaName, tableName }: { schemaName: string; tableName: string },
): string {
  return `/catalog/${dataSourceId}/${encodeURIComponent(schemaName)}/${encodeURIComponent(tableName)}`;
}

/** Where a contract for a table is written. */
export const newContractHref = (
  dataSourceId: number,
  { schemaName, tableName }: { schemaName: string; tableName: string },
): string =>
  `/data-quality/contracts/new?${new URLSearchParams({ source: String(dataSourceId), schema: schemaName, table: tableName })}`;

/** The element ID of a column's row on that page. */
export const columnId = (columnName: string) => `column-${columnName}`;

/** The URL fragment for it. */
export const columnHash = (columnName: string) => `#${encodeURIComponent(columnId(columnName))}`;

/** The table a URL points to, ignoring the query; null if it is another page. */
export function namesInPath(
  address: string,
): { dataSourceId: number; schemaName: string; tableName: string } | null {
  const [, id, schema, table] =
    /^\/catalog\/([1-9]\d{0,9})\/([^/?#]+)\/([^/?#]+)\/?(?:[?#]|$)/.exec(address) ?? [];
  const [schemaName, tableName] = [decoded(schema), decoded(table)];
  return schemaName && tableName ? { dataSourceId: Number(id), schemaName, tableName } : null;
}

/** The element ID in a URL fragment; null if empty or malformed. */
export const idInHash = (hash: string) => decoded(hash.slice(1)) || null;

function decoded(text = ""): string | null {
  try {
    return decodeURIComponent(text);
  } catch {
    return null;
  }
}

/** The file name of exported documentation: "Demo warehouse" and its table orders become demo-warehouse-orders.md. */
export function documentationFileName(...names: readonly string[]): string {
  const words = names
    .join(" ")
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, "-");
  return `${words.replace(/^-+|-+$/g, "").slice(0, 80) || "catalog"}.md`;
}

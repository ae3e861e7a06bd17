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

/** The table that an address leads to, with whatever query; null where it leads elsewhere. */
export function namesInPath(
  address: string,
): { dataSourceId: number; schemaName: string; tableName: string } | null {
  const [, id, schema, table] =
    /^\/catalogue\/([1-9]\d{0,9})\/([^/?#]+)\/([^/?#]+)\/?(?:[?#]|$)/.exec(address) ?? [];
  const [schemaName, tableName] = [decoded(schema), decoded(table)];
  return schemaName && tableName ? { dataSourceId: Number(id), schemaName, tableName } : null;
}

/** What the end of an address names; null for nothing, and for what no page of ours has written there. */
export const idInHash = (hash: string) => decoded(hash.slice(1)) || null;

function decoded(text = ""): string | null {
  try {
    return decodeURIComponent(text);
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

/**
 * A table as people write it; that of a file has no schema.
 * @param {{ schemaName: string, tableName: string }} table
 */
export const nameOf = ({ schemaName, tableName }) => (schemaName ? `${schemaName}.${tableName}` : tableName);

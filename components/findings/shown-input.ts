/** What is asked for beside a table, on the server and in the browser alike: a prefetch must ask the same. */

export const findingsOfTable = 5;

export const tableFindingsInput = (table: {
  dataSourceId: number;
  schemaName: string;
  tableName: string;
}) => ({ ...table, status: "Open" as const, page: 0, pageSize: findingsOfTable });

/** The open findings of a data source, in the order of their list. */
export const neighborsInput = (dataSourceId: number) => ({
  ...{ dataSourceId, status: "Open" as const, minConfidence: 0 },
  ...{ sortBy: "Table" as const, page: 0, pageSize: 100 },
});

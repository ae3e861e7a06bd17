/** What a dbt project says of a data source: it may be imported into several. Pure. */
export const dbtOrigin = (dataSourceId: number, project: string) => `${dataSourceId} ${project}`;
export const projectIn = (origin: string) => origin.slice(origin.indexOf(" ") + 1);

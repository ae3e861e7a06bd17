/** A page of the contracts of a data source that is only asked for their number. */
export const countedContracts = (dataSourceId: number) => ({ dataSourceId, pageSize: 1 });

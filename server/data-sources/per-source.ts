/**
 * The limit of jobs that wait for a data source, which their events name: as many at once as scheduled work has
 * connections there (slots.ts). More would only wait in line for those, in places that others need.
 */
export const perSource = { key: "event.data.dataSourceId", limit: 2 };

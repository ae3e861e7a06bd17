/**
 * Limits concurrent jobs per data source, which their events name, to the connections that scheduled work may use
 * (slots.ts). More jobs would only queue for those while occupying capacity that others need.
 */
export const perSource = { key: "event.data.dataSourceId", limit: 2 };

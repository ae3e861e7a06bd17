/** How the list of tables is ordered and filtered. Pages load this file without Zod. */

export const tableOrders = ["name", "rows", "score", "contracts"] as const;
export type TableOrder = (typeof tableOrders)[number];

export const tableFilters = {
  kind: ["Table", "View"],
  documented: ["yes", "no"],
  watched: ["yes", "no"],
} as const;

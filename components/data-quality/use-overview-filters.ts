"use client";
import { parseAsInteger, parseAsString, parseAsStringLiteral, useQueryStates } from "nuqs";
import type { Sort } from "@/components/ui/table.tsx";
import { type TableOrder, tableOrders } from "./overview-rows.ts";

const parameters = {
  source: parseAsInteger,
  q: parseAsString.withDefault(""),
  sort: parseAsStringLiteral(tableOrders).withDefault("score"),
  direction: parseAsStringLiteral(["asc", "desc"]).withDefault("asc"),
};

/** What the overview shows, kept in the address. The worst tables come first unless asked otherwise. */
export function useOverviewFilters() {
  const [state, set] = useQueryStates(parameters, { clearOnDefault: true });
  /** What a column's head needs: its direction now, and what a press does. */
  const sortBy = (order: TableOrder): Sort => ({
    direction: state.sort === order ? state.direction : null,
    onSort: () =>
      void set({
        sort: order,
        direction: state.sort === order && state.direction === "asc" ? "desc" : "asc",
      }),
  });
  return { ...state, set, sortBy };
}

export type OverviewFilters = ReturnType<typeof useOverviewFilters>;

"use client";
import { parseAsInteger, parseAsString, parseAsStringLiteral } from "nuqs";
import { useListFilters } from "@/components/ui/use-list-filters.ts";
import { tableOrders } from "./overview-rows.ts";

const parameters = {
  source: parseAsInteger,
  q: parseAsString.withDefault(""),
  sort: parseAsStringLiteral(tableOrders).withDefault("score"),
  direction: parseAsStringLiteral(["asc", "desc"]).withDefault("asc"),
};

/**
 * The overview's filters, kept in the URL. Worst tables come first by default; `input` is the search that the server
 * runs on tables the overview doesn't list.
 */
export const useOverviewFilters = () => useListFilters(parameters, ({ q }) => q.trim().slice(0, 200));

export type OverviewFilters = ReturnType<typeof useOverviewFilters>;

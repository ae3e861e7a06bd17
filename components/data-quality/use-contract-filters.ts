"use client";
import { parseAsInteger, parseAsString, parseAsStringLiteral, useQueryStates } from "nuqs";
import type { Sort } from "@/components/ui/table.tsx";
import { type ContractOrder, contractOrders, contractStates } from "./contract-rows.ts";

const parameters = {
  source: parseAsInteger,
  q: parseAsString.withDefault(""),
  state: parseAsStringLiteral(contractStates),
  sort: parseAsStringLiteral(contractOrders).withDefault("name"),
  direction: parseAsStringLiteral(["asc", "desc"]).withDefault("asc"),
};

/** What the contract list shows, kept in the address. */
export function useContractFilters() {
  const [state, set] = useQueryStates(parameters, { clearOnDefault: true });
  const sortBy = (order: ContractOrder): Sort => ({
    direction: state.sort === order ? state.direction : null,
    onSort: () =>
      void set({
        sort: order,
        direction: state.sort === order && state.direction === "asc" ? "desc" : "asc",
      }),
  });
  const isFiltered = state.source !== null || state.q !== "" || state.state !== null;
  return { ...state, isFiltered, set, sortBy };
}

export type ContractFilters = ReturnType<typeof useContractFilters>;

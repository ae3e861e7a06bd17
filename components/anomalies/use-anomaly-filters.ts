"use client";
import { parseAsBoolean, parseAsInteger, useQueryStates } from "nuqs";

const parameters = {
  acknowledged: parseAsBoolean,
  subscription: parseAsInteger,
  page: parseAsInteger.withDefault(1),
};

/** What the list of anomalies shows, kept in the address. */
export function useAnomalyFilters() {
  const [state, setState] = useQueryStates(parameters, { clearOnDefault: true });
  /** Other filters begin at the first page. */
  const set = (change: Parameters<typeof setState>[0] & object) => void setState({ page: null, ...change });
  return { ...state, set, setPage: (page: number) => void setState({ page }) };
}

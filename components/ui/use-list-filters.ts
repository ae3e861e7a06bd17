"use client";
import { type UseQueryStatesKeysMap, useQueryStates, type Values } from "nuqs";
import { useCallback, useDeferredValue, useMemo } from "react";
import type { ListState } from "./list.tsx";
import type { Sort } from "./table.tsx";
import { useDebounced } from "./use-paused.ts";

/** A list's filters, as `useListFilters` returns them. */
export type ListFilters<Map extends UseQueryStatesKeysMap> = {
  filters: Values<Map>;
  set: (change: Changes<Map>) => void;
};

/** These change how rows are shown, not which ones. */
const displayParameters = new Set(["page", "sort", "direction"]);

type Changes<Map extends UseQueryStatesKeysMap> = { [K in keyof Map]?: Values<Map>[K] | null };

/**
 * A list's filters, kept in the URL.
 *
 * `inputOf` turns them into the procedure's input. It must be plain JSON, and a prefetch must produce the same.
 * `input` follows the URL once React has time and nobody is typing: until then, `isChanging` is true and the
 * previous rows stay.
 *
 *   const list = useListFilters(taskParameters, (filters) => taskListInput(project, filters));
 *   const [page] = trpc.tasks.list.useSuspenseQuery(list.input);
 *
 * `set` goes back to the first page. `page` counts from 1 in the URL and from 0 everywhere else.
 */
export function useListFilters<Map extends UseQueryStatesKeysMap, Input = null>(
  parameters: Map,
  inputOf: (filters: Values<Map>) => Input = () => null as Input,
  {
    history = "replace",
    options = [],
  }: {
    /** `push`: each choice adds a step to the browser history. Not for lists with a search. */
    history?: "push" | "replace";
    /** Parameters that are not filters: the list counts as unfiltered with them. `reset` clears them too. */
    options?: readonly (keyof Map)[];
  } = {},
) {
  const [filters, setFilters] = useQueryStates(parameters, { clearOnDefault: true, history });
  const typed = "q" in filters ? String(filters.q) : "";
  const search = useDebounced(typed);
  const asked = JSON.stringify(inputOf("q" in filters ? { ...filters, q: search } : filters));
  const settled = useDeferredValue(asked);
  const input = useMemo(() => JSON.parse(settled) as Input, [settled]);
  const write = useCallback(
    // nuqs can't infer the page parameter from a generic map.
    (change: object) => void setFilters(change as Parameters<typeof setFilters>[0]),
    [setFilters],
  );
  const names = Object.keys(parameters).filter((name) => name !== "sort" && name !== "direction");
  const isFilter = (name: string) => !displayParameters.has(name) && !options.includes(name);
  const isSet = (name: string) => {
    const value: unknown = filters[name];
    // `false` counts as a filter only if it isn't the default.
    if (typeof value === "boolean") return value !== (parameters[name]?.defaultValue ?? null);
    return typeof value === "string"
      ? value.trim() !== "" && value !== (parameters[name]?.defaultValue ?? null)
      : value !== null;
  };
  const state: ListState = {
    isFiltered: names.some((name) => isFilter(name) && isSet(name)),
    isChanging: asked !== settled || search !== typed,
    reset: () => write(Object.fromEntries(names.map((name) => [name, null]))),
    setPage: useCallback((page: number) => write({ page: page + 1 }), [write]),
  };
  return {
    ...state,
    filters,
    input,
    set: (change: Changes<Map>) => write({ ...("page" in parameters && { page: null }), ...change }),
    /** For a list with `sort` and `direction` in its URL: a column's order; another click reverses it. */
    sortBy: (order: string, first: "asc" | "desc" = "asc"): Sort => {
      const isCurrent = filters.sort === order;
      // Without a direction in the URL, the order has its own.
      const current = (filters.direction ?? first) as "asc" | "desc";
      return {
        direction: isCurrent ? current : null,
        onSort: () =>
          write({
            ...("page" in parameters && { page: null }),
            sort: order,
            direction: !isCurrent ? first : current === "asc" ? "desc" : "asc",
          }),
      };
    },
  };
}

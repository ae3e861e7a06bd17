"use client";
import { parseAsString, useQueryState } from "nuqs";

/** A page's search text, kept in the URL (`?q=`); pass both values to SearchInput. */
export function useSearch(): [string, (search: string) => void] {
  const [search, setSearch] = useQueryState("q", parseAsString.withDefault(""));
  return [search, (next) => void setSearch(next === "" ? null : next)];
}

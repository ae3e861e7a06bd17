import { parseAsInteger, parseAsString, parseAsStringLiteral } from "nuqs/server";

/** What the lists' URLs have in common, and the input of a procedure that pages, searches, and sorts. */

/** The parameter of a list that has pages; counts from 1. */
export const pageParameter = { page: parseAsInteger.withDefault(1) };

/** The input's page, from 0. A URL's page may be any number. */
export const pageInput = (page: number, pageSize = 50) => ({
  page: Math.min(Math.max(page, 1), 1_000_000) - 1,
  pageSize,
});

/** The input's search text; none if nothing but blanks is typed. */
export function searchInput(typed: string) {
  const search = typed.trim().slice(0, 200);
  return search === "" ? {} : { search };
}

/** A number in a URL that can be an ID. */
export const isId = (id: number | null): id is number =>
  id !== null && Number.isInteger(id) && id >= 1 && id <= 2_147_483_647;

/** The input's direction; without one in the URL, an order has its own. */
export const directionInput = (direction: "asc" | "desc" | null) =>
  direction === null ? {} : { sortDirection: direction === "asc" ? ("Asc" as const) : ("Desc" as const) };

export const directionParameter = { direction: parseAsStringLiteral(["asc", "desc"]) };

const searchAndPage = { q: parseAsString.withDefault(""), ...pageParameter };

/** The parameters of a list that is searched, sorted, and paged. The first order is the usual one. */
export function listParameters<const Sort extends string>(sorts: readonly [Sort, ...Sort[]]) {
  const orders = sorts.map(uncapitalized) as [Uncapitalize<Sort>, ...Uncapitalize<Sort>[]];
  const sort = parseAsStringLiteral(orders).withDefault(orders[0] as never);
  return { ...searchAndPage, sort, ...directionParameter };
}

type Parameters<Order> = { q: string; sort: Order; direction: "asc" | "desc" | null; page: number };

/** The input of a list's procedure from such parameters, on the server and in the browser: a prefetch must use the same. */
export const listInput = <Order extends string>({ q, sort, direction, page }: Parameters<Order>) => ({
  ...searchInput(q),
  sortBy: capitalized(sort) as Capitalize<Order>,
  ...directionInput(direction),
  ...pageInput(page),
});

const uncapitalized = (name: string) => name.charAt(0).toLowerCase() + name.slice(1);
const capitalized = (name: string) => name.charAt(0).toUpperCase() + name.slice(1);

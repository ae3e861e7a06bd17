/**
 * The parameters of a URL as a view keeps them: in the order of their names, so that equal filters are equal texts,
 * without the page number and what is open beside the list. The project stays: a view is of one, or of all.
 */
export function savedFilters(parameters: Iterable<[string, string]>): string {
  const kept = [...parameters].filter(([name]) => name !== "page" && name !== "delivery");
  return new URLSearchParams(kept.sort(([one], [other]) => one.localeCompare(other))).toString();
}

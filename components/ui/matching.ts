import type { ReactNode } from "react";

export type ComboboxItem = {
  value: string;
  /** What is searched and shown; the value unless given. */
  label?: string;
  /** Muted, at the end of the line; searched too. */
  hint?: string;
  icon?: ReactNode;
  disabled?: boolean;
};
export type ComboboxGroup = {
  label?: string;
  items: readonly ComboboxItem[];
  /** Found by the service for what is typed: shown as they are. How many more it has found. */
  found?: { more: number };
};

/** Whether a text holds every word of a search, whatever its case. */
export function holdsWords(text: string, search: string): boolean {
  const lower = text.toLowerCase();
  return search
    .toLowerCase()
    .split(/\s+/)
    .every((word) => lower.includes(word));
}

/** 0 for the search itself, 1 for what begins with it, 2 for what holds it, 3 for what is found by its hint or group. */
function rankOf(item: ComboboxItem, search: string): number {
  const name = (item.label ?? item.value).toLowerCase();
  const typed = search.trim().toLowerCase();
  if (name === typed) return 0;
  if (name.startsWith(typed)) return 1;
  return name.includes(typed) ? 2 : 3;
}

/**
 * The items that hold every word of the search, at most `limit`, and how many more there are. What is called like the
 * search comes first, in its group and with its group, so that Enter chooses it.
 */
export function matching(groups: readonly ComboboxGroup[], search: string, limit: number) {
  let left = limit;
  let more = 0;
  const rank = (item: ComboboxItem) => rankOf(item, search);
  const ranked = groups.map((group) => {
    const items = group.items
      .filter(
        (item) =>
          group.found !== undefined ||
          holdsWords(`${item.label ?? item.value} ${item.hint ?? ""} ${group.label ?? ""}`, search),
      )
      .toSorted((a, b) => rank(a) - rank(b));
    return { group, items, best: items[0] ? rank(items[0]) : 3 };
  });
  const inOrder = ranked.toSorted((a, b) => a.best - b.best);
  const found = inOrder.map(({ group, items }) => {
    const shown = items.slice(0, left);
    left -= shown.length;
    more += items.length - shown.length + (group.found?.more ?? 0);
    return { ...group, items: shown };
  });
  return { groups: found.filter((group) => group.items.length > 0), more };
}

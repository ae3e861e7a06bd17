import type { ReactNode } from "react";

export type ComboboxItem = {
  value: string;
  /** Displayed and searched; defaults to the value. */
  label?: string;
  /** Muted, at the end of the line; also searched. */
  hint?: string;
  icon?: ReactNode;
  disabled?: boolean;
};
export type ComboboxGroup = {
  label?: string;
  items: readonly ComboboxItem[];
  /** Server results, shown without filtering; `more` is how many were left out. */
  found?: { more: number };
};

/** Whether a text contains every word of a search, ignoring case. */
export function containsWords(text: string, search: string): boolean {
  const lower = text.toLowerCase();
  return search
    .toLowerCase()
    .split(/\s+/)
    .every((word) => lower.includes(word));
}

/** 0: equals the search; 1: starts with it; 2: contains it; 3: matches by hint or group only. */
function rankOf(item: ComboboxItem, search: string): number {
  const name = (item.label ?? item.value).toLowerCase();
  const typed = search.trim().toLowerCase();
  if (name === typed) return 0;
  if (name.startsWith(typed)) return 1;
  return name.includes(typed) ? 2 : 3;
}

/**
 * The items that contain every word of the search, up to `limit`, and how many more there are. The best match comes
 * first in its group, and its group comes first, so that Enter selects it.
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
          containsWords(`${item.label ?? item.value} ${item.hint ?? ""} ${group.label ?? ""}`, search),
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

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

/** The items that hold every word of the search, at most `limit`, and how many more there are. */
export function matching(groups: readonly ComboboxGroup[], search: string, limit: number) {
  let left = limit;
  let more = 0;
  const found = groups.map((group) => {
    const items = group.items.filter(
      (item) =>
        group.found !== undefined ||
        holdsWords(`${item.label ?? item.value} ${item.hint ?? ""} ${group.label ?? ""}`, search),
    );
    const shown = items.slice(0, left);
    left -= shown.length;
    more += items.length - shown.length + (group.found?.more ?? 0);
    return { ...group, items: shown };
  });
  return { groups: found.filter((group) => group.items.length > 0), more };
}

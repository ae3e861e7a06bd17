import { holdsWords } from "../ui/matching.ts";
import type { Entry, EntryGroup } from "./palette-entries.ts";

export const shownPerGroup = 12;

/** The words of a search that say which of a group's things are meant, beside those that name the group. */
export const beyondHeading = (heading: string, search: string) =>
  search
    .split(/\s+/)
    .filter((word) => !heading.toLowerCase().includes(word.toLowerCase()))
    .join(" ");

/**
 * What the palette shows for a text: what is always there and called so, then what the service has found, then the
 * rest. Without a text, the searches of before and what is always there.
 */
export function shownGroups(
  search: string,
  {
    own,
    hits,
    recent,
  }: { own: readonly EntryGroup[]; hits: readonly EntryGroup[]; recent: readonly Entry[] },
): EntryGroup[] {
  const all =
    search.trim() === ""
      ? [
          { heading: "Searched before", entries: [...recent] },
          ...own.filter(({ onlyWhenSearched }) => !onlyWhenSearched),
        ]
      : [
          ...own.filter(({ isFirst }) => isFirst).map((group) => named(group, search)),
          ...hits,
          ...own.filter(({ isFirst }) => !isFirst).map((group) => named(group, search)),
        ];
  return all.filter(({ entries }) => entries.length > 0);
}

function named(group: EntryGroup, search: string): EntryGroup {
  if (group.isServed) return group;
  const entries = group.entries.filter(({ label, hint }) =>
    holdsWords(`${label} ${hint ?? ""} ${group.heading}`, search),
  );
  return { ...group, entries: entries.slice(0, shownPerGroup) };
}

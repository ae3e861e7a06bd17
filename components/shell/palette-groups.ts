import { holdsWords } from "../ui/matching.ts";
import type { Entry, EntryGroup } from "./palette-entries.ts";

const shownPerGroup = 12;

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
  const entries = group.entries.filter(({ label, hint }) =>
    holdsWords(`${label} ${hint ?? ""} ${group.heading}`, search),
  );
  return { ...group, entries: entries.slice(0, shownPerGroup) };
}

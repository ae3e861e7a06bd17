import type { LucideIcon } from "@/components/ui/icons.tsx";
import { containsWords } from "../ui/matching.ts";

export type Entry = {
  key: string;
  label: string;
  /** Muted, at the end; also searched. */
  hint?: string;
  icon: LucideIcon;
  /** A table's quality. */
  score?: number;
  /** A search result, so the search is worth remembering. */
  isFound?: true;
  /** The palette stays open when it is chosen. */
  stays?: true;
  choose: () => void;
};
export type EntryGroup = {
  heading: string;
  /** Long lists are hidden until something is typed. */
  onlyWhenSearched?: boolean;
  /** Shown before search results, so that it is there at once and doesn't move. */
  isFirst?: boolean;
  /** Shown first, until something is typed: the search finds these, too. */
  onlyWhenEmpty?: boolean;
  /** Search results from the server. */
  isServed?: boolean;
  entries: Entry[];
};

export const shownPerGroup = 12;

/** The words of a search other than the ones that name the group. */
export const beyondHeading = (heading: string, search: string) =>
  search
    .split(/\s+/)
    .filter((word) => !heading.toLowerCase().includes(word.toLowerCase()))
    .join(" ");

/**
 * What the palette shows for a text: matching fixed entries, then search results, then the rest. Without a text,
 * favorites and recent pages, recent searches, and fixed entries.
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
          ...own.filter(({ onlyWhenEmpty }) => onlyWhenEmpty),
          { heading: "Recent searches", entries: [...recent] },
          ...own.filter(({ onlyWhenSearched, onlyWhenEmpty }) => !onlyWhenSearched && !onlyWhenEmpty),
        ]
      : [
          ...own.filter(({ isFirst }) => isFirst).map((group) => named(group, search)),
          ...hits,
          ...own
            .filter(({ isFirst, onlyWhenEmpty }) => !isFirst && !onlyWhenEmpty)
            .map((group) => named(group, search)),
        ];
  return all.filter(({ entries }) => entries.length > 0);
}

function named(group: EntryGroup, search: string): EntryGroup {
  if (group.isServed) return group;
  const entries = group.entries.filter(({ label, hint }) =>
    containsWords(`${label} ${hint ?? ""} ${group.heading}`, search),
  );
  return { ...group, entries: entries.slice(0, shownPerGroup) };
}

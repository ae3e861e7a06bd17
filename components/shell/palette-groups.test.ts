import { expect, test } from "vitest";
import { Search } from "@/components/ui/icons.tsx";
import type { Entry, EntryGroup } from "./palette-groups.ts";
import { beyondHeading, shownGroups } from "./palette-groups.ts";

const entry = (label: string): Entry => ({ key: label, label, icon: Search, choose() {} });
const own: EntryGroup[] = [
  { heading: "Pages", isFirst: true, entries: [entry("Queries"), entry("Audit")] },
  { heading: "Make", isFirst: true, entries: [entry("New query")] },
  { heading: "Subscriptions", onlyWhenSearched: true, entries: [entry("Query of the day")] },
  { heading: "Console", entries: [entry("Dark theme")] },
];
const hits: EntryGroup[] = [{ heading: "Tables", entries: [entry("queries_log")] }];
const shown = (search: string, recent: string[] = []) =>
  shownGroups(search, { own, hits: search.trim() ? hits : [], recent: recent.map(entry) }).map(
    ({ heading, entries }) => [heading, ...entries.map(({ label }) => label)].join(" · "),
  );

test("pages and create actions come first, so that later results don't move them", () => {
  expect(shown("quer")).toEqual([
    ...["Pages · Queries", "Make · New query", "Tables · queries_log"],
    "Subscriptions · Query of the day",
  ]);
});

test("search results are shown whatever their name", () => {
  expect(shown("qeuries")).toEqual(["Tables · queries_log"]);
});

test("without a search, recent searches are shown, and no long lists", () => {
  expect(shown(" ", ["orders"])).toEqual([
    ...["Recent searches · orders", "Pages · Queries · Audit", "Make · New query", "Console · Dark theme"],
  ]);
  expect(shown("")[0]).toBe("Pages · Queries · Audit");
});

test("favorites and recent pages come first while nothing is typed, and are left to the search afterwards", () => {
  const favorites = { heading: "Favorites", onlyWhenEmpty: true, entries: [entry("Late orders")] };
  const headings = (search: string) =>
    shownGroups(search, { own: [...own, favorites], hits, recent: [entry("orders")] }).map(
      ({ heading }) => heading,
    );
  expect(headings("")).toEqual(["Favorites", "Recent searches", "Pages", "Make", "Console"]);
  expect(headings("orders")).toEqual(["Tables"]);
});

test("limits apply per group, not overall", () => {
  const many = {
    heading: "Pages",
    isFirst: true,
    entries: Array.from({ length: 40 }, (_, n) => entry(`p${n}`)),
  };
  const [group] = shownGroups("p", { own: [many], hits: [], recent: [] });
  expect(group?.entries).toHaveLength(12);
});

test("search results are not filtered again", () => {
  const served = { heading: "Subscriptions", isServed: true, entries: [entry("Orders")] };
  expect(shownGroups("DE", { own: [served], hits: [], recent: [] })).toEqual([served]);
});

test("the server gets only the words that don't name the group", () => {
  expect(beyondHeading("Subscriptions", "subscription late  orders")).toBe("late orders");
  expect(beyondHeading("Pending approvals", "pending")).toBe("");
});

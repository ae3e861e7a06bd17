import { Search } from "lucide-react";
import { expect, test } from "vitest";
import type { Entry, EntryGroup } from "./palette-entries.ts";
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

test("pages and what can be made come first, so that what is found later does not move them", () => {
  expect(shown("quer")).toEqual([
    ...["Pages · Queries", "Make · New query", "Tables · queries_log"],
    "Subscriptions · Query of the day",
  ]);
});

test("what the service has found is shown whatever it is called", () => {
  expect(shown("qeuries")).toEqual(["Tables · queries_log"]);
});

test("without a text there are the searches of before, and no long lists", () => {
  expect(shown(" ", ["orders"])).toEqual([
    ...["Searched before · orders", "Pages · Queries · Audit", "Make · New query", "Console · Dark theme"],
  ]);
  expect(shown("")[0]).toBe("Pages · Queries · Audit");
});

test("a group is cut, not the whole", () => {
  const many = {
    heading: "Pages",
    isFirst: true,
    entries: Array.from({ length: 40 }, (_, n) => entry(`p${n}`)),
  };
  const [group] = shownGroups("p", { own: [many], hits: [], recent: [] });
  expect(group?.entries).toHaveLength(12);
});

test("what the service was asked for is not sorted out again", () => {
  const served = { heading: "Subscriptions", isServed: true, entries: [entry("Orders")] };
  expect(shownGroups("DE", { own: [served], hits: [], recent: [] })).toEqual([served]);
});

test("the service is asked for the words that do not name the group", () => {
  expect(beyondHeading("Subscriptions", "subscription late  orders")).toBe("late orders");
  expect(beyondHeading("Pending approvals", "pending")).toBe("");
});

import { expect, test } from "vitest";
import {
  type Attention,
  hasNews,
  type News,
  newsSince,
  personalDigestContent,
  personalDigestDay,
} from "./digest.ts";

const at = (iso: string) => new Date(`${iso}Z`);
const since = at("2030-02-01T07:00");

const item = (more: Partial<Attention>): Attention => ({
  ...{ kind: "Subscription", title: "Orders", reason: "22 rows found", urgency: "Medium", owner: null },
  ...{ projectName: "Shop", path: "/subscriptions/4", since: at("2030-01-20T00:00"), ...more },
});
const none: News = { since, items: [], newFindings: 0, solved: [], solvedTasks: 0, scores: [] };

test("it is due by the clocks of the person's zone, on weekdays or every day", () => {
  const weekdays = { at: "08:00", days: "Weekdays", evenIfNothingIsNew: false } as const;
  // 1 February 2030 is a Friday; Berlin is an hour ahead.
  expect(personalDigestDay(weekdays, "Europe/Berlin", at("2030-02-01T06:59"))).toBeNull();
  expect(personalDigestDay(weekdays, "Europe/Berlin", at("2030-02-01T07:00"))).toBe("2030-02-01");
  expect(personalDigestDay(weekdays, "Europe/Berlin", at("2030-02-02T07:00"))).toBeNull();
  const daily = { ...weekdays, days: "EveryDay" } as const;
  expect(personalDigestDay(daily, "Europe/Berlin", at("2030-02-02T07:00"))).toBe("2030-02-02");
});

test("news is what came since the last one: over a weekend, but not over a long break", () => {
  const monday = at("2030-02-04T07:00");
  expect(newsSince(null, monday)).toEqual(at("2030-02-03T07:00"));
  expect(newsSince(since, monday)).toEqual(since);
  expect(newsSince(at("2029-06-01T07:00"), monday)).toEqual(at("2030-01-28T07:00"));
});

test("what is old is no news, and each of the others is", () => {
  expect(hasNews(none)).toBe(false);
  expect(hasNews({ ...none, items: [item({ owner: { id: 7, name: "Ada" } })] })).toBe(false);
  expect(hasNews({ ...none, items: [item({ since })] })).toBe(true);
  expect(hasNews({ ...none, newFindings: 1 })).toBe(true);
  expect(hasNews({ ...none, solved: [{ id: 1, title: "Orders" }] })).toBe(true);
  expect(hasNews({ ...none, solvedTasks: 1 })).toBe(true);
  expect(hasNews({ ...none, scores: [{ id: 1, name: "Orders", before: 90, now: 70 }] })).toBe(true);
});

test("first what waits for the person, then what is new, what is solved, and the scores", () => {
  const content = personalDigestContent(7, "Europe/Berlin", {
    since,
    items: [
      item({ title: "Prices", urgency: "High", since: at("2030-02-01T09:00"), path: "/subscriptions/5" }),
      item({ title: "Returns", owner: { id: 7, name: "Ada" }, path: "/tasks/9", kind: "Task" }),
      item({
        title: "Watcher",
        kind: "Plan",
        reason: "A plan with 1 action waits for you",
        since,
        path: "/ai-actors/plans/3",
      }),
      item({ title: "Bo's", owner: { id: 8, name: "Bo" } }),
    ],
    newFindings: 3,
    solved: [{ id: 11, title: "Stock is late" }],
    solvedTasks: 0,
    scores: [{ id: 2, name: "Flights", before: 92.5, now: 64.29 }],
  });
  expect(content).toEqual({
    title: "Daily digest: 2 wait for you, 1 new, 3 new findings, 1 solved, 1 score moved",
    tone: "Warning",
    summary: "What changed since 2030-02-01 07:00 UTC, and what waits for you:",
    facts: [
      { label: "New findings", value: "3", path: "/findings" },
      { label: "Other things that need attention", value: "1", path: "/home" },
    ],
    groups: [
      {
        title: "Waits for you (2)",
        facts: [
          { label: "Returns", value: "Medium: 22 rows found", path: "/tasks/9" },
          {
            label: "Watcher",
            value: "Medium: A plan with 1 action waits for you · new",
            path: "/ai-actors/plans/3",
          },
        ],
      },
      {
        title: "New (1)",
        facts: [{ label: "Prices", value: "High: 22 rows found", path: "/subscriptions/5" }],
      },
      { title: "Solved (1)", facts: [{ label: "Stock is late", value: "resolved", path: "/incidents/11" }] },
      {
        title: "Scores that moved (1)",
        facts: [{ label: "Flights", value: "64.29 ▼ was 92.5", path: "/data-quality/contracts/2" }],
      },
    ],
    link: { label: "Open Home", path: "/home" },
    moments: [{ words: "2030-02-01 07:00 UTC", at: "2030-02-01T07:00:00.000Z", zone: "Europe/Berlin" }],
  });
});

test("of many, the first are listed; projects are named if there are several", () => {
  const items = Array.from({ length: 10 }, (_, place) =>
    item({ title: `Check ${place}`, since, projectName: place === 9 ? "Other" : "Shop" }),
  );
  const { groups = [], title } = personalDigestContent(7, "UTC", { ...none, items });
  expect(title).toBe("Daily digest: 10 new");
  const facts = groups[0]?.facts ?? [];
  expect([facts.length, facts[0]?.value, facts[8]]).toEqual([
    9,
    "Medium: 22 rows found · Shop",
    { label: "2 more", value: "on Home", path: "/home" },
  ]);
});

test("a day without news says so", () => {
  expect(personalDigestContent(7, "UTC", none)).toMatchObject({
    title: "Daily digest: nothing new",
    tone: "Good",
    summary: "Nothing needs you now, and nothing changed since 2030-02-01 07:00 UTC.",
    groups: [],
  });
});

import { expect, test } from "vitest";
import { type DigestFigures, digestContent, digestDay } from "./digest.ts";

const at = (iso: string) => new Date(`${iso}Z`);

test("it is due from its time on for an hour, on its days, by the clocks of its zone", () => {
  const digest = { days: [1, 2, 3, 4, 5], at: "08:00", timezone: "Europe/Berlin" };
  // 1 February 2030 is a Friday; Berlin is an hour ahead.
  expect(digestDay(digest, at("2030-02-01T06:59"))).toBeNull();
  expect(digestDay(digest, at("2030-02-01T07:00"))).toBe("2030-02-01");
  expect(digestDay(digest, at("2030-02-01T07:59"))).toBe("2030-02-01");
  expect(digestDay(digest, at("2030-02-01T08:00"))).toBeNull();
  expect(digestDay(digest, at("2030-02-02T07:00"))).toBeNull();
  // In July, two hours.
  expect(digestDay(digest, at("2030-07-01T06:00"))).toBe("2030-07-01");
});

test("it says what is wrong and what else is worth a look, and leaves out what is nothing", () => {
  const none: DigestFigures = {
    ...{ current: [], opened: 0, resolved: 2, contracts: 12, failingContracts: 0, subscriptions: 1 },
    ...{ failingSubscriptions: 0, openTasks: 0, unassignedTasks: 0, newFindings: 0, failedDeliveries: 0 },
  };
  expect(digestContent("Shop", none)).toEqual({
    title: "All clear in Shop",
    tone: "Good",
    summary: "In the last day, 0 incidents began and 2 ended. 12 contracts and 1 subscription are on.",
    facts: [],
    link: { label: "Open Home", path: "/home" },
  });
  const current = Array.from({ length: 12 }, (_, at) => ({
    title: `Incident ${at}`,
    severity: "High" as const,
  }));
  const bad = digestContent("Shop", {
    ...none,
    current,
    failingContracts: 3,
    openTasks: 4,
    unassignedTasks: 1,
  });
  expect(bad.title).toBe("12 current incidents in Shop");
  expect(bad.tone).toBe("Warning");
  expect(bad.facts.slice(0, 1)).toEqual([{ label: "High", value: "Incident 0" }]);
  expect(bad.facts.slice(10)).toEqual([
    { label: "Contracts that fail", value: "3 of 12" },
    { label: "Open tasks", value: "4, 1 of them nobody's" },
  ]);
  expect(bad.note).toBe("2 more incidents on the page Incidents.");
});

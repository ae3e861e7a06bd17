import { expect, test } from "vitest";
import { type AlertRun, alertAfter, isAlertDue, newsOf, type OpenAlert } from "./alert-policy.ts";

const terms = { alertOnFailure: true, failureThreshold: 80, reminderHours: 24, recipientIds: [1, 2] };

/** A run this many hours after the first. */
const run = (hours: number, more: Partial<AlertRun> = {}): AlertRun => ({
  overallScore: 50,
  couldNotEvaluate: false,
  failedKeys: ["a"],
  evaluatedAt: new Date(Date.UTC(2026, 2, 1, 6 + hours, 0, 5)),
  scheduledFor: new Date(Date.UTC(2026, 2, 1, 6 + hours)),
  ...more,
});

/** What is reported for each run, in order. */
function told(runs: readonly AlertRun[], given: Partial<typeof terms>[] = []) {
  let open: OpenAlert | null = null;
  return runs.map((each, index) => {
    const news = newsOf(open, each, { ...terms, ...given[index] });
    if (news) open = alertAfter(open, each, news);
    return news?.news ?? null;
  });
}

test("an alert is due strictly below the threshold", () => {
  const scored = (overallScore: number) => ({ trigger: "Scheduled" as const, overallScore });
  expect(isAlertDue(scored(79.99), terms)).toBe(true);
  expect(isAlertDue(scored(80), terms)).toBe(false);
  expect(isAlertDue(scored(80.01), terms)).toBe(false);
  // 0.1 + 0.2 exceeds 0.3 in floating point, and thresholds may have more decimal places than scores.
  expect(isAlertDue(scored(0.3), { ...terms, failureThreshold: 0.3 })).toBe(false);
  expect(isAlertDue(scored(80), { ...terms, failureThreshold: 80.005 })).toBe(true);
  expect(isAlertDue(scored(0), { ...terms, failureThreshold: 0 })).toBe(false);
});

test("one unmet condition prevents an alert", () => {
  expect(isAlertDue({ trigger: "Manual", overallScore: 0 }, terms)).toBe(false);
  expect(isAlertDue({ trigger: "Scheduled", overallScore: 0 }, { ...terms, alertOnFailure: false })).toBe(
    false,
  );
});

test("it opens once, is silent while nothing changes, and recovers once", () => {
  const fine = (hours: number) => run(hours, { overallScore: 80, failedKeys: [] });
  expect(told([fine(0), run(1), run(2), run(3), fine(4), fine(5), run(6)])).toEqual([
    ...[null, "Opened", null, null, "Recovered", null, "Opened"],
  ]);
});

test("it is reported again when the score falls by more than a point since the last report", () => {
  const scores = [50, 49.5, 49, 48.99, 60, 47.99, 47.98];
  expect(told(scores.map((overallScore, hours) => run(hours, { overallScore })))).toEqual([
    ...["Opened", null, null, "Changed", null, null, "Changed"],
  ]);
});

test("it is reported again when an unreported rule fails, however often the others change", () => {
  const keys = [["a"], ["a", "b"], ["b"], ["a"], [], ["a", "b"], ["c"]];
  expect(told(keys.map((failedKeys, hours) => run(hours, { failedKeys })))).toEqual([
    ...["Opened", "Changed", null, null, null, null, "Changed"],
  ]);
});

test("it is repeated after the reminder interval, counted by the schedule", () => {
  const hourly = Array.from({ length: 51 }, (_, hours) => run(hours));
  const reminded = told(hourly).flatMap((news, hours) => (news === "Reminder" ? hours : []));
  expect(reminded).toEqual([24, 48]);
  // The second day's run happens to begin four seconds earlier than the first.
  const early = { ...run(24), evaluatedAt: new Date(Date.UTC(2026, 2, 2, 6, 0, 1)) };
  expect(told([run(0), early])).toEqual(["Opened", "Reminder"]);
  const never = told(hourly, Array(51).fill({ reminderHours: null }));
  expect(never.filter(Boolean)).toEqual(["Opened"]);
});

test("an outage is reported once, and so is what is found after it", () => {
  const out = (hours: number) =>
    run(hours, { overallScore: 0, couldNotEvaluate: true, failedKeys: ["a", "b"] });
  const fine = run(9, { overallScore: 100, failedKeys: [] });
  expect(told([out(0), out(1), fine])).toEqual(["Opened", null, "Recovered"]);
  expect(told([run(0), out(1), out(2), run(3), run(4)])).toEqual([
    "Opened",
    "Changed",
    null,
    "Changed",
    null,
  ]);
  // Rules that could not be measured were not reported as failing.
  expect(told([out(0), run(1), run(2, { failedKeys: ["b"] })])).toEqual(["Opened", "Changed", "Changed"]);
});

test("an outage is not a recovery, however low the threshold is", () => {
  const out = run(1, { overallScore: 0, couldNotEvaluate: true });
  expect(told([run(0), out], [{}, { failureThreshold: 0 }])).toEqual(["Opened", null]);
});

test("someone added as a recipient meanwhile is notified alone, and once", () => {
  const open = alertAfter(null, run(0), { news: "Opened", recipientIds: [1, 2] });
  const news = newsOf(open, run(1), { ...terms, recipientIds: [2, 3] });
  expect(news).toEqual({ news: "StillOpen", recipientIds: [3] });
  const after = news && alertAfter(open, run(1), news);
  expect(after).toEqual({ ...open, toldRecipientIds: [1, 2, 3] });
  expect(newsOf(after, run(2), { ...terms, recipientIds: [2, 3] })).toBeNull();
});

import { expect, test } from "vitest";
import type { ToldState, Verdict } from "@/server/subscriptions/schema.ts";
import {
  foundLookOf,
  headWords,
  lookNameOf,
  lookOf,
  type Outcome,
  outcomeLooks,
  toldLooks,
} from "./outcome-looks.ts";

const ran = (
  verdict: Verdict,
  state: ToldState,
  { rowCount = 22, isUsual = null as boolean | null, isAcknowledged = false } = {},
): Outcome => ({
  run: "Ran",
  found: { rowCount, verdict, isUsual, isAcknowledged },
  told: { state, recipients: 0, sent: 0, failed: 0, silencedUntil: null },
});

test.each([
  [ran("Found", "Told"), "found"],
  [ran("Found", "Sending"), "found"],
  [ran("Found", "DeliveryFailed"), "undelivered"],
  [ran("Found", "Retrying"), "undelivered"],
  [ran("Report", "DeliveryFailed"), "undelivered"],
  [ran("Found", "NobodyToTell"), "untold"],
  [ran("Found", "Silenced"), "silenced"],
  [ran("Found", "Silenced", { isUsual: false }), "unusual"],
  [ran("Report", "Silenced"), "report"],
  [ran("Report", "NobodyToTell"), "report"],
  [ran("Report", "Told", { isUsual: true }), "report"],
  [ran("Report", "Told", { isUsual: false }), "unusual"],
  [ran("Report", "Told", { isUsual: false, isAcknowledged: true }), "report"],
  [ran("Nothing", "Told", { rowCount: 0, isUsual: false }), "unusual"],
  [ran("Nothing", "NothingToTell", { rowCount: 0 }), "nothing"],
  [ran("BelowThreshold", "NothingToTell", { rowCount: 4 }), "below"],
] as [Outcome, string][])("%j looks %s", (outcome, name) => {
  expect(lookNameOf(outcome)).toBe(name);
});

test("only runs with nothing to notify about are green", () => {
  const green = Object.entries(outcomeLooks).filter(([, { kind }]) => kind === "ok");
  expect(green.map(([name]) => name)).toEqual(["nothing"]);
  expect(lookOf(ran("Found", "Told")).kind).toBe("warning");
});

test("what was found keeps its look, whoever was told of it", () => {
  const states: ToldState[] = ["Told", "NobodyToTell", "Silenced", "Retrying", "DeliveryFailed"];
  for (const state of states)
    expect(foundLookOf(ran("Found", state))).toMatchObject({
      kind: "warning",
      icon: outcomeLooks.found.icon,
    });
  expect(foundLookOf(ran("Report", "DeliveryFailed"))).toBe(outcomeLooks.report);
});

test("who was told has a look of its own, and none is green: nobody has looked yet", () => {
  expect(toldLooks.DeliveryFailed.kind).toBe("warning");
  expect(Object.values(toldLooks).map(({ kind }) => kind)).not.toContain("ok");
});

test("no two looks with the same color have the same bar", () => {
  const bars = Object.values(outcomeLooks).map(({ kind, bar }) => `${kind} ${bar.shape} ${bar.height}`);
  expect(new Set(bars).size).toBe(bars.length);
});

test("the first words say what was found, or that the run failed", () => {
  const { told } = ran("Found", "NothingToTell");
  expect([
    headWords(ran("Found", "Told")),
    headWords(ran("Nothing", "NothingToTell", { rowCount: 0 })),
    headWords(ran("Nothing", "NothingToTell", { rowCount: 0, isUsual: true })),
    headWords({ run: "CouldNotRun", found: null, told }),
    headWords({ run: "TimedOut", found: null, told }),
    headWords({ run: "Running", found: null, told }),
  ]).toEqual(["22 rows", "Nothing found", "Nothing found, usual", "Could not run", "Timed out", "Running"]);
});

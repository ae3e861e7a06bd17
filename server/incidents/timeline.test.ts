import { expect, test } from "vitest";
import type { IncidentEventKind } from "./schema.ts";
import { withoutRepeats } from "./timeline.ts";

const ada = { id: 1, name: "Ada" };
const times = (count: number, kind: IncidentEventKind, user: typeof ada | null = null) =>
  Array.from({ length: count }, (_, n) => ({ kind, user, more: 0, text: `${kind} ${n}` }));

test("of more than ten entries of one kind in a row, five are kept, and the last counts the rest", () => {
  const events = [...times(1, "Opened"), ...times(11, "Joined"), ...times(10, "Ended")];
  expect(withoutRepeats(events)).toEqual([
    ...times(1, "Opened"),
    ...times(4, "Joined"),
    { kind: "Joined", user: null, more: 6, text: "Joined 4" },
    ...times(10, "Ended"),
  ]);
});

test("what people did is all kept, and what comes between two runs separates them", () => {
  const events = [
    ...times(12, "Commented", ada),
    ...times(6, "Joined"),
    ...times(1, "Ended"),
    ...times(6, "Joined"),
  ];
  expect(withoutRepeats(events)).toEqual(events);
});

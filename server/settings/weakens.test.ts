import { expect, test } from "vitest";
import { weakens } from "./weakens.ts";

const is = (approvalWorkflow: boolean, fourEyes: boolean) => ({ approvalWorkflow, fourEyes });
const [on, off] = [true, false];

test.each([
  ["four eyes off", is(on, on), is(on, off), true],
  ["the workflow off", is(on, on), is(off, on), true],
  ["both off", is(on, on), is(off, off), true],
  ["four eyes off while the workflow is off", is(off, on), is(off, off), true],
  ["four eyes off, and the workflow on", is(off, on), is(on, off), true],
  ["nothing", is(on, on), is(on, on), false],
  ["the workflow on, under four eyes", is(off, on), is(on, on), false],
  ["the workflow off without four eyes", is(on, off), is(off, off), false],
  ["four eyes on", is(on, off), is(on, on), false],
  ["all on", is(off, off), is(on, on), false],
])("switching %s needs a second Admin: from %j to %j is %j", (_, from, to, expected) => {
  expect(weakens(from, to)).toBe(expected);
});

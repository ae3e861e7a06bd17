import { expect, test } from "vitest";
import { changeWords } from "./change-words.ts";

const is = (approvalWorkflow: boolean, fourEyes: boolean) => ({ approvalWorkflow, fourEyes });

test("a change says what is turned on or off", () => {
  expect(changeWords(is(true, true), is(true, false))).toBe("switch four eyes off");
  expect(changeWords(is(true, true), is(false, true))).toBe("switch the approval workflow off");
  expect(changeWords(is(true, true), is(false, false))).toBe(
    "switch the approval workflow and four eyes off",
  );
  expect(changeWords(is(false, true), is(true, false))).toBe(
    "switch four eyes off, and switch the approval workflow on",
  );
});

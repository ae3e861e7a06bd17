import { expect, test } from "vitest";
import { jobsInput } from "./job-filter.ts";

const nothing = { status: null, name: null, housekeeping: false, page: 1 };

test("completed housekeeping jobs are hidden by default", () => {
  expect(jobsInput(nothing)).toEqual({ page: 0, pageSize: 50, housekeeping: false });
  expect(jobsInput({ ...nothing, housekeeping: true })).toMatchObject({ housekeeping: true });
  expect(jobsInput({ ...nothing, name: "schedule-tick" })).toMatchObject({
    name: "schedule-tick",
    housekeeping: true,
  });
});

test("invalid values in the URL are ignored", () => {
  expect(jobsInput({ ...nothing, page: -3 })).toMatchObject({ page: 0 });
  expect(jobsInput({ ...nothing, page: 1e12 })).toMatchObject({ page: 999_999 });
  expect(jobsInput({ ...nothing, name: "\0" })).not.toHaveProperty("name");
});

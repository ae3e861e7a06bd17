import { expect, test } from "vitest";
import { jobFunctions } from "@/server/job-functions.ts";
import { jobWords, knownJobs } from "./words.ts";

test("every job is told in words of its own, and none that is gone", () => {
  const names = jobFunctions().map((job) => job.id());
  const known = knownJobs.map(({ name }) => name);
  expect(names.filter((name) => !known.includes(name))).toEqual([]);
  // The demo's is only there with the demo.
  expect(known.filter((name) => !names.includes(name) && name !== "replay-departures")).toEqual([]);
});

test("a job that nobody has named is read off its name", () => {
  expect(jobWords("grind-coffee")).toBe("Grind coffee");
  expect(jobWords("run-evaluation-failure")).toBe("After a failure: Evaluate a contract");
});

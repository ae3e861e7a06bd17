import { expect, test } from "vitest";
import { jobFunctions } from "@/server/job-functions.ts";
import { jobWords, knownJobs } from "./words.ts";

test("every job has its own wording, and there is none for jobs that no longer exist", () => {
  const names = jobFunctions().map((job) => job.id());
  const known = knownJobs.map(({ name }) => name);
  expect(names.filter((name) => !known.includes(name))).toEqual([]);
  // The demo's job exists only in the demo.
  expect(known.filter((name) => !names.includes(name) && name !== "replay-departures")).toEqual([]);
});

test("an unknown job is described by its name", () => {
  expect(jobWords("grind-coffee")).toBe("Grind coffee");
  expect(jobWords("run-evaluation-failure")).toBe("After a failure: Evaluate a contract");
});

import { TRPCClientError } from "@trpc/client";
import { expect, test } from "vitest";
import { followRun } from "./follow-run.ts";

type Seen = { done: number; isOver: boolean };

function follow(answers: (Seen | Error)[], signal = new AbortController().signal) {
  const reported: number[] = [];
  const result = followRun<Seen>({
    kind: "Evaluation",
    id: 7,
    signal,
    read: async () => {
      const answer = answers.shift();
      if (!answer) throw new Error("It was read again after it was over");
      if (answer instanceof Error) throw answer;
      return answer;
    },
    isOver: ({ isOver }) => isOver,
    report: ({ done }) => reported.push(done),
  });
  return { result, reported };
}

const refused = (code: string, httpStatus: number) =>
  TRPCClientError.from({ error: { message: "No", code: -32000, data: { code, httpStatus } } });

test("a run is polled until it ends, reporting progress", async () => {
  const { result, reported } = follow([
    { done: 1, isOver: false },
    { done: 2, isOver: false },
    { done: 3, isOver: true },
  ]);
  expect(await result).toEqual({ done: 3, isOver: true });
  expect(reported).toEqual([1, 2]);
});

test("a brief outage of the service doesn't lose the run", async () => {
  const { result } = follow([
    refused("SERVICE_UNAVAILABLE", 503),
    new TRPCClientError("Unexpected token '<'"),
    { done: 3, isOver: true },
  ]);
  expect(await result).toEqual({ done: 3, isOver: true });
});

test("a permanent failure is reported at once", async () => {
  const failure = refused("NOT_FOUND", 404);
  await expect(follow([failure]).result).rejects.toBe(failure);
});

test("canceling doesn't wait for the next poll", async () => {
  const controller = new AbortController();
  const { result } = follow([{ done: 1, isOver: false }], controller.signal);
  controller.abort(new Error("Cancelled"));
  await expect(result).rejects.toThrow("Cancelled");
});

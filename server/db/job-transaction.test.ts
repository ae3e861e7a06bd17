import { expect, test } from "vitest";
import { beginRequest } from "../requests-first.ts";
import { within } from "../telemetry/work-context.ts";
import { poolSize, sql } from "./client.ts";
import { jobTransaction } from "./job-transaction.ts";

const asJob = <Result>(work: () => Result) => within({ job: "some-job" }, work);
const asRequest = <Result>(work: () => Result) => within({ requestId: "some-request" }, work);
const once = () => jobTransaction(async () => "done");

test("jobs leave connections to requests, however many of them have something to store", async () => {
  const mayEnd = Promise.withResolvers<void>();
  let begun = 0;
  const jobs = Array.from({ length: 3 * poolSize }, () =>
    asJob(() =>
      jobTransaction(async () => {
        begun += 1;
        await mayEnd.promise;
      }),
    ),
  );
  await expect.poll(() => begun).toBe(Math.floor(poolSize * 0.4));
  expect(await Promise.all(Array.from({ length: 5 }, () => asRequest(once)))).toEqual(Array(5).fill("done"));
  expect(begun).toBe(Math.floor(poolSize * 0.4));
  mayEnd.resolve();
  await Promise.all(jobs);
  expect(begun).toBe(3 * poolSize);
});

test("a job's begins once a request has been answered, and a request's at once", async () => {
  const answered = beginRequest();
  const order: string[] = [];
  const job = asJob(once).then(() => order.push("job"));
  await asRequest(once).then(() => order.push("request"));
  answered();
  await job;
  expect(order).toEqual(["request", "job"]);
});

test("one that fails makes room for the next, and one within another is part of it", async () => {
  const failing = Array.from({ length: poolSize }, () =>
    asJob(() =>
      jobTransaction(async () => {
        throw new Error("could not be stored");
      }),
    ),
  );
  expect((await Promise.allSettled(failing)).map(({ status }) => status)).toEqual(
    Array(poolSize).fill("rejected"),
  );
  const nested = () => jobTransaction(() => jobTransaction(() => jobTransaction(once)));
  const all = Array.from({ length: poolSize }, () => asJob(nested));
  expect(await Promise.all(all)).toEqual(Array(poolSize).fill("done"));
  const [row] = await sql`select count(*)::int as count from pg_stat_activity
    where datname = current_database() and state like 'idle in transaction%'`;
  expect(row).toEqual({ count: 0 });
});

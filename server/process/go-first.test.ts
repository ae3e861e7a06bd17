import { EventEmitter } from "node:events";
import type { ServerResponse } from "node:http";
import { expect, test } from "vitest";
import { sql } from "../db/client.ts";
import { afterRequests } from "../requests-first.ts";
import { findDoor } from "./doors.ts";
import { goFirst } from "./go-first.ts";

const aResponse = () => new EventEmitter() as ServerResponse;
const automatic = ["/svc/api/inngest", "/svc/api/metrics", "/metrics"];

test("jobs go on while something is called that nobody waits for, and other processes are not told", async () => {
  const heard: string[] = [];
  const { unlisten } = await sql.listen("plumbline_requests", (sender) => heard.push(sender));
  for (const path of automatic) goFirst(findDoor(path), aResponse());
  expect(afterRequests()).toBeUndefined();
  await sql.notify("plumbline_requests", "the end");
  await expect.poll(() => heard).toEqual(["the end"]);

  const response = aResponse();
  goFirst(findDoor("/svc/api/projects"), response);
  response.emit("close");
  await expect.poll(() => heard).toHaveLength(2);
  await unlisten();
});

test.each(["/svc/api/projects", "/svc/trpc/projects.list", "/svc/mcp", "/control-tower"])(
  "jobs wait until the response to %s has ended",
  async (path) => {
    const response = aResponse();
    goFirst(findDoor(path), response);
    const wait = afterRequests();
    expect(wait).toBeInstanceOf(Promise);
    response.emit("close");
    await wait;
    expect(afterRequests()).toBeUndefined();
  },
);

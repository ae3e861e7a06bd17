import { fork } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { db } from "../db/client.ts";
import { aUser, cookieOf } from "../test/factories/sessions.ts";
import { aHubServer, anAcceptedSocket, aSignedInSocket, userAuth } from "../test/hub-server.ts";
import { programEnv } from "../test/program-env.ts";
import { sendToUsers } from "./service.ts";

/** Another process on the same database. */
async function aProcess() {
  const child = fork(join(import.meta.dirname, "hub-process.fixture.ts"), {
    execArgv: [],
    env: { ...process.env, ...programEnv },
  });
  onTestFinished(() => void child.kill("SIGKILL"));
  const [port] = (await once(child, "message")) as [number];
  return { child, port };
}

test("an event reaches its users in any process; SIGTERM sends them to another", async () => {
  const here = await aHubServer();
  const { child, port } = await aProcess();
  const [user, other] = [await aUser(), await aUser()];
  const cookie = await cookieOf(user);
  const first = await aSignedInSocket(here.port, cookie);
  // Any process can sign for a socket of another.
  const second = await anAcceptedSocket(port);
  second.send("pusher:signin", await userAuth(here.port, second.socketId, cookie));
  await second.take("pusher:signin_success");
  const third = await anAcceptedSocket(port);
  third.send("pusher:signin", await userAuth(here.port, third.socketId, await cookieOf(other)));
  await third.take("pusher:signin_success");

  const event = {
    name: "JobStatusChanged",
    data: { kind: "Evaluation", id: 3, status: "Completed" },
  } as const;
  await sendToUsers(db, [user.id], event);
  const frames = await Promise.all([first.take(event.name), second.take(event.name)]);
  expect(frames.map(({ data }) => JSON.parse(String(data)))).toEqual([event.data, event.data]);
  third.send("pusher:ping", {});
  await third.take("pusher:pong");
  expect(third.frames).toEqual([]);

  const exited = once(child, "exit");
  child.kill("SIGTERM");
  expect((await second.closed).code).toBe(4200);
  expect((await third.closed).code).toBe(4200);
  expect(await exited).toEqual([0, null]);
});

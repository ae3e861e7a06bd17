import Pusher from "pusher";
import { expect, test } from "vitest";
import { db } from "../db/client.ts";
import { aUser, cookieOf } from "../test/factories/sessions.ts";
import { aHubServer, aListener } from "../test/hub-server.ts";
import { ownCredentials } from "./credentials.ts";
import { sendToUsers } from "./service.ts";

test("an event reaches everything that its users have open, and nobody else", async () => {
  const { port } = await aHubServer();
  const [reviewer, requester, third] = [await aUser(), await aUser("Editor"), await aUser()];
  const tabs = await Promise.all(
    [reviewer, reviewer, requester].map(async (u) => aListener(port, await cookieOf(u))),
  );
  const other = await aListener(port, await cookieOf(third));
  const arrived = tabs.map((tab) => tab.next());
  const event = { name: "ApprovalUpdated", data: { approvalId: 7, status: "approved" } } as const;
  await sendToUsers(db, [reviewer.id, requester.id, reviewer.id], event);
  expect(await Promise.all(arrived)).toEqual([event, event, event]);

  // What is sent to the third afterwards is the first that it hears of anything.
  const own = other.next();
  await sendToUsers(db, [third.id], { name: "NotificationCreated", data: { id: 1 } });
  await own;
  expect(other.heard).toEqual([{ name: "NotificationCreated", data: { id: 1 } }]);
  expect(tabs.map((tab) => tab.heard)).toEqual([[event], [event], [event]]);
});

test("the official SDK publishes", async () => {
  const { port } = await aHubServer();
  const user = await aUser();
  const listener = await aListener(port, await cookieOf(user));
  const publisher = new Pusher({ ...ownCredentials(), host: `127.0.0.1:${port}/svc/api/hub` });
  const next = listener.next();
  await publisher.sendToUser(String(user.id), "greeting", { text: "hello" });
  expect(await next).toEqual({ name: "greeting", data: { text: "hello" } });
});

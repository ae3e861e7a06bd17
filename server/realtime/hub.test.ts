import { eq } from "drizzle-orm";
import { describe, expect, test } from "vitest";
import { users } from "../auth/tables.ts";
import { db, sql } from "../db/client.ts";
import { elsewhere } from "../test/elsewhere.ts";
import { aUser, cookieOf, endSessionsOf } from "../test/factories/sessions.ts";
import {
  aClient,
  aHubServer,
  aListener,
  anAcceptedSocket,
  aSignedInSocket,
  aSocket,
  hubAddress,
  nextEvent,
  signedIn,
  userAuth,
} from "../test/hub-server.ts";
import { rest } from "../test/rest-client.ts";
import { sendToUsers } from "./service.ts";

const approved = { name: "ApprovalUpdated", data: { approvalId: 7, status: "approved" } } as const;
const created = (id: number) => ({ name: "NotificationCreated", data: { id } }) as const;

async function aPerson() {
  const user = await aUser();
  return { ...user, cookie: await cookieOf(user) };
}

describe("recipients of an event", () => {
  test("are all open connections of its users, and nobody else", async () => {
    const { port } = await aHubServer();
    const [reviewer, requester, third] = [await aPerson(), await aPerson(), await aPerson()];
    const tabs = await Promise.all([reviewer, reviewer, requester].map((u) => aListener(port, u.cookie)));
    const other = await aListener(port, third.cookie);
    const stranger = await anAcceptedSocket(port);
    const arrived = tabs.map((tab) => tab.next());
    await sendToUsers(db, [reviewer.id, requester.id, reviewer.id], approved);
    expect(await Promise.all(arrived)).toEqual([approved, approved, approved]);

    // The third user's first message is the one sent next.
    const own = other.next();
    await sendToUsers(db, [third.id], created(1));
    await own;
    expect(other.heard).toEqual([created(1)]);
    expect(tabs.map((tab) => tab.heard)).toEqual([[approved], [approved], [approved]]);
    stranger.send("pusher:ping", {});
    await stranger.take("pusher:pong");
    expect(stranger.frames).toEqual([]);
  });

  test("receive it when the transaction commits, and not on rollback", async () => {
    const { port } = await aHubServer();
    const user = await aPerson();
    const listener = await aListener(port, user.cookie);
    const refused = db.transaction(async (tx) => {
      await sendToUsers(tx, [user.id], created(1));
      throw new Error("Something else went wrong");
    });
    await expect(refused).rejects.toThrow("Something else");
    let next = listener.next();
    await db.transaction(async (tx) => {
      await sendToUsers(tx, [user.id], created(2));
      await elsewhere(() => sendToUsers(db, [user.id], created(3)));
      await next;
      next = listener.next();
    });
    await next;
    expect(listener.heard).toEqual([created(3), created(2)]);
  });

  test("may be empty; an invalid event is rejected before it is sent", async () => {
    await sendToUsers(db, [], approved);
    const made = { name: "ApprovalUpdated", data: { approvalId: 7, status: "approved", sql: "select 1" } };
    await expect(sendToUsers(db, [1], made as typeof approved)).rejects.toThrow(/sql/);
  });

  test("can be two hundred connections at once, of more users than fit into one message", async () => {
    const { port, hub } = await aHubServer();
    const people = await Promise.all(Array.from({ length: 100 }, aPerson));
    const sockets = await Promise.all(
      [...people, ...people].map((person) => aSignedInSocket(port, person.cookie)),
    );
    expect(hub.size()).toBe(200);
    const nobodies = Array.from({ length: 150 }, (_, index) => 1_000_000 + index);
    await sendToUsers(db, [...nobodies, ...people.map(({ id }) => id)], approved);
    const frames = await Promise.all(sockets.map((socket) => socket.take("ApprovalUpdated")));
    expect(frames.map(({ channel }) => channel)).toEqual(
      [...people, ...people].map(({ id }) => `#server-to-user-${id}`),
    );
    expect(new Set(frames.map(({ data }) => data))).toEqual(new Set([JSON.stringify(approved.data)]));
  });
});

describe("accepting connections", () => {
  test.each([
    ["the key of another app", hubAddress("0123456789abcdef0123"), 4001],
    ["a key that goes on", `${hubAddress(undefined, "")}/x?protocol=7`, 4001],
    ["no version", hubAddress(undefined, ""), 4008],
    ["a version that is none", hubAddress(undefined, "?protocol=seven"), 4006],
    ["an older version", hubAddress(undefined, "?protocol=6"), 4007],
    ["a newer version", hubAddress(undefined, "?protocol=8"), 4007],
  ])("%s is rejected with the reason", async (_, path, code) => {
    const { port, hub } = await aHubServer();
    const { take, closed } = await aSocket(port, { path });
    expect(await take("pusher:error")).toMatchObject({ data: { code, message: expect.any(String) } });
    expect((await closed).code).toBe(code);
    expect(hub.size()).toBe(0);
  });

  test("a page of another origin is rejected, a page of this one and a program are accepted", async () => {
    const { port } = await aHubServer();
    const answerTo = (origin: string | undefined, path = hubAddress()) =>
      new Promise((resolve) => {
        void aSocket(port, { path, ...(origin && { headers: { origin } }) }).then(({ socket }) => {
          socket.on("open", () => resolve(101));
          socket.on("unexpected-response", (_, { statusCode }) => resolve(statusCode));
        });
      });
    expect(await answerTo("https://evil.example")).toBe(403);
    expect(await answerTo("null")).toBe(403);
    expect(await answerTo(`http://127.0.0.1:${port}`)).toBe(101);
    expect(await answerTo("http://localhost:3000")).toBe(101);
    expect(await answerTo(undefined)).toBe(101);
    expect(await answerTo(undefined, "/svc/api/hub")).toBe(404);
    expect(await answerTo(undefined, "/_next/webpack-hmr")).toBe(404);
  });

  test("clients that do not sign in are disconnected", async () => {
    const { port } = await aHubServer({ signInMs: 50, sweepMs: 10 });
    const { closed } = await anAcceptedSocket(port);
    expect((await closed).code).toBe(4009);
  });

  test("too many unauthenticated clients of one address have to wait until some have signed in", async () => {
    const { port } = await aHubServer({ strangersOfCaller: 2 });
    const first = await anAcceptedSocket(port);
    await anAcceptedSocket(port);
    const { closed } = await aSocket(port);
    expect((await closed).code).toBe(4100);
    first.send("pusher:signin", await userAuth(port, first.socketId, (await aPerson()).cookie));
    await first.take("pusher:signin_success");
    await anAcceptedSocket(port);
  });

  test("the connections of a user are limited; disconnecting makes room", async () => {
    const { port } = await aHubServer({ connectionsOfUser: 2 });
    const { cookie } = await aPerson();
    const first = await aSignedInSocket(port, cookie);
    await aSignedInSocket(port, cookie);
    const third = await anAcceptedSocket(port);
    third.send("pusher:signin", await userAuth(port, third.socketId, cookie));
    expect((await third.closed).code).toBe(4004);
    first.socket.close();
    await first.closed;
    await aSignedInSocket(port, cookie);
  });

  test("a full hub rejects further clients", async () => {
    const { port } = await aHubServer({ connections: 1 });
    await anAcceptedSocket(port);
    const { closed } = await aSocket(port);
    expect((await closed).code).toBe(4100);
  });
});

describe("signing in", () => {
  test("a signature for another socket, altered, or made up is rejected", async () => {
    const { port } = await aHubServer();
    const { cookie, id } = await aPerson();
    const other = await anAcceptedSocket(port);
    const forOther = await userAuth(port, other.socketId, cookie);
    const attempts: ((socketId: string) => Promise<unknown> | unknown)[] = [
      () => forOther,
      async (socketId) => {
        const signed = await userAuth(port, socketId, cookie);
        return { ...signed, user_data: signed.user_data.replace(`"${id}"`, `"${id + 1}"`) };
      },
      async (socketId) => {
        const signed = await userAuth(port, socketId, cookie);
        return { ...signed, auth: signed.auth.replace(/.$/, (last) => (last === "0" ? "1" : "0")) };
      },
      () => ({ auth: "", user_data: "" }),
      () => ({ auth: `x:${"é".repeat(64)}`, user_data: `{"id":"${id}"}` }),
      () => ({ user_data: `{"id":"${id}"}` }),
      () => null,
    ];
    for (const attempt of attempts) {
      const { socketId, send, closed } = await anAcceptedSocket(port);
      send("pusher:signin", await attempt(socketId));
      expect((await closed).code).toBe(4009);
    }
    // The socket that it was signed for can use it.
    other.send("pusher:signin", forOther);
    await other.take("pusher:signin_success");
  });

  test("is possible once per connection", async () => {
    const { port } = await aHubServer();
    const { cookie } = await aPerson();
    const { socketId, send, take } = await aSignedInSocket(port, cookie);
    send("pusher:signin", await userAuth(port, socketId, (await aPerson()).cookie));
    expect(await take("pusher:error")).toMatchObject({ data: { code: null } });
  });

  test("a session that has ended since signing is invalid", async () => {
    const { port } = await aHubServer();
    const user = await aPerson();
    const { socketId, send, closed } = await anAcceptedSocket(port);
    const signed = await userAuth(port, socketId, user.cookie);
    await endSessionsOf(user);
    send("pusher:signin", signed);
    expect((await closed).code).toBe(4009);
  });
});

describe("client messages", () => {
  test("pings are answered, and unknown messages only cause an error", async () => {
    const { port } = await aHubServer();
    const { socket, send, take } = await anAcceptedSocket(port);
    const nonsense = ["", "{", "[]", "7", "null", '{"event":7}', '{"data":{}}', "\u0000"];
    for (const text of nonsense) {
      socket.send(text);
      expect(await take("pusher:error"), text).toMatchObject({ data: { code: null } });
    }
    socket.send(Buffer.from('{"event":"pusher:ping"}'), { binary: true });
    expect(await take("pusher:error")).toMatchObject({ data: { code: null } });
    send("made-up", {});
    expect(await take("pusher:error")).toMatchObject({ data: { code: null } });
    send("pusher:subscribe", {});
    expect(await take("pusher:error")).toMatchObject({ data: { code: null } });
    send("client-hello", { channel: "#server-to-user-1" });
    expect(await take("pusher:error")).toMatchObject({ data: { code: 4301 } });
    send("pusher:ping", {});
    await take("pusher:pong");
  });

  test("only the user's own channel can be subscribed to, after signing in", async () => {
    const { port } = await aHubServer();
    const { cookie, id } = await aPerson();
    const own = `#server-to-user-${id}`;
    const stranger = await anAcceptedSocket(port);
    const person = await aSignedInSocket(port, cookie);
    const refused = [`#server-to-user-${id + 1}`, "approvals", `private-user-${id}`, `presence-user-${id}`];
    for (const [socket, channels] of [
      [stranger, [own, ...refused]],
      [person, [...refused, `${own} `, ""]],
    ] as const)
      for (const channel of channels) {
        socket.send("pusher:subscribe", { channel, auth: "made:up" });
        expect(await socket.take("pusher:subscription_error")).toMatchObject({
          channel,
          data: { type: "AuthError", status: 403 },
        });
      }
    person.send("pusher:subscribe", { channel: own });
    expect(await person.take("pusher_internal:subscription_succeeded")).toMatchObject({ channel: own });
  });

  test("pusher-js is told that a channel is rejected", async () => {
    const { port } = await aHubServer();
    const pusher = await aClient(port, null);
    const refusal = await new Promise((resolve) => {
      pusher.subscribe("approvals").bind("pusher:subscription_error", resolve);
    });
    expect(refusal).toMatchObject({ type: "AuthError", status: 403 });
  });

  test("a flood or an oversized frame ends its own connection only", async () => {
    const { port } = await aHubServer({ messageBurst: 10, messagesPerSecond: 0 });
    const quiet = await anAcceptedSocket(port);
    const loud = await anAcceptedSocket(port);
    for (let count = 0; count < 11; count += 1) loud.send("pusher:ping", {});
    expect((await loud.closed).code).toBe(4301);
    const pinging = await anAcceptedSocket(port);
    for (let count = 0; count < 11; count += 1) pinging.socket.ping();
    expect((await pinging.closed).code).toBe(4301);
    const large = await anAcceptedSocket(port);
    large.send("pusher:ping", "x".repeat(20_000));
    expect((await large.closed).code).toBe(1009);
    quiet.send("pusher:ping", {});
    await quiet.take("pusher:pong");
  });
});

describe("disconnecting", () => {
  test("an idle client that does not respond; one that responds stays", async () => {
    const { port, hub } = await aHubServer({ activityMs: 50, sweepMs: 10, pongMs: 50 });
    const { cookie } = await aPerson();
    const silent = await aSignedInSocket(port, cookie);
    const polite = await aSignedInSocket(port, cookie);
    polite.socket.on("message", (data) => {
      if (String(data).includes("pusher:ping")) polite.send("pusher:pong", {});
    });
    expect((await silent.closed).code).toBe(4201);
    await silent.take("pusher:ping");
    await polite.take("pusher:ping");
    await polite.take("pusher:ping");
    expect(hub.size()).toBe(1);
  });

  test("a user who was disabled or whose sessions have ended, at the next check", async () => {
    const { port } = await aHubServer({ sessionsMs: 20 });
    const [disabled, changed, other] = [await aPerson(), await aPerson(), await aPerson()];
    const [first, second, third] = await Promise.all(
      [disabled, changed, other].map(({ cookie }) => aSignedInSocket(port, cookie)),
    );
    await db.update(users).set({ enabled: false }).where(eq(users.id, disabled.id));
    expect((await first?.closed)?.code).toBe(4009);
    await endSessionsOf(changed);
    expect((await second?.closed)?.code).toBe(4009);
    await sendToUsers(db, [other.id], approved);
    await third?.take("ApprovalUpdated");
  });

  test("but nobody who signs in during the check", async () => {
    const { port } = await aHubServer({ sessionsMs: 1 });
    const people = await Promise.all(Array.from({ length: 30 }, aPerson));
    const sockets = await Promise.all(people.map(({ cookie }) => aSignedInSocket(port, cookie)));
    await sendToUsers(
      db,
      people.map(({ id }) => id),
      approved,
    );
    const ends = sockets.map(({ take, closed }) =>
      Promise.race([take("ApprovalUpdated").then(() => "told"), closed.then(({ code }) => code)]),
    );
    expect(await Promise.all(ends)).toEqual(people.map(() => "told"));
  });

  test("an expired session, at the next check", async () => {
    const { port } = await aHubServer({ sessionsMs: 20 });
    const user = await aPerson();
    const { closed } = await aSignedInSocket(port, user.cookie);
    await sql`update sessions set last_used_at = now() - interval '1000 hours' where user_id = ${user.id}`;
    expect((await closed).code).toBe(4009);
  });

  test("the connections of a session immediately when it is ended, and no others", async () => {
    const { port } = await aHubServer();
    const user = await aPerson();
    const [tab, otherTab] = await Promise.all([1, 2].map(() => aSignedInSocket(port, user.cookie)));
    const elsewhere = await aSignedInSocket(port, await cookieOf(user));
    const { body } = await rest("GET", "/auth/sessions", { cookie: user.cookie });
    const { id } = body.items.find(({ isCurrent }: { isCurrent: boolean }) => isCurrent);
    await rest("POST", `/auth/sessions/${id}/revoke`, { cookie: user.cookie, json: {} });
    expect((await tab?.closed)?.code).toBe(4009);
    expect((await otherTab?.closed)?.code).toBe(4009);
    await sendToUsers(db, [user.id], approved);
    await elsewhere.take("ApprovalUpdated");
  });

  test("a slow reader, so that its buffer does not grow; others are not affected", async () => {
    const { port, hub } = await aHubServer({ unread: 64 * 1024 });
    const user = await aPerson();
    const slow = await aSignedInSocket(port, user.cookie);
    const reader = await aSignedInSocket(port, user.cookie);
    slow.socket.pause();
    const data = "x".repeat(7_000);
    let count = 0;
    // The kernel buffers a few megabytes before anything queues here.
    while (hub.size() === 2 && count < 5_000) {
      await sql`select pg_notify('plumbline_hub', ${JSON.stringify({ users: [user.id], name: "large", data })})`;
      await reader.take("large");
      count += 1;
    }
    expect(hub.size()).toBe(1);
  });
});

describe("reconnecting", () => {
  test("a hub that stops disconnects everyone, and pusher-js finds the next one", async () => {
    const { port, stop } = await aHubServer();
    const user = await aPerson();
    const raw = await aSignedInSocket(port, user.cookie);
    const { pusher, heard } = await aListener(port, user.cookie);
    await stop();
    expect((await raw.closed).code).toBe(4200);
    // Missed: events are not stored.
    await sendToUsers(db, [user.id], created(1));

    await aHubServer({}, port);
    pusher.disconnect();
    pusher.connect();
    await signedIn(pusher);
    const next = nextEvent(pusher);
    await sendToUsers(db, [user.id], created(2));
    await next;
    expect(heard).toEqual([created(2)]);
  });

  test("a hub that lost its database connection makes everyone reconnect", async () => {
    const { port } = await aHubServer();
    const user = await aPerson();
    const { closed } = await aSignedInSocket(port, user.cookie);
    const { pusher } = await aListener(port, user.cookie);
    const again = signedIn(pusher);
    await sql`
      select pg_terminate_backend(pid) from pg_stat_activity
      where datname = current_database() and query ilike 'listen%' and pid <> pg_backend_pid()`;
    expect((await closed).code).toBe(4200);
    await again;
    const next = nextEvent(pusher);
    await sendToUsers(db, [user.id], approved);
    expect(await next).toEqual(approved);
  });
});

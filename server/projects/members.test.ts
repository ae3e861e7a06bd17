import { eq } from "drizzle-orm";
import { beforeAll, beforeEach, describe, expect, test } from "vitest";
import { isUserWith } from "../auth/service/people.ts";
import { users } from "../auth/tables.ts";
import { db } from "../db/client.ts";
import { enqueueNotification } from "../notifications/service/enqueue.ts";
import { deliveries } from "../notifications/tables.ts";
import { sendInProject } from "../realtime/service.ts";
import { listAssignees } from "../tasks/service/tasks.ts";
import { aKey } from "../test/factories/api-keys.ts";
import { aProject } from "../test/factories/data-sources.ts";
import { asAdmin, asEditor } from "../test/factories/principals.ts";
import { aMember, aUser, cookieOf } from "../test/factories/sessions.ts";
import { aHubServer, aListener, aSignedInSocket } from "../test/hub-server.ts";
import { rest } from "../test/rest-client.ts";

let sales: { id: number };
let hr: { id: number };
let cookie: string;

beforeAll(async () => {
  [sales, hr] = [await aProject({ name: "Sales" }), await aProject({ name: "HR" })];
});
beforeEach(async () => {
  cookie = await cookieOf(await aUser("Admin"));
});

const put = (id: number, json: object) =>
  rest("PUT", `/users/${id}`, { cookie, json: { name: "Ada", ...json } });
const password = "a long enough password";
let count = 0;
const anAddress = () => {
  count += 1;
  return `limited-${count}@example.com`;
};

describe("a user", () => {
  test("can be created for some projects, and shows the highest role", async () => {
    const projectRoles = [
      { projectId: sales.id, role: "Viewer" },
      { projectId: hr.id, role: "Editor" },
    ];
    const json = { name: "Ada", email: anAddress(), password, projectRoles };
    const { status, body } = await rest("POST", "/users", { cookie, json });
    expect([status, body.role, body.projectRoles]).toEqual([201, "Editor", projectRoles]);
    const [stored] = await db.select().from(users).where(eq(users.id, body.id));
    // Code that overlooks the limit finds the lowest role.
    expect(stored).toMatchObject({ role: "Viewer", limitedToProjects: true });
  });

  test("goes from all projects to some, to none, and back", async () => {
    const { id } = await aUser("Editor");
    const one = [{ projectId: sales.id, role: "Admin" }];
    expect((await put(id, { projectRoles: one })).body).toMatchObject({ role: "Admin", projectRoles: one });
    expect((await put(id, { projectRoles: [] })).body).toMatchObject({ role: "Viewer", projectRoles: [] });
    const own = await cookieOf({ id });
    expect((await rest("GET", "/projects", { cookie: own })).body.items).toEqual([]);
    expect((await rest("GET", "/auth/me", { cookie: own })).body).toMatchObject({
      ...{ role: "Viewer", projectIds: [], projectRoles: [] },
    });
    const back = await put(id, { role: "Editor", projectRoles: null });
    expect(back.body).toMatchObject({ role: "Editor", projectRoles: null });
  });

  test("does not lose the limit to a client that does not know of it", async () => {
    const { id } = await aMember({ projectId: sales.id, role: "Viewer" });
    const { status, body } = await put(id, { role: "Viewer" });
    expect([status, body.errors[0].path]).toEqual([400, "projectRoles"]);
    expect((await put(id, { projectRoles: [{ projectId: sales.id, role: "Viewer" }] })).status).toBe(200);
  });

  test.each<[string, object, number, string?]>([
    ["neither role nor projects", {}, 400, "role"],
    ["both", { role: "Editor", projectRoles: [] }, 400, "role"],
    ["a project twice", { projectRoles: [1, 1].map((projectId) => ({ projectId, role: "Viewer" })) }, 400],
    ["a role that does not exist", { projectRoles: [{ projectId: 1, role: "Owner" }] }, 400],
    ["an unknown project", { projectRoles: [{ projectId: 2_000_000_000, role: "Viewer" }] }, 404],
    ["IDs only", { projectRoles: [1] }, 400],
  ])("cannot have %s", async (_, access, expected, path) => {
    const { id } = await aUser("Editor");
    const { status, body } = await put(id, access);
    expect(status).toBe(expected);
    if (path) expect(body.errors[0].path).toBe(path);
    expect((await put(id, { role: "Editor" })).body.projectRoles).toBeNull();
  });

  test("who is the last Admin cannot be limited", async () => {
    await db.update(users).set({ enabled: false }).where(eq(users.role, "Admin"));
    const last = await aUser("Admin");
    const own = await cookieOf(last);
    const json = { name: "Ada", projectRoles: [{ projectId: sales.id, role: "Admin" }] };
    expect((await rest("PUT", `/users/${last.id}`, { cookie: own, json })).status).toBe(409);
  });

  test("cannot be made an Admin of a project by a key", async () => {
    const key = await aKey({}, await asAdmin());
    const { id } = await aMember({ projectId: sales.id, role: "Editor" });
    const admin = [{ projectId: sales.id, role: "Admin" }];
    const calls: [string, string, object][] = [
      ["PUT", `/users/${id}`, { name: "Ada", projectRoles: admin }],
      ["PUT", `/projects/${sales.id}/members/${id}`, { role: "Admin" }],
      ["POST", "/users", { name: "Ada", email: anAddress(), password, projectRoles: admin }],
    ];
    for (const [method, path, json] of calls)
      expect((await rest(method, path, { ...key, json })).status, path).toBe(403);
    const editor = await rest("PUT", `/projects/${hr.id}/members/${id}`, {
      ...key,
      json: { role: "Editor" },
    });
    expect(editor.status).toBe(200);
  });
});

describe("a project's members", () => {
  const path = (id: number) => `/projects/${sales.id}/members/${id}`;

  test("are added, changed, and removed, and listed beside those with access to everything", async () => {
    const member = await aMember();
    const everywhere = await aUser("Editor");
    const set = (role: string) => rest("PUT", path(member.id), { cookie, json: { role } });
    expect((await set("Viewer")).status).toBe(200);
    expect((await set("Editor")).body).toEqual({
      ...{
        user: { id: member.id, name: member.name },
        kind: "Person",
        role: "Editor",
        isMember: true,
        managedBy: null,
      },
    });
    const own = await cookieOf(member);
    const { body } = await rest("GET", `/projects/${sales.id}/members`, { cookie: own });
    const found = (id: number) => body.items.find((each: { user: { id: number } }) => each.user.id === id);
    expect(found(member.id)).toMatchObject({ role: "Editor", isMember: true });
    expect(found(everywhere.id)).toMatchObject({ role: "Editor", isMember: false });
    expect((await rest("GET", `/projects/${hr.id}/members`, { cookie: own })).status).toBe(404);

    expect((await rest("DELETE", path(member.id), { cookie })).status).toBe(204);
    expect((await rest("DELETE", path(member.id), { cookie })).status).toBe(404);
    expect((await rest("GET", `/projects/${sales.id}`, { cookie: own })).status).toBe(404);
  });

  test("are only people who are limited to projects", async () => {
    const { id } = await aUser("Viewer");
    expect((await rest("PUT", path(id), { cookie, json: { role: "Editor" } })).status).toBe(409);
  });

  test("go with the project; the person stays limited", async () => {
    const gone = await aProject({ name: "Short" });
    const member = await aMember({ projectId: gone.id, role: "Admin" });
    const own = await cookieOf(member);
    expect((await rest("DELETE", `/projects/${gone.id}`, { cookie: own })).status).toBe(204);
    expect((await rest("GET", "/projects", { cookie: own })).body.items).toEqual([]);
  });
});

describe("what happens in a project", () => {
  test("is told only to those who see it", async () => {
    const [inside, outside, everywhere] = [
      await aMember({ projectId: sales.id, role: "Viewer" }),
      await aMember({ projectId: hr.id, role: "Admin" }),
      await aUser("Viewer"),
    ];
    const id = await db.transaction((tx) =>
      enqueueNotification(tx, {
        projectId: sales.id,
        cause: { kind: "Task", id: 1 },
        content: { title: "A task", tone: "Info", summary: "", facts: [] },
        userIds: [inside.id, outside.id, everywhere.id],
      }),
    );
    const told = await db
      .select()
      .from(deliveries)
      .where(eq(deliveries.notificationId, id ?? 0));
    expect(told.map(({ userId }) => userId).sort()).toEqual([inside.id, everywhere.id].sort());
  });

  test("reaches the hub connections of those who see it, and of nobody else", async () => {
    const { port } = await aHubServer();
    const people = [
      await aMember({ projectId: sales.id, role: "Viewer" }),
      await aMember({ projectId: hr.id, role: "Admin" }),
    ];
    const [inside, outside] = await Promise.all(
      people.map(async (one) => aListener(port, await cookieOf(one))),
    );
    const ids = people.map(({ id }) => id);
    const event = (id: number) => ({ name: "NotificationCreated", data: { id } }) as const;
    const arrived = inside?.next();
    await sendInProject(db, sales.id, ids, event(1));
    expect(await arrived).toEqual(event(1));
    const last = outside?.next();
    await sendInProject(db, hr.id, ids, event(2));
    await last;
    expect([inside?.heard, outside?.heard]).toEqual([[event(1)], [event(2)]]);
  });

  test("a change of projects has open pages connect again, and reload", async () => {
    const { port } = await aHubServer();
    const member = await aMember({ projectId: sales.id, role: "Viewer" });
    const socket = await aSignedInSocket(port, await cookieOf(member));
    await rest("DELETE", `/projects/${sales.id}/members/${member.id}`, { cookie });
    expect(await socket.closed).toMatchObject({ code: 4200 });
  });
});

test("work is given to people who may do it in a project that the caller sees", async () => {
  const colleague = await aMember({ projectId: sales.id, role: "Editor" });
  const viewer = await aMember({ projectId: sales.id, role: "Viewer" });
  const stranger = await aMember({ projectId: hr.id, role: "Editor" });
  const seenBy = async (projectIds: number[] | null) => {
    const ids = (await listAssignees(await asEditor({ projectIds }))).items.map(({ id }) => id);
    return [colleague, viewer, stranger].map(({ id }) => ids.includes(id));
  };
  expect(await seenBy([sales.id])).toEqual([true, false, false]);
  expect(await seenBy(null)).toEqual([true, false, true]);
  const may = (id: number, projectId: number) => isUserWith("tasks:work", id, projectId);
  expect(await may(colleague.id, sales.id)).toBe(true);
  expect(await may(colleague.id, hr.id)).toBe(false);
  expect(await may(viewer.id, sales.id)).toBe(false);
});

import { beforeAll, describe, expect, test } from "vitest";
import { updateActorInput } from "../actors/schema.ts";
import { getActor, listActorEdits, updateActor } from "../actors/service/actors.ts";
import type { SignedIn } from "../auth/principal.ts";
import { listUsers, updateUser } from "../auth/service/users.ts";
import { updateDataSourceInput } from "../data-sources/schema.ts";
import { updateDataSource } from "../data-sources/service/edit-data-sources.ts";
import { getDataSource } from "../data-sources/service/load-data-sources.ts";
import { db, sql } from "../db/client.ts";
import { createPolicyInput, updatePolicyInput } from "../incidents/schema.ts";
import { createPolicy, getPolicy, updatePolicy } from "../incidents/service/policies.ts";
import { createWindowInput, updateWindowInput } from "../maintenance/schema.ts";
import { createWindow, getWindow, updateWindow } from "../maintenance/service.ts";
import { getRecipient, updateRecipient } from "../notifications/service/recipients.ts";
import { getProject, updateProject } from "../projects/service.ts";
import { updateQueryInput } from "../queries/schema.ts";
import { createFolder, listFolders, updateFolder } from "../queries/service/folders.ts";
import { getQuery } from "../queries/service/queries.ts";
import { moveQuery, updateQuery } from "../queries/service/save-query.ts";
import { showSettings, updateSettings } from "../settings/service.ts";
import { anActor } from "../test/factories/actors.ts";
import { aDataSource, aProject, ownConnection } from "../test/factories/data-sources.ts";
import { aRecipient } from "../test/factories/notifications.ts";
import { asAdmin, asEditor } from "../test/factories/principals.ts";
import { aQuery } from "../test/factories/queries.ts";
import { aUser } from "../test/factories/sessions.ts";
import type { EditedKind } from "./schema.ts";
import { listEdits } from "./service.ts";

/** Of everything with revisions: whoever saves from an older one is told who changed what since, and nothing is lost. */

let anna: SignedIn;
let ben: SignedIn;

beforeAll(async () => {
  anna = await asAdmin();
  ben = await asEditor();
});

const nightly = { cronExpression: "0 2 * * *", durationMinutes: 60 };

type Thing = {
  kind: Exclude<EditedKind, "Contract" | "Subscription">;
  word: string;
  make(): Promise<{ id: number }>;
  revisionOf(id: number): Promise<number>;
  /** Renames it. */
  save(
    by: SignedIn,
    id: number,
    name: string,
    baseRevision?: number,
  ): Promise<{ revision: number; name: string }>;
};

const things: Thing[] = [
  {
    ...{ kind: "Actor", word: "actor" },
    make: () => anActor({}, anna),
    revisionOf: async (id) => (await getActor(anna, id)).revision,
    save: async (by, id, name, baseRevision) => {
      const { instructions } = await getActor(anna, id);
      return updateActor(
        by,
        updateActorInput.parse({ id, name, instructions, activateImmediately: false, baseRevision }),
      );
    },
  },
  {
    ...{ kind: "Recipient", word: "recipient" },
    make: () => aRecipient(),
    revisionOf: async (id) => (await getRecipient(anna, id)).revision,
    save: async (by, id, name, baseRevision) => {
      const { type, destination } = await getRecipient(anna, id);
      return updateRecipient(by, { id, name, type, destination, baseRevision });
    },
  },
  {
    ...{ kind: "DataSource", word: "data source" },
    make: () => aDataSource(),
    revisionOf: async (id) => (await getDataSource(anna, id)).revision,
    save: (by, id, name, baseRevision) =>
      updateDataSource(
        by,
        updateDataSourceInput.parse({
          id,
          name,
          connection: { ...ownConnection(), password: undefined },
          baseRevision,
        }),
      ),
  },
  {
    ...{ kind: "Project", word: "project" },
    make: () => aProject(),
    revisionOf: async (id) => (await getProject(anna, id)).revision,
    save: (by, id, name, baseRevision) => updateProject(by, { id, name, baseRevision }),
  },
  {
    ...{ kind: "Query", word: "query" },
    make: () => aQuery({}, anna),
    revisionOf: async (id) => (await getQuery(anna, id)).revision,
    save: async (by, id, name, baseRevision) => {
      const { steps } = await getQuery(anna, id);
      const writes = steps.map(({ order: _, ...step }) => step);
      return updateQuery(by, updateQueryInput.parse({ id, name, steps: writes, baseRevision }));
    },
  },
  {
    ...{ kind: "Folder", word: "folder" },
    make: async () => createFolder(anna, { projectId: (await aProject()).id, name: "Checks" }),
    revisionOf: async (id) => (await listFolders(anna)).items.find((each) => each.id === id)?.revision ?? 0,
    save: (by, id, name, baseRevision) => updateFolder(by, { id, name, baseRevision }),
  },
  {
    ...{ kind: "IncidentPolicy", word: "incident policy" },
    make: async () => {
      const { id, projectId } = await aRecipient();
      return createPolicy(anna, createPolicyInput.parse({ projectId, name: "Nights", recipientIds: [id] }));
    },
    revisionOf: async (id) => (await getPolicy(anna, id)).revision,
    save: async (by, id, name, baseRevision) => {
      const { recipients } = await getPolicy(anna, id);
      const recipientIds = recipients.map((each) => each.id);
      return updatePolicy(by, updatePolicyInput.parse({ id, name, recipientIds, baseRevision }));
    },
  },
  {
    ...{ kind: "MaintenanceWindow", word: "maintenance window" },
    make: async () =>
      createWindow(
        anna,
        createWindowInput.parse({ projectId: (await aProject()).id, name: "Nights", ...nightly }),
      ),
    revisionOf: async (id) => (await getWindow(anna, id)).revision,
    save: (by, id, name, baseRevision) =>
      updateWindow(by, updateWindowInput.parse({ id, name, ...nightly, baseRevision })),
  },
];

describe.each(things)("$word", ({ kind, word, make, revisionOf, save }) => {
  test("of two edits from the same revision the second is refused, with who changed what", async () => {
    const { id } = await make();
    const began = await revisionOf(id);
    expect((await save(anna, id, "By Anna", began)).revision).toBe(began + 1);
    await expect(save(ben, id, "By Ben", began)).rejects.toMatchObject({
      code: "conflict",
      message: expect.stringMatching(
        new RegExp(
          `^.+ changed name at .+ UTC\\. The ${word} is at revision ${began + 1}, but this edit is based on ${began}\\.$`,
        ),
      ),
      more: {
        members: { revision: began + 1, edits: [{ revision: began + 1, changes: [{ path: "name" }] }] },
      },
    });
    expect((await save(ben, id, "By Ben", began + 1)).name).toBe("By Ben");
  });

  test("without a revision it is saved as ever, and one that changes nothing is a revision too", async () => {
    const { id } = await make();
    const began = await revisionOf(id);
    await save(anna, id, "Same");
    await save(ben, id, "Same");
    expect(await revisionOf(id)).toBe(began + 2);
    const edits = await listEdits(db, { kind, id });
    expect(edits.map(({ changes }) => changes.length)).toEqual([1, 0]);
  });

  test("of two at the same moment one wins", async () => {
    const { id } = await make();
    const began = await revisionOf(id);
    const results = await Promise.allSettled([save(anna, id, "A", began), save(ben, id, "B", began)]);
    expect(results.map(({ status }) => status).sort()).toEqual(["fulfilled", "rejected"]);
    expect(await revisionOf(id)).toBe(began + 1);
  });
});

test("a policy's recipients are told apart from its columns", async () => {
  const first = await aRecipient();
  const { projectId } = first;
  const other = await aRecipient({ projectId });
  const made = await createPolicy(
    anna,
    createPolicyInput.parse({ projectId, name: "Nights", recipientIds: [first.id] }),
  );
  await updatePolicy(
    ben,
    updatePolicyInput.parse({ id: made.id, name: "Nights", recipientIds: [first.id, other.id] }),
  );
  const [edit] = await listEdits(db, { kind: "IncidentPolicy", id: made.id });
  expect(edit?.changes.map(({ path }) => path)).toEqual(["recipientIds"]);
});

test("a query that was moved has a new revision", async () => {
  const query = await aQuery({}, anna);
  const folder = await createFolder(anna, { projectId: query.projectId, name: "Moved" });
  await moveQuery(ben, { id: query.id, folderId: folder.id });
  const { steps } = await getQuery(anna, query.id);
  const write = updateQueryInput.parse({
    ...{ id: query.id, name: "By Anna", baseRevision: query.revision },
    steps: steps.map(({ order: _, ...step }) => step),
  });
  await expect(updateQuery(anna, write)).rejects.toMatchObject({
    message: expect.stringContaining("changed folderId"),
  });
});

test("of two Admins who change the settings from the same revision, the second is refused", async () => {
  const { revision } = await showSettings();
  const off = { approvalWorkflow: false, fourEyes: false };
  await updateSettings(anna, { ...off, fourEyes: true, baseRevision: revision });
  const late = updateSettings(await asAdmin(), { ...off, approvalWorkflow: true, baseRevision: revision });
  await expect(late).rejects.toMatchObject({
    message: `The settings are at revision ${revision + 1}, but this edit is based on ${revision}: now approval workflow off, four eyes on.`,
  });
  expect(await showSettings()).toMatchObject({ ...off, fourEyes: true, revision: revision + 1 });
});

test("of two edits of a user the second is refused, and told how they are now", async () => {
  const { id } = await aUser("Viewer");
  const user = async () => (await listUsers()).items.find((each) => each.id === id);
  const began = (await user())?.revision;
  await updateUser(anna, { id, name: "Clara", role: "Editor", enabled: true, baseRevision: began });
  const late = updateUser(anna, { id, name: "Klara", role: "Viewer", enabled: true, baseRevision: began });
  await expect(late).rejects.toMatchObject({
    code: "conflict",
    message: "The user is at revision 2, but this edit is based on 1: now Clara, Editor, enabled.",
  });
  expect(await user()).toMatchObject({ name: "Clara", role: "Editor", revision: 2 });
});

test("a secret is only said to have changed, and its value is nowhere in the record", async () => {
  const { id } = await aDataSource();
  const connection = { ...ownConnection(), password: "a new and secret password", user: "someone_else" };
  await updateDataSource(anna, updateDataSourceInput.parse({ id, name: "Renamed", connection }));
  const [edit] = await listEdits(db, { kind: "DataSource", id });
  expect(edit?.changes.map(({ path }) => path)).toEqual(["name", "connection", "secret"]);
  const [stored] = await sql<{ text: string }[]>`select jsonb_agg(to_jsonb(e))::text as text from edits e`;
  expect(stored?.text).not.toContain("a new and secret password");
});

test("an actor's edits are listed by who can see it", async () => {
  const { id, revision } = await anActor({}, anna);
  const { instructions } = await getActor(anna, id);
  await updateActor(
    ben,
    updateActorInput.parse({ id, name: "Watch", instructions, activateImmediately: false, maxQueries: 4 }),
  );
  const { items } = await listActorEdits(anna, { id, since: revision });
  expect(items.map(({ changes }) => changes.map(({ path }) => path))).toEqual([["name", "maxQueries"]]);
  await expect(listActorEdits(anna, { id: 0 })).rejects.toMatchObject({ code: "not_found" });
});

import { beforeAll, describe, expect, test } from "vitest";
import { updateActorInput } from "../actors/schema.ts";
import { getActor, listActorEdits, updateActor } from "../actors/service/actors.ts";
import type { SignedIn } from "../auth/principal.ts";
import { updateDataSourceInput } from "../data-sources/schema.ts";
import { updateDataSource } from "../data-sources/service/edit-data-sources.ts";
import { getDataSource } from "../data-sources/service/load-data-sources.ts";
import { db, sql } from "../db/client.ts";
import { getRecipient, updateRecipient } from "../notifications/service/recipients.ts";
import { getProject, updateProject } from "../projects/service.ts";
import { anActor } from "../test/factories/actors.ts";
import { aDataSource, aProject, ownConnection } from "../test/factories/data-sources.ts";
import { aRecipient } from "../test/factories/notifications.ts";
import { asAdmin, asEditor } from "../test/factories/principals.ts";
import { listEdits } from "./service.ts";

/** Of everything with revisions: whoever saves from an older one is told who changed what since, and nothing is lost. */

let anna: SignedIn;
let ben: SignedIn;

beforeAll(async () => {
  anna = await asAdmin();
  ben = await asEditor();
});

type Thing = {
  kind: "Actor" | "Recipient" | "DataSource" | "Project";
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

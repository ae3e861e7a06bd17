import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { closeSources } from "../../data-sources/service/connected-sources.ts";
import { sql } from "../../db/client.ts";
import { aRule } from "../../test/factories/contracts.ts";
import { aDataSource } from "../../test/factories/data-sources.ts";
import { aSession, aUser, cookieOf } from "../../test/factories/sessions.ts";
import { rest } from "../../test/rest-client.ts";

/** Two people edit one contract: neither loses what the other has saved. */

let dataSourceId: number;
let anna: Awaited<ReturnType<typeof aUser>>;
let annas: string;
let bens: string;

beforeAll(async () => {
  dataSourceId = (await aDataSource()).id;
  anna = await aUser("Editor");
  annas = await cookieOf(anna);
  bens = await aSession("Editor");
});
afterAll(closeSources);

const path = "/data-quality/contracts";
const get = (id: number) => rest("GET", `${path}/${id}`, { cookie: bens });
const put = (id: number, json: object, cookie = bens) => rest("PUT", `${path}/${id}`, { cookie, json });

const fields = (more: object = {}) => ({
  name: "Orders",
  dataSourceId,
  tableName: "orders",
  cronExpression: "0 6 * * *",
  rules: [aRule("Volume", { minRows: 1 }, { name: "Not empty" })],
  ...more,
});

async function aContract() {
  const { status, body } = await rest("POST", path, { cookie: bens, json: fields() });
  expect(status).toBe(201);
  expect(body.revision).toBe(1);
  const rules = [{ ...fields().rules[0], key: body.rules[0].key }];
  return { id: body.id as number, key: body.rules[0].key as string, rules };
}

describe("a save based on an older revision", () => {
  test("is rejected with who changed what, and overwrites nothing", async () => {
    const { id, key, rules } = await aContract();
    const annasRules = [
      { ...rules[0], weight: 5 },
      aRule("Uniqueness", { column: "id" }, { name: "Unique" }),
    ];
    const first = await put(id, fields({ rules: annasRules, failureThreshold: 95, baseRevision: 1 }), annas);
    expect(first).toMatchObject({ status: 200, body: { revision: 2, failureThreshold: 95 } });

    const second = await put(id, fields({ rules, name: "Orders of the shop", baseRevision: 1 }));
    expect(second.status).toBe(409);
    const uniqueKey = first.body.rules[1].key;
    expect(second.body).toMatchObject({
      revision: 2,
      edits: [
        {
          revision: 2,
          at: expect.stringMatching(/^\d{4}-.*Z$/),
          by: { kind: "User", id: anna.id, name: anna.name },
          changes: [
            { path: "failureThreshold", change: "Changed", name: null },
            { path: `rules.${key}`, change: "Changed", name: "Not empty" },
            { path: `rules.${uniqueKey}`, change: "Added", name: "Unique" },
          ],
        },
      ],
    });
    expect(second.body.detail).toMatch(
      new RegExp(
        `^${anna.name} changed failureThreshold and the rule “Not empty” and added the rule “Unique” at .* UTC. ` +
          "The contract is at revision 2, but this edit is based on 1\\.$",
      ),
    );
    expect((await get(id)).body).toEqual(first.body);
  });

  test("succeeds as before if it does not name its base revision", async () => {
    const { id, rules } = await aContract();
    await put(id, fields({ rules, failureThreshold: 95 }), annas);
    const second = await put(id, fields({ rules, name: "Other" }));
    expect(second).toMatchObject({ status: 200, body: { name: "Other", failureThreshold: 80, revision: 3 } });
  });

  test("is a conflict for all but one of several from the same revision", async () => {
    const { id, rules } = await aContract();
    const saves = await Promise.all(
      [81, 82, 83, 84].map((failureThreshold) =>
        put(id, fields({ rules, failureThreshold, baseRevision: 1 })),
      ),
    );
    const won = saves.filter(({ status }) => status === 200);
    expect(saves.map(({ status }) => status).sort()).toEqual([200, 409, 409, 409]);
    expect((await get(id)).body).toMatchObject({
      revision: 2,
      failureThreshold: won[0]?.body.failureThreshold,
    });
  });

  test("needs an integer as its baseRevision", async () => {
    const { id, rules } = await aContract();
    const { status, body } = await put(id, fields({ rules, baseRevision: "1" }));
    expect({ status, errors: body.errors }).toMatchObject({
      status: 400,
      errors: [{ path: "baseRevision" }],
    });
  });
});

test("a contract's edits: all since a revision, and the latest hundred", async () => {
  const { id, rules } = await aContract();
  await put(id, fields({ rules, failureThreshold: 90 }), annas);
  await put(id, fields({ rules, failureThreshold: 90 }));
  await put(id, fields({ rules, description: "Of the shop" }));
  const edits = (query = "") => rest("GET", `${path}/${id}/edits${query}`, { cookie: bens });
  const changed = ({ body }: Awaited<ReturnType<typeof edits>>) =>
    body.items.map((edit: { revision: number; changes: { path: string }[] }) => [
      edit.revision,
      ...edit.changes.map((change) => change.path),
    ]);
  expect(changed(await edits())).toEqual([
    [2, "failureThreshold"],
    [3],
    [4, "description", "failureThreshold"],
  ]);
  expect(changed(await edits("?since=3"))).toEqual([[4, "description", "failureThreshold"]]);
  expect((await rest("GET", `${path}/2000000000/edits`, { cookie: bens })).status).toBe(404);

  await sql`update contracts set revision = 101 where id = ${id}`;
  await put(id, fields({ rules }));
  expect(changed(await edits()).map(([revision]: [number]) => revision)).toEqual([3, 4, 102]);
});

import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { closeSources } from "../../server/data-sources/service/connected-sources.ts";
import { sql } from "../../server/db/client.ts";
import { aKey } from "../../server/test/factories/api-keys.ts";
import { aProject, ownConnection } from "../../server/test/factories/data-sources.ts";
import { aMember, aUser, cookieOf } from "../../server/test/factories/sessions.ts";
import { rest } from "../../server/test/rest-client.ts";
import { startRest } from "../service.fixture.ts";
import { aCommandHere, filesOf, writeFiles } from "./command.fixture.ts";

/** Folders of files against the REST API on a port, as a pipeline applies them. demo.test.ts does so with the program itself. */

let service: Awaited<ReturnType<typeof startRest>>;
let key: Awaited<ReturnType<typeof aKey>>;
let run: ReturnType<typeof aCommandHere>;
let root: string;
let folder: string;
let cookie: string;

beforeAll(async () => {
  service = await startRest();
  key = await aKey({ name: "Deploy" });
  run = aCommandHere(service.url, key.rawKey);
  root = mkdtempSync(join(tmpdir(), "plumbline-as-code-"));
  cookie = await cookieOf(await aUser("Admin"));
});
afterAll(async () => {
  service.close();
  rmSync(root, { recursive: true, force: true });
  await closeSources();
});
beforeEach(async () => {
  await empty();
  folder = mkdtempSync(join(root, "stack-"));
});

/** A service without anything but its people and their keys. */
async function empty() {
  await sql`truncate projects cascade`;
  await sql`delete from users where kind = 'ServiceAccount'`;
}

const { password, ...place } = ownConnection();
const env = { SHOP_PASSWORD: password, DESK_HOOK: "https://hooks.example.com/secret-of-the-desk" };

/** One of everything. */
const shop: Record<string, string> = {
  "plumbline.yaml": "stack: acme/shop\n",
  "project.yaml": "projects:\n  - name: Shop\n    description: What we sell\n",
  "sources.yaml": `project: Shop
dataSources:
  - name: Orders database
    kind: PostgreSql
    connection:
      host: ${place.host}
      port: ${place.port}
      database: ${JSON.stringify(place.database)}
      user: ${place.user}
      password: \${env:SHOP_PASSWORD}
    scanSchedule: { cronExpression: "0 3 * * *" }
recipients:
  - { name: Desk, type: Webhook, destination: "\${env:DESK_HOOK}" }
  - { name: Mail, type: Email, destination: desk@example.com }
`,
  "queries/late.yaml": `project: Shop
queries:
  - name: Late orders
    folder: Sales / Late
    steps:
      - name: Late
        dataSource: Orders database
        sql: |
          select 1 as id
          where {{days}} > 0
subscriptions:
  - query: Late orders
    cronExpression: "0 6 * * *"
    parameters: { days: 3 }
    recipients: [Mail, Desk]
`,
  "contracts.yaml": `project: Shop
contracts:
  - name: Orders
    dataSource: Orders database
    schemaName: public
    tableName: users
    cronExpression: "0 6 * * *"
    recipients: [Desk]
    rules:
      - { name: Some rows, type: Volume, configuration: { minRows: 1 } }
      - { name: Names are there, type: NullRate, column: name, severity: High, configuration: { maxNullPercent: 0 } }
      - name: As many as elsewhere
        type: Compare
        otherDataSource: Orders database
        configuration: { otherSchema: public, otherTable: users, key: [id] }
ruleTemplates:
  - name: Ids are there
    selector: { tables: [no_such_table], columns: [id] }
    rule: { name: "{column} is there", type: NullRate, configuration: { maxNullPercent: 0 } }
incidentPolicies:
  - name: On call
    dataSources: [Orders database]
    recipients: [Desk]
    escalateAfterMinutes: 30
    escalationRecipients: [Mail]
    tags: [PII, tier 1]
`,
  "accounts.yaml": `serviceAccounts:
  - name: Loader
    role: Editor
  - name: Reporter
    projectRoles: [{ project: Shop, role: Viewer }]
`,
  "more.yaml": `project: Shop
tableTags:
  - { dataSource: Orders database, schemaName: public, tableName: users, tags: [tier 1, PII] }
maintenanceWindows:
  - name: Nightly load
    dataSources: [Orders database]
    tags: [tier 1]
    cronExpression: "0 2 * * *"
    durationMinutes: 60
    timezone: Europe/Berlin
  - name: Upgrade
    reason: A new version
    startsAt: 2024-01-06T20:00:00+01:00
    endsAt: 2024-01-06T22:00:00Z
aiActors:
  - name: Watcher
    dataSource: Orders database
    instructions: Look for orders without a customer.
    wishes: { tables: [{ schemaName: public, tableName: users }], maxChecks: 3 }
    defaultRecipients: [Mail]
    monthlyBudget: { cost: 5 }
    activateImmediately: false
`,
};

const apply = (more: string[] = [], variables: Record<string, string> = env) =>
  run(["apply", folder, ...more], variables);
const diff = (...more: string[]) => run(["diff", folder, ...more]);
const edit = (path: string, from: string, to: string) => {
  const text = readFileSync(join(folder, path), "utf8");
  expect(text).toContain(from);
  writeFiles(folder, { [path]: text.replace(from, to) });
};
const get = async (path: string) => (await rest("GET", path, { cookie })).body;
const first = async (path: string) => (await get(path)).items[0];

describe("a folder with one of everything", () => {
  test("is shown, applied in the order of its references, and applied again without a change", async () => {
    writeFiles(folder, shop);
    const { code, stdout } = await diff();
    expect(stdout.split("\n").filter((line) => line.startsWith("+"))).toEqual([
      "+ project Shop  project.yaml",
      "+ service account Loader  accounts.yaml",
      "+ service account Reporter  accounts.yaml",
      "+ recipient Desk (Shop)  sources.yaml",
      "+ recipient Mail (Shop)  sources.yaml",
      "+ data source Orders database (Shop)  sources.yaml",
      "+ tag list public.users of Orders database (Shop)  more.yaml",
      "+ query Late orders (Shop)  queries/late.yaml",
      "+ subscription Late orders (Shop)  queries/late.yaml",
      "+ contract Orders (Shop)  contracts.yaml",
      "+ rule template Ids are there (Shop)  contracts.yaml",
      "+ incident policy On call (Shop)  contracts.yaml",
      "+ maintenance window Nightly load (Shop)  more.yaml",
      "+ maintenance window Upgrade (Shop)  more.yaml",
      "+ AI actor Watcher (Shop)  more.yaml",
    ]);
    expect([code, stdout.trim().split("\n").at(-1)]).toEqual([
      1,
      "15 to create, 0 to change, 0 not in the files, 0 as in the files",
    ]);
    expect((await get("/projects")).items).toEqual([]);

    const applied = await apply();
    expect([applied.code, applied.stderr]).toEqual([0, ""]);
    expect(applied.stdout).toMatch(/^created project Shop\ncreated service account Loader\n/);
    const contract = await first("/data-quality/contracts");
    expect(contract).toMatchObject({
      ...{ name: "Orders", tableName: "users", failureThreshold: 80, recipients: [{ name: "Desk" }] },
      rules: [{ name: "Some rows" }, { name: "Names are there", column: "name", severity: "High" }, {}],
    });
    expect(contract.rules[2].configuration.otherDataSourceId).toBe(contract.dataSourceId);
    expect((await first("/queries")).folderPath).toBe("Sales / Late");
    expect((await first("/incident-policies")).tags).toEqual(["pii", "tier 1"]);
    const { id: projectId } = await first("/projects");
    expect((await get("/service-accounts")).items).toMatchObject([
      { name: "Loader", role: "Editor", projectRoles: null },
      { name: "Reporter", projectRoles: [{ projectId, role: "Viewer" }] },
    ]);
    expect(await first("/ai-actors")).toMatchObject({
      ...{ name: "Watcher", status: "Draft", monthlyBudget: { tokens: null, cost: 5 }, maxQueries: 10 },
      wishes: { tables: [{ schemaName: "public", tableName: "users" }], maxChecks: 3 },
    });
    // One that was over long ago, too: its file still describes it.
    expect((await get("/maintenance-windows")).items).toMatchObject([
      { name: "Nightly load", timezone: "Europe/Berlin", dataSources: [{ name: "Orders database" }] },
      { name: "Upgrade", startsAt: "2024-01-06T19:00:00.000Z", endsAt: "2024-01-06T22:00:00.000Z" },
    ]);
    expect((await first(`/data-sources/${contract.dataSourceId}/tags`)).tags).toEqual(["pii", "tier 1"]);

    const again = await apply();
    expect([again.code, again.stdout]).toEqual([
      0,
      "0 changes made (0 to create, 0 to change, 0 not in the files, 15 as in the files)\n",
    ]);
    expect(await diff()).toMatchObject({ code: 0, stderr: "" });
    expect((await first("/data-quality/contracts")).revision).toBe(1);
  });

  test("is exported and applied to another service: the same files again", async () => {
    writeFiles(folder, shop);
    await apply();
    const [one, two] = [join(folder, "../one"), join(folder, "../two")];
    for (const each of [one, two]) rmSync(each, { recursive: true, force: true });
    expect(await run(["export", one, "--stack", "acme/shop"])).toMatchObject({ code: 0, stderr: "" });
    const files = filesOf(one);
    expect(Object.keys(files)).toEqual([
      "plumbline.yaml",
      "service-accounts.yaml",
      "shop/ai-actors.yaml",
      "shop/contracts/orders.yaml",
      "shop/data-sources.yaml",
      "shop/incident-policies.yaml",
      "shop/maintenance-windows.yaml",
      "shop/project.yaml",
      "shop/queries/late-orders.yaml",
      "shop/recipients.yaml",
      "shop/rule-templates.yaml",
      "shop/table-tags.yaml",
    ]);
    expect(files["service-accounts.yaml"]).toBe(`serviceAccounts:
  - name: Loader
    role: Editor
  - name: Reporter
    projectRoles:
      - project: Shop
        role: Viewer
`);
    expect(files["shop/recipients.yaml"]).toBe(`project: Shop
recipients:
  - name: Desk
    type: Webhook
    destination: \${env:DESK_DESTINATION}
  - name: Mail
    type: Email
    destination: desk@example.com
`);
    // Ids are nowhere.
    expect(Object.values(files).join("")).not.toMatch(/Id: |Ids: |^ *id: |key: /m);

    await empty();
    const exported = { ORDERS_DATABASE_PASSWORD: env.SHOP_PASSWORD, DESK_DESTINATION: env.DESK_HOOK };
    expect(await run(["apply", one], exported)).toMatchObject({ code: 0, stderr: "" });
    expect((await run(["diff", one])).code).toBe(0);
    await run(["export", two, "--stack", "acme/shop"]);
    expect(filesOf(two)).toEqual(files);
    expect(await run(["export", two])).toMatchObject({
      code: 2,
      stderr: expect.stringContaining("choose an empty folder"),
    });
  });

  test("never shows or writes a secret", async () => {
    writeFiles(folder, shop);
    const secrets = {
      SHOP_PASSWORD: "Hunter2-of-the-database",
      DESK_HOOK: "https://hooks.example.com/Hunter2-of-the-desk",
    };
    const summary = join(folder, "summary.md");
    const said = [
      await run(["diff", folder, "--json", "--summary", summary], secrets),
      await apply(["--json"], secrets),
      await apply(["--secrets", "--json", "--summary", summary], secrets),
      await diff("--json"),
      await run(["export", join(folder, "export")], secrets),
    ];
    expect(JSON.stringify([said, filesOf(folder)])).not.toContain("Hunter2");
    expect(said[2]?.stdout).toContain("SHOP_PASSWORD");
  });

  test("sends secrets again when asked to", async () => {
    writeFiles(folder, shop);
    await apply();
    const moved = { ...env, DESK_HOOK: "https://hooks.example.com/another-secret-at-the-end" };
    expect((await apply([], moved)).stdout).toMatch(/^0 changes/);
    expect((await apply(["--secrets"], moved)).stdout).toMatch(
      /^changed recipient Desk \(Shop\)\nchanged data source Orders database \(Shop\)\n2 changes/,
    );
    const [desk] = (await get("/recipients")).items;
    expect(desk.destination).toBe("hooks.example.com/…-end");
  });
});

describe("what differs", () => {
  beforeEach(async () => {
    writeFiles(folder, shop);
    await apply();
  });

  test("is named field by field, in text, Markdown, and JSON", async () => {
    edit("contracts.yaml", "minRows: 1", "minRows: 2");
    edit("contracts.yaml", "      - { name: Names are there, type", "      - { name: Names, type");
    edit("contracts.yaml", "    tableName: users", "    tableName: users\n    failureThreshold: 95");
    edit("queries/late.yaml", "where {{days}} > 0", "where {{days}} > 1");
    edit("sources.yaml", "user: ", "trustServerCertificate: true\n      user: ");
    const summary = join(root, "summary.md");
    const { code, stdout } = await diff("--summary", summary);
    expect(code).toBe(1);
    for (const line of [
      "~ contract Orders (Shop)  contracts.yaml",
      "    ~ failureThreshold: 80 → 95",
      '    ~ rule Some rows: configuration: {"minRows":1} → {"minRows":2}',
      "    + rule Names: ",
      "    - rule Names are there: ",
      "    ~ step Late: sql: line 2: where {{days}} > 0 → where {{days}} > 1",
      "    + connection.trustServerCertificate: true",
      "0 to create, 3 to change, 0 not in the files, 12 as in the files",
    ])
      expect(stdout).toContain(line);
    expect(readFileSync(summary, "utf8")).toContain(
      "| change | contract | Orders | Shop | &#126; failureThreshold: 80 → 95<br>",
    );
    const { changes } = JSON.parse((await diff("--json")).stdout);
    expect(changes.find((each: { kind: string }) => each.kind === "Contract")).toMatchObject({
      ...{ change: "update", name: "Orders", project: "Shop", file: "contracts.yaml", line: 3 },
      differences: expect.arrayContaining([{ field: "failureThreshold", from: 80, to: 95 }]),
    });

    const before = await first("/data-quality/contracts");
    expect((await apply()).code).toBe(0);
    const after = await first("/data-quality/contracts");
    // A rule of the same name keeps its history.
    expect(after.rules[0]).toMatchObject({ key: before.rules[0].key, configuration: { minRows: 2 } });
    expect((await diff()).code).toBe(0);
  });

  test("was taken over and changed by someone: it is named, and not overwritten unless told to", async () => {
    const { id, name: _, ...contract } = await first("/data-quality/contracts");
    const json = {
      ...{ name: "Orders", dataSourceId: contract.dataSourceId, schemaName: "public", tableName: "users" },
      ...{
        cronExpression: "0 6 * * *",
        failureThreshold: 50,
        recipientIds: contract.recipients.map((each: { id: number }) => each.id),
      },
      rules: contract.rules.map(({ id: __, ...rule }: { id: number }) => rule),
    };
    const refused = await rest("PUT", `/data-quality/contracts/${id}`, { cookie, json });
    expect([refused.status, refused.body.detail]).toEqual([
      409,
      expect.stringContaining("acme/shop (contracts.yaml)"),
    ]);
    const ada = await cookieOf(await aUser("Admin"));
    await rest("POST", "/stacks/take-over", { cookie: ada, json: { kind: "Contract", id } });
    expect((await rest("PUT", `/data-quality/contracts/${id}`, { cookie: ada, json })).status).toBe(200);

    const drift = (await diff()).stdout;
    expect(drift).toContain("    ~ failureThreshold: 50 → 80\n");
    expect(drift).toMatch(/ {4}taken over by Admin \d+ at 20\d\d-/);
    expect(drift).toMatch(/ {4}changed since the last apply by Admin \d+ at .* UTC: failureThreshold\n/);
    const stopped = await apply();
    expect([stopped.code, stopped.stderr]).toEqual([
      2,
      expect.stringMatching(
        /Nothing was changed:\ncontracts.yaml:3: the contract Orders .*taken over by Admin/,
      ),
    ]);
    expect((await first("/data-quality/contracts")).failureThreshold).toBe(50);

    // The file may also say what it is now.
    edit("contracts.yaml", "    tableName: users", "    tableName: users\n    failureThreshold: 50");
    expect((await apply()).stdout).toContain("changed contract Orders (Shop)\n1 changes made");
    expect((await rest("PUT", `/data-quality/contracts/${id}`, { cookie, json })).status).toBe(409);
    await rest("POST", "/stacks/take-over", { cookie, json: { kind: "Contract", id } });
    edit("contracts.yaml", "failureThreshold: 50", "failureThreshold: 60");
    expect((await apply()).code).toBe(2);
    expect((await apply(["--take-back"])).code).toBe(0);
    expect((await first("/data-quality/contracts")).failureThreshold).toBe(60);
  });

  test("was there before: it becomes the stack's, and what the files do not say is kept", async () => {
    const project = await first("/projects");
    const json = { projectId: project.id, name: "Old mail", type: "Email", destination: "old@example.com" };
    await rest("POST", "/recipients", { cookie, json });
    edit(
      "sources.yaml",
      "  - { name: Mail,",
      "  - { name: Old mail, type: Email, destination: old@example.com }\n  - { name: Mail,",
    );
    expect((await diff()).stdout).toContain(
      "~ recipient Old mail (Shop)  sources.yaml\n    + managed by: acme/shop (sources.yaml)\n",
    );
    // A silence is for a night, and none of the files' business.
    const { id } = await first("/subscriptions");
    const silencedUntil = "2999-01-01T00:00:00.000Z";
    await rest("POST", `/subscriptions/${id}/silence`, { cookie, json: { until: silencedUntil } });
    edit("queries/late.yaml", "days: 3", "days: 4");
    // Secrets are kept, and not asked for, where nothing else about the connection changes.
    edit("sources.yaml", "0 3 * * *", "0 4 * * *");
    edit("sources.yaml", "{ name: Desk,", "{ name: Desk, decisions: true,");
    expect(await apply([], {})).toMatchObject({ code: 0, stderr: "" });
    const source = await first("/data-sources");
    const test = { kind: source.kind, connection: source.connection, dataSourceId: source.id };
    expect((await rest("POST", "/data-sources/test-connection", { cookie, json: test })).body.ok).toBe(true);
    expect((await get("/recipients")).items[0]).toMatchObject({ name: "Desk", decisions: true });
    expect(await first("/subscriptions")).toMatchObject({ parameters: { days: 4 }, silencedUntil });
    expect((await diff()).code).toBe(0);
  });

  test("is gone from the files: it stays until it is pruned, and then in an order that works", async () => {
    rmSync(join(folder, "queries"), { recursive: true });
    writeFiles(folder, { "contracts.yaml": "" });
    edit("sources.yaml", `  - { name: Desk, type: Webhook, destination: "\${env:DESK_HOOK}" }\n`, "");
    const shown = await diff();
    expect([shown.code, shown.stdout]).toEqual([
      1,
      expect.stringContaining("- incident policy On call (Shop): not in the files\n"),
    ]);
    expect((await apply()).stdout).toMatch(/^0 changes made \(.* 6 not in the files/);
    const pruned = await apply(["--prune"]);
    expect([pruned.code, pruned.stdout]).toEqual([
      0,
      [
        "removed incident policy On call (Shop)",
        "removed rule template Ids are there (Shop)",
        "removed contract Orders (Shop)",
        "removed subscription Late orders (Shop)",
        "removed query Late orders (Shop)",
        "removed recipient Desk (Shop)",
        "6 changes made (0 to create, 0 to change, 6 not in the files, 9 as in the files)\n",
      ].join("\n"),
    ]);
    expect((await diff()).code).toBe(0);
  });

  test("cannot be removed: it is told, and what can be is", async () => {
    writeFiles(folder, { "contracts.yaml": "", "sources.yaml": "", "queries/late.yaml": "" });
    writeFiles(folder, { "more.yaml": "", "accounts.yaml": "" });
    const { code, stdout, stderr } = await apply(["--prune"]);
    expect([code, stderr]).toEqual([
      2,
      expect.stringMatching(/data source Orders database \(Shop\): 409 The data source is still used by /),
    ]);
    for (const removed of [
      ...["recipient Mail (Shop)", "AI actor Watcher (Shop)", "maintenance window Nightly load (Shop)"],
      ...["maintenance window Upgrade (Shop)", "tag list public.users of Orders database (Shop)"],
      ...["service account Loader", "service account Reporter"],
    ])
      expect(stdout).toContain(`removed ${removed}\n`);
    // Nothing that had a key is forgotten: it is disabled, and no longer the stack's.
    expect((await get("/service-accounts")).items).toMatchObject([
      { name: "Loader", role: "Editor", enabled: false },
      { name: "Reporter", enabled: false },
    ]);
    expect((await get("/stacks/things?kind=ServiceAccount")).items).toEqual([]);
  });
});

describe("files that are wrong change nothing, and say where", () => {
  test.each<[string, Record<string, string>, string]>([
    [
      "an unknown field",
      {
        "a.yaml": "project: Shop\nrecipients:\n  - name: Desk\n    type: Email\n    adress: a@example.com\n",
      },
      "a.yaml:5: adress is not a known field\na.yaml:3: destination is missing",
    ],
    [
      "an unknown list",
      { "a.yaml": "services: []\n" },
      "a.yaml:1: services is not a known field: it may be projects, serviceAccounts, recipients, dataSources",
    ],
    [
      "a wrong type",
      { "a.yaml": "projects:\n  - name: 2024\n" },
      'a.yaml:2: name must be text: write it in quotes, as "2024"',
    ],
    ["no YAML", { "a.yaml": "projects:\n  - name: 'Shop\n" }, "a.yaml:"],
    ["a key twice", { "a.yaml": "projects: []\nprojects: []\n" }, "a.yaml:2: Map keys must be unique"],
    ["two documents", { "a.yaml": "projects: []\n---\nprojects: []\n" }, "multiple documents"],
    [
      "a name twice",
      { "a.yaml": "projects:\n  - name: Shop\n", "b/c.yml": "projects:\n  - name: Shop\n" },
      "b/c.yml:2: the project Shop is already in a.yaml:2",
    ],
    [
      "a rule twice",
      {
        "a.yaml":
          "project: Shop\ncontracts:\n  - name: A\n    dataSource: B\n    tableName: c\n    cronExpression: 0 6 * * *\n    rules:\n      - { name: D, type: Volume }\n      - { name: D, type: Volume }\n",
      },
      "a.yaml:9: another rule is called D, too",
    ],
    [
      "a reference to nothing",
      {
        "a.yaml": "projects:\n  - name: Shop\n",
        "b.yaml": "project: Shop\nincidentPolicies:\n  - name: On call\n    recipients:\n      - Nobody\n",
      },
      "b.yaml:5: there is no recipient Nobody in the project Shop, neither in the files nor in the service",
    ],
    [
      "a secret",
      {
        "a.yaml":
          "project: Shop\nrecipients:\n  - { name: Desk, type: Webhook, destination: https://example.com/Hunter2 }\n",
      },
      `a.yaml:3: destination must be \${env:VARIABLE} for Webhook: a file has no secrets`,
    ],
    [
      "a password",
      {
        "a.yaml":
          "project: Shop\ndataSources:\n  - name: A\n    kind: PostgreSql\n    connection:\n      host: b\n      password: Hunter2\n",
      },
      `a.yaml:7: password must be \${env:VARIABLE}: a file has no secrets`,
    ],
    [
      "a variable that is filled in nowhere",
      { "a.yaml": `projects:\n  - name: \${env:NAME}\n` },
      `a.yaml:2: \${env:…} is only for secrets`,
    ],
    ["a bomb", { "a.yaml": bomb() }, "a.yaml: Excessive alias count"],
    ["a hole", { "a.yaml": `projects: ${"[".repeat(100_000)}\n` }, "a.yaml"],
    ["a bad stack", { "plumbline.yaml": "stack: a b\n" }, "plumbline.yaml:1: stack must be a name"],
  ])("%s", async (_, files, message) => {
    writeFiles(folder, { "plumbline.yaml": "stack: acme/shop\n", ...files });
    for (const verb of ["diff", "apply"]) {
      const { code, stdout, stderr } = await run([verb, folder]);
      expect([verb, code, stdout]).toEqual([verb, 2, ""]);
      expect(stderr).toContain(message);
      expect(stderr).not.toContain("Hunter2");
    }
    expect((await get("/projects")).items).toEqual([]);
  });

  test("no name of a stack", async () => {
    writeFiles(folder, { "a.yaml": "projects: []\n" });
    expect((await diff()).stderr).toContain("plumbline.yaml is missing: it names the stack");
    expect((await run(["diff", join(folder, "nowhere")])).code).toBe(2);
  });

  test("a variable that is not set, before anything is changed", async () => {
    writeFiles(folder, shop);
    const { code, stderr } = await apply([], { SHOP_PASSWORD: "only this one", DESK_HOOK: "" });
    expect([code, stderr]).toEqual([
      2,
      "plumbline: Nothing was changed:\nsources.yaml:13: the environment variable DESK_HOOK is not set\n",
    ]);
    expect((await get("/projects")).items).toEqual([]);
  });
});

/** Ten levels, each ten times the one below. */
function bomb() {
  const levels = Array.from({ length: 10 }, (_, at) => {
    const items = at === 0 ? "x" : Array.from({ length: 10 }, () => `*a${at - 1}`).join(", ");
    return `a${at}: &a${at} [${items}]`;
  });
  return `${levels.join("\n")}\n`;
}

describe("a key that may not", () => {
  test.each<[string, () => Promise<{ rawKey: string }>, string]>([
    [
      "change anything",
      async () => aKey({ scopes: ["Execute"] }),
      "The key has not the scope Admin, which changes take",
    ],
    [
      "see the project",
      async () => aKey({ allowedProjectIds: [(await aProject()).id] }),
      "The key may not change projects: it takes the role Admin",
    ],
  ])("%s is told before anything is changed", async (_, make, message) => {
    const { "accounts.yaml": _accounts, ...others } = shop;
    writeFiles(folder, others);
    const { rawKey } = await make();
    const { code, stderr } = await aCommandHere(service.url, rawKey)(["apply", folder], env);
    expect([code, stderr]).toEqual([2, expect.stringContaining(`Nothing was changed:\n${message}`)]);
    expect((await get("/projects")).items.map(({ name }: { name: string }) => name)).not.toContain("Shop");
  });

  test("an Editor's key changes contracts, and not data sources", async () => {
    writeFiles(folder, { ...shop, "accounts.yaml": "" });
    await apply();
    const { id: projectId } = await first("/projects");
    const made = await aKey();
    const editor = await aMember({ projectId, role: "Editor" });
    await sql`update api_keys set user_id = ${editor.id} where id = ${made.id}`;
    const asEditor = aCommandHere(service.url, made.rawKey);
    edit("contracts.yaml", "minRows: 1", "minRows: 2");
    expect((await asEditor(["apply", folder], env)).code).toBe(0);
    edit("sources.yaml", "0 3 * * *", "0 4 * * *");
    expect((await asEditor(["apply", folder], env)).stderr).toContain(
      "The key may not change a data source of the project Shop: it takes the role Admin",
    );
  });
});

test("a failure half-way says what was done, and applying again finishes", async () => {
  writeFiles(folder, shop);
  edit("contracts.yaml", "configuration: { minRows: 1 }", "configuration: { minRows: -1 }");
  const failed = await apply();
  expect(failed.code).toBe(2);
  expect(failed.stdout).toContain("created query Late orders (Shop)");
  expect(failed.stderr).toMatch(/contracts\.yaml:10: contract Orders \(Shop\): 400 /);
  expect(failed.stderr).toContain("9 of 15 changes were made. Fix the cause and apply again.");
  edit("contracts.yaml", "minRows: -1", "minRows: 1");
  expect((await apply()).stdout).toContain("6 changes made");
  expect((await diff()).code).toBe(0);
});

describe("service accounts", () => {
  const accounts = (text: string) =>
    writeFiles(folder, {
      "plumbline.yaml": "stack: acme/shop\n",
      "accounts.yaml": `serviceAccounts:\n${text}`,
    });
  const account = async (): Promise<{ id: number; enabled: boolean; revision: number }> =>
    first("/service-accounts");

  test("are none of the business of a key that may not list them", async () => {
    accounts("  - name: Loader\n");
    const { rawKey } = await aKey({ scopes: ["Read"] });
    const asReader = aCommandHere(service.url, rawKey);
    for (const verb of ["diff", "apply"])
      expect(await asReader([verb, folder])).toMatchObject({
        code: 2,
        stderr:
          "plumbline: accounts.yaml:2: the key may not list the service accounts: it takes the role Admin in all projects, and the scope Admin\n",
      });
    writeFiles(folder, { "accounts.yaml": "" });
    expect((await asReader(["diff", folder])).code).toBe(0);
    expect(await asReader(["export", join(folder, "export")])).toMatchObject({
      code: 0,
      stderr: "not exported: the service accounts: the key may not list them\n",
    });
  });

  test("cannot be made an Admin by files, nor be described by them once they are one", async () => {
    accounts("  - { name: Root, role: Admin }\n");
    const message = "accounts.yaml:2: files cannot make an Admin: an Admin does that by hand";
    expect((await apply()).stderr).toContain(message);
    accounts("  - { name: Root }\n");
    await rest("POST", "/service-accounts", { cookie, json: { name: "Root", role: "Admin" } });
    expect((await diff()).stderr).toContain(
      "accounts.yaml:2: the service account Root has the role Admin, which files cannot give or take",
    );
    await run(["export", join(folder, "export")]);
    expect(Object.keys(filesOf(join(folder, "export")))).toEqual(["plumbline.yaml"]);
  });

  test("can be disabled at once, which the next apply does not undo", async () => {
    accounts("  - name: Loader\n");
    expect((await apply()).code).toBe(0);
    const { id, revision } = await account();
    const write = { name: "Loader", role: "Viewer", baseRevision: revision };
    const promote = { ...write, role: "Editor", enabled: false };
    expect((await rest("PUT", `/service-accounts/${id}`, { cookie, json: promote })).status).toBe(409);
    const disable = { ...write, enabled: false };
    expect((await rest("PUT", `/service-accounts/${id}`, { cookie, json: disable })).status).toBe(200);
    const drift = (await diff()).stdout;
    expect(drift).toContain("~ service account Loader  accounts.yaml\n    ~ enabled: false → true\n");
    expect(drift).toMatch(/ {4}changed since the last apply by Admin \d+ at .* UTC: enabled\n/);
    expect((await apply()).stderr).toMatch(/the service account Loader was taken over by Admin \d+ at /);
    expect((await account()).enabled).toBe(false);
    expect((await apply(["--take-back"])).code).toBe(0);
    expect((await account()).enabled).toBe(true);
  });
});

test("two stacks that claim the same thing are told, by file and line", async () => {
  writeFiles(folder, shop);
  await apply();
  const other = mkdtempSync(join(root, "other-"));
  writeFiles(other, {
    "plumbline.yaml": "stack: acme/other\n",
    "a.yaml": "project: Shop\nrecipients:\n  - { name: Mail, type: Email, destination: other@example.com }\n",
  });
  for (const verb of ["diff", "apply"]) {
    const { code, stderr } = await run([verb, other]);
    expect([code, stderr]).toEqual([
      2,
      "plumbline: a.yaml:3: the recipient Mail belongs to the stack acme/shop (sources.yaml): two stacks cannot own it\n",
    ]);
  }
  // They may name it.
  writeFiles(other, {
    "a.yaml": "project: Shop\nincidentPolicies:\n  - { name: Second, recipients: [Mail] }\n",
  });
  expect((await run(["apply", other])).code).toBe(0);
  expect((await diff()).code).toBe(0);
});

test("with approval of queries on, a change that waits is not made again", async () => {
  writeFiles(folder, shop);
  await apply();
  await sql`insert into settings (id, approval_workflow) values (1, true) on conflict (id) do update set approval_workflow = true`;
  try {
    edit("queries/late.yaml", "where {{days}} > 0", "where {{days}} > 1");
    expect((await apply()).stdout).toContain(
      "changed query Late orders (Shop): its new version waits for approval\n",
    );
    expect(await diff()).toMatchObject({ code: 0 });
    expect((await apply()).stdout).toMatch(/^0 changes/);
    expect((await get(`/queries/${(await first("/queries")).id}/versions`)).items).toHaveLength(2);
  } finally {
    await sql`update settings set approval_workflow = false`;
  }
});

test("the example of docs/as-code.md is one", async () => {
  const page = readFileSync(join(import.meta.dirname, "../../docs/as-code.md"), "utf8");
  const blocks = [...page.matchAll(/^```yaml\n# checks\/(\S+)\n([\s\S]*?)^```$/gm)];
  expect(blocks.map(([, path]) => path)).toEqual(["plumbline.yaml", "shop.yaml"]);
  const here = `host: ${place.host}\n      port: ${place.port}`;
  for (const [, path = "", text = ""] of blocks)
    writeFiles(folder, { [path]: text.replace("host: db.example.com\n      port: 5432", here) });
  const variables = { SHOP_PASSWORD: "unknown", DESK_WEBHOOK: env.DESK_HOOK };
  expect(await apply([], variables)).toMatchObject({ code: 0, stderr: "" });
  expect((await diff()).code).toBe(0);
});

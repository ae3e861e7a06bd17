import { TRPCError } from "@trpc/server";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { SignedIn } from "../auth/principal.ts";
import { closeSources } from "../data-sources/service/connected-sources.ts";
import { sql } from "../db/client.ts";
import { aContract, aRule } from "../test/factories/contracts.ts";
import { aDataSource } from "../test/factories/data-sources.ts";
import { asAdmin, asEditor, asViewer } from "../test/factories/principals.ts";
import { createCallerFactory } from "../trpc.ts";
import { dataQualityRouter } from "./router.ts";

const callAs = createCallerFactory(dataQualityRouter);

beforeAll(async () => {
  await sql.unsafe("create table orders (id int)");
});

afterAll(closeSources);

const codeOf = (attempt: Promise<unknown>) =>
  attempt.then(
    () => "OK",
    (error: unknown) => (error instanceof TRPCError ? error.code : error),
  );

/** A key of this user. */
const withKey = (ctx: SignedIn, scope: "Read" | "Execute" | "Admin"): SignedIn => ({
  ...ctx,
  principal: { ...ctx.principal, kind: "ApiKey", scopes: [scope] },
});

describe("permissions", () => {
  test.each<[string, () => Promise<SignedIn>, string, string]>([
    ["a Viewer", asViewer, "FORBIDDEN", "FORBIDDEN"],
    ["an Editor", asEditor, "OK", "OK"],
    ["an Admin", asAdmin, "OK", "OK"],
    ["an Admin's Read key", async () => withKey(await asAdmin(), "Read"), "FORBIDDEN", "FORBIDDEN"],
    ["an Admin's Execute key", async () => withKey(await asAdmin(), "Execute"), "OK", "FORBIDDEN"],
    ["an Editor's Admin key", async () => withKey(await asEditor(), "Admin"), "OK", "OK"],
  ])("%s reads, and evaluates: %s, configures: %s", async (_who, principal, evaluates, configures) => {
    const contract = await aContract();
    const call = callAs(await principal());
    expect(await codeOf(call.contract({ id: contract.id }))).toBe("OK");
    expect(await codeOf(call.contracts({}))).toBe("OK");
    expect(await codeOf(call.overview({}))).toBe("OK");
    expect(await codeOf(call.evaluations({ id: contract.id }))).toBe("OK");
    expect(await codeOf(call.evaluate({ id: contract.id }))).toBe(evaluates);
    expect(await codeOf(call.startEvaluation({ id: contract.id }))).toBe(evaluates);
    expect(await codeOf(call.archiveContract({ id: contract.id }))).toBe(configures);
  });
});

test("callers who ask for a contract at the same time each get it only if they may see it", async () => {
  const [contract, other] = [await aContract(), await aContract()];
  const admin = await asAdmin();
  const { projectId } = await callAs(admin).contract({ id: contract.id });
  const limitedTo = (projectIds: number[]): SignedIn => ({
    ...admin,
    principal: { ...admin.principal, projectIds },
  });
  const asks = (ctx: SignedIn, id: number) =>
    callAs(ctx)
      .contract({ id })
      .then(
        (found) => found.id,
        (error: TRPCError) => error.code,
      );
  const asked = [
    asks(admin, contract.id),
    asks(limitedTo([]), contract.id),
    asks(limitedTo([projectId]), contract.id),
    asks(admin, other.id),
    asks(admin, 2_147_483_647),
  ];
  expect(await Promise.all(asked)).toEqual([contract.id, "NOT_FOUND", contract.id, other.id, "NOT_FOUND"]);
});

test("from creation to history, as API clients see it", async () => {
  const call = callAs(await asEditor());
  const { id: dataSourceId } = await aDataSource();
  const contract = await call.createContract({
    name: "Orders",
    dataSourceId,
    tableName: "orders",
    cronExpression: "*/5 * * * *",
    rules: [aRule("Volume", { minRows: 1 }, { severity: "High" }), aRule("Volume", { maxRows: 5 })],
  });
  const evaluation = await call.evaluate({ id: contract.id });
  // The table is empty: (0 × 3 + 100 × 2) / 5
  expect(evaluation).toMatchObject({
    overallScore: 40,
    status: "Completed",
    evaluatedAt: expect.stringMatching(/Z$/),
  });
  expect(await call.evaluation({ id: evaluation.id })).toEqual(evaluation);
  expect(await call.evaluations({ id: contract.id })).toEqual({ items: [evaluation] });
  expect(await call.contract({ id: contract.id })).toMatchObject({
    latestScore: 40,
    trend: "Stable",
    lastEvaluatedAt: evaluation.evaluatedAt,
  });
  expect((await call.overview({ dataSourceId })).items).toMatchObject([{ averageScore: 40, tableCount: 1 }]);
  // What is read can be written back.
  const { rules, recipients, ...read } = contract;
  expect(
    await call.updateContract({
      id: contract.id,
      name: read.name,
      dataSourceId,
      schemaName: read.schemaName,
      tableName: read.tableName,
      cronExpression: read.cronExpression,
      recipientIds: recipients.map(({ id }) => id),
      rules: rules.map(({ id: _, ...rule }) => rule),
    }),
  ).toMatchObject({ rules: rules.map(({ id: _, ...rule }) => rule) });
});

test("with Prefer: respond-async the response comes before the result", async () => {
  const contract = await aContract({
    rules: [aRule("CustomSql", { sql: "select 1 as passed from pg_sleep(0.3)" })],
  });
  const call = callAs({ ...(await asEditor()), prefer: "respond-async" });
  const started = await call.evaluate({ id: contract.id });
  expect(started).toMatchObject({ status: "Running", overallScore: null });
  const waiting = callAs(await asEditor());
  expect(await waiting.evaluate({ id: contract.id })).toMatchObject({ id: started.id, status: "Completed" });
});

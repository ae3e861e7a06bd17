import { afterAll, expect, test } from "vitest";
import { closeSources } from "../../data-sources/service/connected-sources.ts";
import { sql } from "../../db/client.ts";
import { anActor } from "../../test/factories/actors.ts";
import { aDataSource } from "../../test/factories/data-sources.ts";
import { asEditor } from "../../test/factories/principals.ts";
import { noWishes } from "../wishes.ts";
import { refineNow } from "./cycles.ts";

afterAll(() => closeSources());

test("without a language model a note sets no fields, and the response says that it was not read", async () => {
  const ctx = await asEditor();
  const source = await aDataSource();
  await sql.unsafe("create table orders (id int primary key)");
  const actor = await anActor({ dataSourceId: source.id }, ctx);
  const alone = await refineNow(ctx, { id: actor.id, feedback: "Only the orders, every day at seven" });
  expect(alone).toMatchObject({ phase: "Completed", wishes: null });
  expect(alone.decisionSummary).toContain("Your note was not read: no language model is configured.");
  const wishes = { ...noWishes, checks: ["Volume" as const, "NullRate" as const] };
  const beside = await refineNow(ctx, { id: actor.id, feedback: "Only the orders", wishes });
  expect(beside).toMatchObject({ phase: "Completed", wishes });
  expect(beside.detailedAnalysis).toContain("The plan follows the fields");
  expect(beside.feedbackAnswers).toEqual([
    { asked: "Only the orders", isDone: false, because: "no language model is configured to read notes" },
    { asked: "Check: volume", isDone: true, because: null },
    { asked: "Check: missing values", isDone: false, because: "no query of the plan is such a check" },
  ]);
});

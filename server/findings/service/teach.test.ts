import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import type { SignedIn } from "../../auth/principal.ts";
import { closeSources } from "../../data-sources/service/connected-sources.ts";
import { sql } from "../../db/client.ts";
import { aDataSource } from "../../test/factories/data-sources.ts";
import { asEditor } from "../../test/factories/principals.ts";
import type { TeachAnswer } from "../schema.ts";
import { maxQuestions } from "../teach/lesson.ts";
import { nextQuestion } from "./ask-about-cells.ts";
import { findingsOf, rowsOf, scanned } from "./finds-planted-faults.fixture.ts";
import { answerQuestion, undoAnswer } from "./taught-cells.ts";

let ctx: SignedIn;
let table: { dataSourceId: number; schemaName: string; tableName: string };

beforeAll(async () => {
  ctx = await asEditor();
});
beforeEach(async () => {
  table = { dataSourceId: (await aDataSource()).id, schemaName: "taught", tableName: "parcels" };
  await sql.unsafe("drop schema if exists taught cascade; create schema taught");
  await sql.unsafe(
    "create table taught.parcels (id int primary key, weight text, town text, sender_email text)",
  );
  // A third of the weights have their unit behind them: too many for a finding.
  await sql.unsafe(`
    insert into taught.parcels
    select n, case when n % 3 = 0 then n % 40 || '.5 kg' else n % 37 || '.5' end,
      (array['Bremen', 'Kiel', 'Ulm'])[1 + n % 3], 'p' || n || '@parcel.example'
    from generate_series(1, 300) as n`);
});
afterAll(closeSources);

/** Answers as somebody who knows that a weight is a number without a unit, until no question is left. */
async function teach(): Promise<TeachAnswer[]> {
  const answers: TeachAnswer[] = [];
  for (;;) {
    const { question } = await nextQuestion(ctx, table);
    if (!question) return answers;
    const place = question.columns.findIndex(({ name }) => name === question.column);
    const value = String(question.rows[0]?.[place]);
    const verdict = question.column === "weight" && value.includes("kg") ? "Wrong" : "Right";
    const answer = { ...table, column: question.column, cell: question.cell, verdict } as const;
    await answerQuestion(ctx, answer);
    answers.push(answer);
  }
}

test("what answers make likely is a finding of the next scan, with all of its rows, and gone with the answers", async () => {
  await scanned(ctx, table.dataSourceId, [table]);
  const weights = async () =>
    (await findingsOf(ctx, { dataSourceId: table.dataSourceId, status: "Open" })).filter(({ columns }) =>
      columns.includes("weight"),
    );
  expect(await weights()).toEqual([]);

  const answers = await teach();
  expect(answers.length).toBeLessThanOrEqual(maxQuestions);
  await scanned(ctx, table.dataSourceId, [table]);
  const [finding, ...others] = await weights();
  expect(others).toEqual([]);
  expect(finding).toMatchObject({
    kind: "Format",
    failingRows: 100,
    totalRows: 300,
    taught: { untaught: null },
  });
  expect(finding?.confidence).toBeGreaterThanOrEqual(0.8);
  expect(finding?.statement).toContain("9.9 a");
  const rows = finding ? await rowsOf(finding) : [];
  expect(rows).toEqual(Array.from({ length: 100 }, (_, index) => 3 * (index + 1)));

  expect(await undoAnswer(ctx, { ...table, all: true })).toMatchObject({ answered: 0 });
  await scanned(ctx, table.dataSourceId, [table]);
  expect(await weights()).toEqual([]);
});

test("answers of right lower a finding of such cells, and it says by how much", async () => {
  await sql.unsafe("update taught.parcels set sender_email = null where id in (7, 8)");
  // Not at the end of the table, where what is missing may be yet to come.
  await sql.unsafe("cluster taught.parcels using parcels_pkey");
  // Otherwise, other cells are worth all questions.
  await sql.unsafe("alter table taught.parcels drop column weight, drop column town");
  await scanned(ctx, table.dataSourceId, [table]);
  const missing = async () =>
    (await findingsOf(ctx, { dataSourceId: table.dataSourceId, minConfidence: 0 })).find(
      ({ kind, columns }) => kind === "MissingValue" && columns.includes("sender_email"),
    );
  const before = await missing();
  expect(before).toMatchObject({ failingRows: 2, taught: null });
  await teach();
  await scanned(ctx, table.dataSourceId, [table]);
  const after = await missing();
  expect(after?.confidence).toBeLessThan(before?.confidence ?? 0);
  expect(after?.taught?.untaught).toBeCloseTo(before?.confidence ?? 0, 10);
  expect(after?.taught?.right).toBeGreaterThan(0);
});

test("the row is shown masked, answers are undone one by one, and nothing of the table is kept", async () => {
  const first = await nextQuestion(ctx, table);
  expect(first).toMatchObject({ answered: 0, maxQuestions: 20 });
  const { question } = first;
  expect(question?.maskedColumns).toContain("sender_email");
  expect(JSON.stringify(question)).not.toContain("parcel.example");
  if (!question) throw new Error("Nothing was asked");
  const { column, cell } = question;
  expect(await answerQuestion(ctx, { ...table, column, cell, verdict: "Unsure" })).toMatchObject({
    answered: 1,
  });
  const second = await nextQuestion(ctx, table);
  expect(second.answered).toBe(1);
  expect(second.question?.cell).not.toBe(cell);
  const [kept] = await sql`select * from taught_cells where data_source_id = ${table.dataSourceId}`;
  expect(kept).toMatchObject({ column_name: column, cell, verdict: "Unsure" });
  // Said again, the later answer counts.
  expect(await answerQuestion(ctx, { ...table, column, cell, verdict: "Right" })).toMatchObject({
    answered: 1,
  });
  expect(await undoAnswer(ctx, { ...table, all: false })).toMatchObject({ answered: 0 });
  expect((await nextQuestion(ctx, table)).question).toEqual(question);
  expect(await undoAnswer(ctx, { ...table, all: false })).toMatchObject({ answered: 0 });
});

test("not more answers than questions, no unknown table, and no answer to what nobody may see", async () => {
  const cell = (n: number) => `${String(n).padStart(32, "0")}-${"0".repeat(32)}`;
  const answer = (n: number) =>
    answerQuestion(ctx, { ...table, column: "weight", cell: cell(n), verdict: "Wrong" });
  for (let n = 0; n < maxQuestions; n++) await answer(n);
  await expect(answer(99)).rejects.toMatchObject({ code: "conflict" });
  // Answers about rows that are not there any more are no answers about others.
  await expect(nextQuestion(ctx, table)).resolves.toMatchObject({ question: null, answered: maxQuestions });
  const unknown = { ...table, tableName: "nothing" };
  await expect(nextQuestion(ctx, unknown)).rejects.toMatchObject({ code: "not_found" });
  await expect(
    answerQuestion(ctx, { ...table, dataSourceId: 0, column: "a", cell: cell(1), verdict: "Right" }),
  ).rejects.toMatchObject({ code: "not_found" });
});

test("a table of one row has little to ask about and one of none has nothing", async () => {
  await sql.unsafe("delete from taught.parcels where id > 1");
  expect((await teach()).length).toBeLessThanOrEqual(4);
  await sql.unsafe("delete from taught.parcels");
  const empty = { ...table, dataSourceId: (await aDataSource()).id };
  await expect(nextQuestion(ctx, empty)).resolves.toMatchObject({ question: null, answered: 0 });
});

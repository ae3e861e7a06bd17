import { and, count, desc, eq } from "drizzle-orm";
import type { SignedIn } from "../../auth/principal.ts";
import { getContractSource } from "../../data-quality/service/contract-sources.ts";
import { db } from "../../db/client.ts";
import { derivedKey } from "../../db/encryption.ts";
import { Problem } from "../../errors.ts";
import type { ObservedTable } from "../../profile/observed-table.ts";
import type { TaughtTable, TeachAnswer } from "../schema.ts";
import { type TableName, taughtCells } from "../tables.ts";
import { maxQuestions, type Taught } from "../teach/lesson.ts";
import { RowHashes, type TaughtCell } from "../teach/taught-cell.ts";
import { lockFindings } from "./learn.ts";

/** What people said about single cells of a table, the first answer first. */
export function listTaughtCells(dataSourceId: number, table: TableName): Promise<TaughtCell[]> {
  return db
    .select({
      column: taughtCells.columnName,
      cell: taughtCells.cell,
      verdict: taughtCells.verdict,
    })
    .from(taughtCells)
    .where(isOf({ ...table, dataSourceId }))
    .orderBy(taughtCells.id);
}

/** What people said about cells of a table as it was read, where the values are still those that were asked about. */
export const answersAbout = (table: ObservedTable, kept: readonly TaughtCell[]): Taught[] =>
  kept.length === 0 ? [] : rowHashesOf(table).answersIn(kept);

export const rowHashesOf = (table: ObservedTable): RowHashes =>
  new RowHashes(table, derivedKey("taught cells"));

const isOf = ({ dataSourceId, schemaName, tableName }: TaughtTable) =>
  and(
    eq(taughtCells.dataSourceId, dataSourceId),
    eq(taughtCells.schemaName, schemaName),
    eq(taughtCells.tableName, tableName),
  );

/**
 * Keeps what someone says of a cell. Said again, the later answer counts. Throws not_found and rejected like
 * `getContractSource`, and conflict when enough was asked about the table.
 */
export async function answerQuestion(
  ctx: SignedIn,
  { column: columnName, cell, verdict, ...table }: TeachAnswer,
) {
  await getContractSource(ctx, table.dataSourceId);
  return db.transaction(async (tx) => {
    await lockFindings(tx, table.dataSourceId);
    const isCell = and(isOf(table), eq(taughtCells.columnName, columnName), eq(taughtCells.cell, cell));
    const [known] = await tx.update(taughtCells).set({ verdict }).where(isCell).returning();
    const before = await answersIn(tx, table);
    if (known) return stateOf(before);
    if (before >= maxQuestions)
      throw new Problem("conflict", `${maxQuestions} questions about the table have been answered`);
    await tx
      .insert(taughtCells)
      .values({ ...table, columnName, cell, verdict, answeredById: ctx.principal.userId });
    return stateOf(before + 1);
  });
}

/** Takes the latest answer about a table back, or all. Throws not_found and rejected like `getContractSource`. */
export async function undoAnswer(ctx: SignedIn, { all, ...table }: TaughtTable & { all: boolean }) {
  await getContractSource(ctx, table.dataSourceId);
  return db.transaction(async (tx) => {
    await lockFindings(tx, table.dataSourceId);
    const [latest] = await tx
      .select({ id: taughtCells.id })
      .from(taughtCells)
      .where(isOf(table))
      .orderBy(desc(taughtCells.id))
      .limit(1);
    if (latest) await tx.delete(taughtCells).where(all ? isOf(table) : eq(taughtCells.id, latest.id));
    return stateOf(await answersIn(tx, table));
  });
}

const stateOf = (answered: number) => ({ answered, maxQuestions });

async function answersIn(tx: Pick<typeof db, "select">, table: TaughtTable): Promise<number> {
  const [row] = await tx.select({ answered: count() }).from(taughtCells).where(isOf(table));
  return row?.answered ?? 0;
}

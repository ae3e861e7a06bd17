import { and, eq, inArray, sql } from "drizzle-orm";
import { projectOf, sourcesBeside } from "../../data-sources/service/same-project.ts";
import { db, type Transaction } from "../../db/client.ts";
import type { FindingKind } from "../kinds.ts";
import { type Answer, type Likeness, learnedConfidence } from "../learned.ts";
import type { Merged } from "../merge.ts";
import { rankOf } from "../severity.ts";
import { findings, type TableName } from "../tables.ts";

/**
 * Where what was answered about findings reaches others: those that are stored (`relearn`), whenever someone decides
 * and after each scan, and those that were just found (`withLessons`), in scans, suggestions, and first plans.
 */

/** What was answered in the project of a data source. */
export async function listAnswers(
  dataSourceId: number,
  { kind, tx = db }: { kind?: FindingKind | undefined; tx?: Pick<Transaction, "select"> } = {},
): Promise<Answer[]> {
  const rows = await tx
    .select({
      ...{ findingId: findings.id, dataSourceId: findings.dataSourceId, status: findings.status },
      ...{ schemaName: findings.schemaName, tableName: findings.tableName, kind: findings.kind },
      ...{ columns: findings.columns, columnKinds: findings.columnKinds, unlearned: findings.unlearned },
    })
    .from(findings)
    .where(
      and(
        inArray(findings.dataSourceId, sourcesBeside(tx, dataSourceId)),
        inArray(findings.status, ["Accepted", "Dismissed"]),
        kind === undefined ? undefined : eq(findings.kind, kind),
      ),
    );
  return rows.flatMap(({ status, ...row }) =>
    status === "Accepted" || status === "Dismissed" ? { ...row, verdict: status } : [],
  );
}

/** Only one at a time decides about findings of a project, or stores some, so that no answer is overlooked. */
export async function lockFindings(tx: Transaction, dataSourceId: number): Promise<void> {
  const key = `findings of project ${(await projectOf(tx, dataSourceId)) ?? 0}`;
  await tx.execute(sql`select pg_advisory_xact_lock(hashtextextended(${key}, 0))`);
}

/**
 * Has open findings of the project follow the answers as they are now: those of one kind, or those of one table. The
 * caller has called `lockFindings`.
 */
export async function relearn(
  tx: Transaction,
  dataSourceId: number,
  of: { kind: FindingKind } | TableName,
): Promise<void> {
  const answers = await listAnswers(dataSourceId, { kind: "kind" in of ? of.kind : undefined, tx });
  const open = await tx
    .select({
      ...{ id: findings.id, dataSourceId: findings.dataSourceId, kind: findings.kind },
      ...{ schemaName: findings.schemaName, tableName: findings.tableName, columns: findings.columns },
      ...{ columnKinds: findings.columnKinds, unlearned: findings.unlearned, learned: findings.learned },
      ...{ confidence: findings.confidence, severity: findings.severity },
      ...{ failingRows: findings.failingRows, totalRows: findings.totalRows },
    })
    .from(findings)
    .where(
      and(
        eq(findings.status, "Open"),
        ...("kind" in of
          ? [inArray(findings.dataSourceId, sourcesBeside(tx, dataSourceId)), eq(findings.kind, of.kind)]
          : [
              eq(findings.dataSourceId, dataSourceId),
              eq(findings.schemaName, of.schemaName),
              eq(findings.tableName, of.tableName),
            ]),
      ),
    );
  const changed = open.flatMap((finding) => {
    const { confidence, learned } = learnedConfidence(finding, answers);
    const isSame =
      confidence === finding.confidence && JSON.stringify(learned) === JSON.stringify(finding.learned);
    return isSame ? [] : { id: finding.id, confidence, learned, rank: rankOf({ ...finding, confidence }) };
  });
  if (changed.length === 0) return;
  await tx.execute(sql`
    update ${findings} set confidence = new.confidence, rank = new.rank, learned = new.learned
    from jsonb_to_recordset(${JSON.stringify(changed)}::jsonb)
      as new(id integer, confidence double precision, rank double precision, learned jsonb)
    where ${findings.id} = new.id`);
}

/** What was found in a data source, with what was answered about findings like it; the surest first. Pure. */
export function withLessons<Found extends Merged>(
  dataSourceId: number,
  found: readonly Found[],
  answers: readonly Answer[],
): Found[] {
  return found
    .map((each) => {
      const place = likenessIn(dataSourceId, each.candidate);
      const { confidence } = learnedConfidence({ ...place, unlearned: each.confidence }, answers);
      return { ...each, confidence, unlearned: each.confidence };
    })
    .toSorted((a, b) => b.confidence - a.confidence);
}

function likenessIn(dataSourceId: number, { kind, columns, table }: Merged["candidate"]): Likeness {
  const { schemaName, tableName } = table;
  return { dataSourceId, schemaName, tableName, kind, columns, columnKinds: columnKindsOf(table, columns) };
}

/** What kinds of values columns have. Pure. */
export const columnKindsOf = (table: Merged["candidate"]["table"], columns: readonly string[]) =>
  columns.flatMap((name) => table.columns.find((column) => column.name === name)?.kind ?? []);

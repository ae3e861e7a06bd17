import { randomUUID } from "node:crypto";
import { db } from "../../db/client.ts";
import { findingScans, findings } from "../../findings/tables.ts";

/** A scan that another process is running. */
export async function aRunningScan(
  dataSourceId: number,
  more: Partial<typeof findingScans.$inferInsert> = {},
) {
  const leaseUntil = new Date(Date.now() + 60_000);
  const [scan] = await db
    .insert(findingScans)
    .values({ dataSourceId, tablesTotal: 2, leaseToken: randomUUID(), leaseUntil, ...more })
    .returning();
  if (!scan) throw new Error("The insert returned no scan");
  return scan;
}

/** A stored finding, two rows without an email address, of a completed scan. */
export async function aFinding(finding: { dataSourceId: number } & Partial<typeof findings.$inferInsert>) {
  const [scan] = await db
    .insert(findingScans)
    .values({
      ...{ dataSourceId: finding.dataSourceId, status: "Completed", finishedAt: new Date() },
      ...{ tablesDone: 1, tablesTotal: 1, leaseToken: randomUUID(), leaseUntil: new Date() },
    })
    .returning();
  if (!scan) throw new Error("The insert returned no scan");
  const [row] = await db
    .insert(findings)
    .values({
      scanId: scan.id,
      ...{ schemaName: "public", tableName: "users", kind: "MissingValue", columns: ["email"] },
      ...{ confidence: 0.9, severity: "Medium", rank: 0.002, failingRows: 2, totalRows: 2000 },
      statement: "2 of 2,000 rows of users have no email; all others do.",
      evidence: {},
      condition: { is: "null", column: "email" },
      rule: { type: "NullRate", configuration: { column: "email", maxNullPercent: 0 } },
      rowsSql: 'select doubted.* from "public"."users" as doubted where doubted."email" is null',
      sample: { columns: [{ name: "id", type: "int4" }], rows: [[7]], maskedColumns: [] },
      unlearned: finding.confidence ?? 0.9,
      ...finding,
    })
    .returning();
  if (!row) throw new Error("The insert returned no finding");
  return row;
}

import { and, asc, desc, eq, getTableColumns, gte, inArray, sql } from "drizzle-orm";
import type { SignedIn } from "../../auth/principal.ts";
import { getDataSource, listDataSources } from "../../data-sources/service/load-data-sources.ts";
import { db } from "../../db/client.ts";
import { Problem, problemIn } from "../../errors.ts";
import { examplesOf } from "../examples.ts";
import { shownFrom } from "../judge.ts";
import type { FindingFilter, OfSources } from "../schema.ts";
import { findings } from "../tables.ts";

const {
  condition: _,
  rank: __,
  decidedById: ___,
  columnKinds: ____,
  unlearned: _____,
  ...kept
} = getTableColumns(findings);

/** As it is told: the rows in doubt are many, so a list has examples of them. */
function shown<Row extends Pick<typeof findings.$inferSelect, "sample" | "columns">>({
  sample,
  ...row
}: Row) {
  return { ...row, examples: examplesOf(sample, row.columns) };
}

const findingNotFound = () => new Problem("not_found", "Finding not found");

/** How bad the worst finding is of the table that a finding is in, among those that are listed. */
const worstOfTable = sql`max(${findings.rank}) over (partition by ${findings.dataSourceId}, ${findings.schemaName}, ${findings.tableName})`;
const byTable = [
  sql`${worstOfTable} desc`,
  asc(findings.dataSourceId),
  asc(findings.schemaName),
  asc(findings.tableName),
];

/** A page of the findings that fit all of the filters and that the caller may see, worst first. */
export async function listFindings(
  ctx: SignedIn,
  { page, pageSize, projectId, sortBy, ...filter }: FindingFilter,
) {
  const visible = (await listDataSources(ctx, { projectId })).items;
  const projects = new Map(visible.map((source) => [source.id, source.projectId]));
  const { dataSourceId, schemaName, tableName, kind, status, minConfidence = shownFrom } = filter;
  const fits = and(
    inArray(findings.dataSourceId, [...projects.keys()]),
    dataSourceId === undefined ? undefined : eq(findings.dataSourceId, dataSourceId),
    schemaName === undefined ? undefined : eq(findings.schemaName, schemaName),
    tableName === undefined ? undefined : eq(findings.tableName, tableName),
    kind === undefined ? undefined : eq(findings.kind, kind),
    status === undefined ? undefined : eq(findings.status, status),
    gte(findings.confidence, minConfidence),
  );
  const totalCount = await db.$count(findings, fits);
  const rows = await db
    .select(kept)
    .from(findings)
    .where(fits)
    .orderBy(...(sortBy === "Table" ? byTable : []), desc(findings.rank), asc(findings.id))
    .limit(pageSize)
    .offset(page * pageSize);
  const items = rows.flatMap((row) => {
    const project = projects.get(row.dataSourceId);
    return project === undefined ? [] : { ...shown(row), projectId: project };
  });
  return { items, page, pageSize, totalCount };
}

/** The tables that have findings and that the caller may see, with how many of these are open and shown. */
export async function listTables(ctx: SignedIn, { projectId, dataSourceId }: OfSources) {
  const visible = (await listDataSources(ctx, { projectId })).items;
  const isOpen = sql`${findings.status} = 'Open' and ${findings.confidence} >= ${shownFrom}`;
  const items = await db
    .select({
      dataSourceId: findings.dataSourceId,
      schemaName: findings.schemaName,
      tableName: findings.tableName,
      openCount: sql<number>`count(*) filter (where ${isOpen})`.mapWith(Number),
    })
    .from(findings)
    .where(
      and(
        inArray(
          findings.dataSourceId,
          visible.map(({ id }) => id),
        ),
        dataSourceId === undefined ? undefined : eq(findings.dataSourceId, dataSourceId),
      ),
    )
    .groupBy(findings.dataSourceId, findings.schemaName, findings.tableName)
    .orderBy(findings.dataSourceId, findings.schemaName, findings.tableName);
  return { items };
}

/** Throws not_found for a finding that is unknown or of a project that the caller may not see. */
export async function getFinding(ctx: SignedIn, id: number) {
  const [row] = await db.select(kept).from(findings).where(eq(findings.id, id));
  if (!row) throw findingNotFound();
  const { projectId } = await getDataSource(ctx, row.dataSourceId).catch((error) => {
    throw problemIn(error)?.code === "not_found" ? findingNotFound() : error;
  });
  return { ...shown(row), projectId };
}

/** A finding with the condition that tells its rows, null where rows are missing. Throws like `getFinding`. */
export async function getFindingWithCondition(ctx: SignedIn, id: number) {
  const finding = await getFinding(ctx, id);
  const [row] = await db.select({ condition: findings.condition }).from(findings).where(eq(findings.id, id));
  return { ...finding, condition: row?.condition ?? null };
}

/** Some of the rows in doubt, masked. Throws not_found where there are none, and like `getFinding`. */
export async function getFindingSamples(ctx: SignedIn, id: number) {
  const { failingRows } = await getFinding(ctx, id);
  const [row] = await db.select({ sample: findings.sample }).from(findings).where(eq(findings.id, id));
  if (!row?.sample) throw new Problem("not_found", "This finding has no sample rows");
  return { ...row.sample, byValue: null, totalFailing: failingRows };
}

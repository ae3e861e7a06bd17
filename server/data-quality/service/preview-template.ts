import { asc, inArray } from "drizzle-orm";
import type { SignedIn } from "../../auth/principal.ts";
import { dialectOf } from "../../data-sources/dialects/dialects.ts";
import { isRest } from "../../data-sources/kinds.ts";
import { listKnownTables, readColumnNames } from "../../data-sources/service/known-tables.ts";
import { listDataSources } from "../../data-sources/service/load-data-sources.ts";
import { keyIn } from "../../data-sources/table-key.ts";
import { db } from "../../db/client.ts";
import { contracts } from "../tables.ts";
import { matcherOf, rulesGiven } from "../templates/matches.ts";
import { previewed, type TemplatePreview, type TemplateWrite } from "../templates/schema.ts";
import { dialectFor, tagsFor } from "./template-rules.ts";

type Draft = Pick<TemplateWrite, "selector" | "rule" | "newContracts"> & { projectId: number };
type Match = TemplatePreview["contracts"]["items"][number];

/** What a template would reach, by the tables as last read. The caller checks access to its project. */
export async function previewOf(
  ctx: SignedIn,
  { projectId, selector, rule, newContracts }: Draft,
): Promise<TemplatePreview> {
  const { items } = await listDataSources(ctx, { projectId });
  const wanted = new Set(selector.dataSourceIds);
  const sources = items.filter(
    ({ id, kind, connection }) =>
      (wanted.size === 0 || wanted.has(id)) && dialectOf(kind) !== null && !isRest(connection),
  );
  const ids = sources.map(({ id }) => id);
  const [known, targets] = await Promise.all([listKnownTables(ids), targetsIn(ids)]);
  const template = {
    id: 0,
    enabled: true,
    rule,
    matcher: matcherOf(selector, await tagsFor(db, projectId, [{ selector }])),
  };
  const withContract: Match[] = [];
  const without: Match[] = [];
  let newContractCount = 0;

  for (const { id: dataSourceId, name: dataSourceName, kind } of sources) {
    const columnsOf = await readColumnNames(db, { dataSourceId, kind });
    const own = targets.filter((target) => target.dataSourceId === dataSourceId);
    const matchOf = (named: { schemaName: string; tableName: string }): Match | null => {
      const table = { dataSourceId, schemaName: named.schemaName, tableName: named.tableName };
      const given = rulesGiven([template], { table, columns: columnsOf(table) }, dialectFor(kind));
      if (given.length === 0) return null;
      const columns = given.flatMap(({ column }) => column ?? []).slice(0, previewed.columns);
      return {
        ...{ ...table, dataSourceName, ruleCount: given.length, columns },
        ...{ contractId: null, contractName: null },
      };
    };
    const present = own.filter(({ archivedAt }) => archivedAt === null);
    for (const { id, name, ...target } of present) {
      const match = matchOf(target);
      if (match) withContract.push({ ...match, contractId: id, contractName: name });
    }
    const covered = new Set(present.map((target) => keyIn(kind, target)));
    const everCovered = new Set(own.map((target) => keyIn(kind, target)));
    for (const table of known.get(dataSourceId)?.tables ?? []) {
      if (covered.has(keyIn(kind, table))) continue;
      const match = matchOf(table);
      if (!match) continue;
      without.push(match);
      if (newContracts !== null && table.kind === "Table" && !everCovered.has(keyIn(kind, table)))
        newContractCount += 1;
    }
  }
  return {
    ruleCount: withContract.reduce((sum, { ruleCount }) => sum + ruleCount, 0),
    contracts: listed(withContract),
    withoutContract: listed(without),
    newContractCount,
    unread: sources.filter(({ id }) => !known.has(id)).map(({ id, name }) => ({ id, name })),
  };
}

const listed = (items: readonly Match[]) => ({
  total: items.length,
  items: items.slice(0, previewed.tables),
});

/** With those that are archived. */
const targetsIn = (dataSourceIds: readonly number[]) =>
  db
    .select({
      id: contracts.id,
      name: contracts.name,
      dataSourceId: contracts.dataSourceId,
      schemaName: contracts.schemaName,
      tableName: contracts.tableName,
      archivedAt: contracts.archivedAt,
    })
    .from(contracts)
    .where(inArray(contracts.dataSourceId, [...dataSourceIds]))
    .orderBy(asc(contracts.name), asc(contracts.id));

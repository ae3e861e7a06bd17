import type { SignedIn } from "../../auth/principal.ts";
import { isSourceError, type Session } from "../../data-sources/engines/engine.ts";
import type { DatabaseSchema } from "../../data-sources/schema.ts";
import { getSchema, refreshSchema, useSource } from "../../data-sources/service.ts";
import { asProblem } from "../../data-sources/source-problem.ts";
import { Problem } from "../../errors.ts";
import { counted, figure } from "../rules/figures.ts";
import { judge } from "../suggest/judge.ts";
import type { ProfileTarget, TableColumn, TableProfile } from "../suggest/profile.ts";
import { propose } from "../suggest/propose.ts";
import type { Suggestions } from "../suggest/schema.ts";
import { getContractSource } from "./contract-source.ts";
import { countRows, profileLimits, readProfile } from "./profile-tables.ts";

/** All of it, in milliseconds. A contract has at most so many rules. Tests shorten the time. */
export const suggestionLimits = { totalMs: 30_000, rules: 200 };

type Asked = { dataSourceId: number; schemaName?: string | undefined; tableName: string };

/**
 * Rules that a table passes today, each with what speaks for it: the table is read once, a large one in part, rules
 * are proposed from what was found, and each is then run on the whole table; only those that pass are answered.
 * Throws not_found, rejected for what is no database or no table of it, and what a data source that does not answer
 * throws.
 */
export async function suggestRules(
  ctx: SignedIn,
  { dataSourceId, tableName, ...asked }: Asked,
): Promise<Suggestions> {
  const { engine, defaultSchema } = await getContractSource(ctx, dataSourceId);
  const schemaName = asked.schemaName ?? defaultSchema;
  const deadline = performance.now() + suggestionLimits.totalMs;
  const suggest = (table: Table) => {
    const isTable = table.kind === "Table";
    const target = { engine, schemaName, tableName, rowEstimate: table.rowEstimate, isTable };
    return useSource(dataSourceId, (_, source) =>
      source.session((session) => suggestFor(session, target, table.columns, deadline)),
    );
  };
  try {
    const known = tableIn(await getSchema(ctx, dataSourceId), schemaName, tableName);
    if (known) return await suggest(known);
  } catch (error) {
    // It may have changed since it was read: a column that is gone is no longer understood.
    if (!isSourceError(error) || error.kind !== "statement") throw asProblem(error);
  }
  const table = tableIn(await refreshSchema(ctx, dataSourceId), schemaName, tableName);
  if (!table)
    throw new Problem(
      "rejected",
      `The data source has no table ${schemaName}.${tableName} that its login may read`,
    );
  return suggest(table).catch((error) => {
    throw asProblem(error);
  });
}

type Table = DatabaseSchema["items"][number]["tables"][number];

function tableIn({ items }: DatabaseSchema, schemaName: string, tableName: string): Table | undefined {
  const tables = items.find((each) => each.schemaName === schemaName)?.tables;
  return tables?.find((each) => each.tableName === tableName);
}

async function suggestFor(
  session: Session,
  target: ProfileTarget,
  all: readonly TableColumn[],
  deadline: number,
): Promise<Suggestions> {
  const { engine, schemaName } = target;
  const columns = all.slice(0, profileLimits.columns);
  const profile = await readProfile(session, target, columns);
  const patience = Math.max(1, Math.ceil((deadline - performance.now()) / 3));
  const totalRows = profile.isWhole ? profile.rows : await countRows(session, target, patience);
  const proposals = propose(profile, { schemaName, dialect: engine.dialect, totalRows });
  const { passed, unjudged } = await judge(session, engine, target, proposals, deadline);
  const kept = passed.slice(0, suggestionLimits.rules);
  return {
    items: kept.map((each) => ({ ...each, passes: true })),
    note: noteOf([
      profile.rows === 0 && "The table is empty, so it says nothing about its rules",
      !profile.isWhole && readInPart(profile, totalRows),
      all.length > columns.length &&
        `Only the first ${columns.length} of ${figure(all.length)} columns were looked at`,
      unjudged > 0 && `${counted(unjudged, "more proposal")} could not be judged in time and are left out`,
      passed.length > kept.length &&
        `${figure(passed.length - kept.length)} more are left out: a contract has no more rules`,
    ]),
  };
}

const noteOf = (parts: (string | false)[]) => parts.filter((part) => part !== false).join(". ") || null;

function readInPart({ rows }: TableProfile, totalRows: number | null): string {
  const all = totalRows === null ? "many more" : figure(totalRows);
  return `${counted(rows, "row")} of ${all} were read; every rule was then run on all of them`;
}

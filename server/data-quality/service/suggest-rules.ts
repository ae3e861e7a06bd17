import type { SignedIn } from "../../auth/principal.ts";
import type { Dialect } from "../../data-sources/dialects/dialect.ts";
import { isSourceError, type Session } from "../../data-sources/engines/engine.ts";
import { useSource } from "../../data-sources/service/connected-sources.ts";
import { getSchema, refreshSchema } from "../../data-sources/service/read-schema.ts";
import { asProblem } from "../../data-sources/source-problem.ts";
import { Problem } from "../../errors.ts";
import { tableIn } from "../../profile/service/find-table.ts";
import { readProfile } from "../../profile/service/profile-tables.ts";
import { countRows, type TableToRead } from "../../profile/service/read-table.ts";
import type { TableProfile } from "../../profile/table-profile.ts";
import { figure, plural } from "../../text.ts";
import { judge } from "../suggest/judge.ts";
import { withLists } from "../suggest/list-values.ts";
import { type Proposal, propose } from "../suggest/propose.ts";
import type { HoldingRules } from "../suggest/schema.ts";
import { getContractSource } from "./contract-sources.ts";

/** The total time in milliseconds, and the maximum number of rules in a contract. Tests shorten the time. */
export const suggestionLimits = { totalMs: 30_000, rules: 200 };

type Asked = { dataSourceId: number; schemaName?: string | undefined; tableName: string };

/**
 * `deadline` uses the clock of `performance`; `isUnwanted` excludes rules that contradict known facts.
 */
type Within = { deadline?: number; isUnwanted?: (rule: Proposal["rule"]) => boolean; room?: number };

/**
 * Suggests rules that a table passes today, each with its evidence: reads the table once, sampled if large, proposes
 * rules based on that, and runs each on the whole table; only those that pass are returned. Throws not_found, rejected
 * for what is not a database or not one of its tables, and errors of the data source.
 */
export async function suggestRules(
  ctx: SignedIn,
  { dataSourceId, tableName, ...asked }: Asked,
  { deadline = performance.now() + suggestionLimits.totalMs, ...filter }: Within = {},
): Promise<HoldingRules> {
  const { dialect, defaultSchema } = await getContractSource(ctx, dataSourceId);
  const schemaName = asked.schemaName ?? defaultSchema;
  const suggest = (table: Omit<TableToRead, "schemaName">) =>
    useSource(dataSourceId, (_, source) =>
      source.session((session) =>
        suggestFor(session, dialect, { ...table, schemaName }, { deadline, ...filter }),
      ),
    );
  try {
    const known = tableIn(await getSchema(ctx, dataSourceId), { schemaName, tableName });
    if (known) return await suggest(known);
  } catch (error) {
    // The table may have changed since: a rule on a dropped column no longer compiles.
    if (!isSourceError(error) || error.kind !== "statement") throw asProblem(error);
  }
  const table = tableIn(await refreshSchema(ctx, dataSourceId), { schemaName, tableName });
  if (!table)
    throw new Problem(
      "rejected",
      `The data source has no table ${schemaName}.${tableName} that its login can read`,
    );
  return suggest(table).catch((error) => {
    throw asProblem(error);
  });
}

async function suggestFor(
  session: Session,
  dialect: Dialect,
  table: TableToRead,
  {
    deadline,
    isUnwanted = () => false,
    room = suggestionLimits.rules,
  }: Omit<Within, "deadline"> & { deadline: number },
): Promise<HoldingRules> {
  const profile = await withLists(
    session,
    dialect,
    table,
    await readProfile(session, dialect, table),
    () => (deadline - performance.now()) / 3,
  );
  const patience = Math.max(1, Math.ceil((deadline - performance.now()) / 3));
  const totalRows = profile.isWhole ? profile.rows : await countRows(session, dialect, table, patience);
  const proposals = propose(profile, { schemaName: table.schemaName, dialect, totalRows }).filter(
    ({ rule }) => !isUnwanted(rule),
  );
  const { passed, unjudged } = await judge(session, dialect, table, proposals, deadline);
  const kept = passed.slice(0, room);
  return {
    items: kept,
    note: noteOf([
      profile.rows === 0 && "The table is empty, so there is nothing to suggest",
      !profile.isWhole && readInPart(profile, totalRows),
      table.columns.length > profile.columns.length &&
        `Only the first ${profile.columns.length} of ${figure(table.columns.length)} columns were profiled`,
      unjudged > 0 && `${plural(unjudged, "more suggestion")} could not be checked in time and were omitted`,
      passed.length > kept.length &&
        `${figure(passed.length - kept.length)} more were omitted: a contract cannot have more rules`,
    ]),
  };
}

/** Joins remarks to one line; null if there are none. */
export const noteOf = (parts: (string | false)[]) =>
  parts.filter((part) => part !== false).join(". ") || null;

function readInPart({ rows }: TableProfile, totalRows: number | null): string {
  const all = totalRows === null ? "many more" : figure(totalRows);
  return `${plural(rows, "row")} of ${all} were sampled; every rule was then checked on all rows`;
}

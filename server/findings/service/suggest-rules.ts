import type { SignedIn } from "../../auth/principal.ts";
import { compileRule } from "../../data-quality/compile.ts";
import { columnsIn } from "../../data-quality/rules/rules.ts";
import { getContractSource } from "../../data-quality/service/contract-sources.ts";
import {
  noteOf,
  suggestRules as suggestHoldingRules,
  suggestionLimits,
} from "../../data-quality/service/suggest-rules.ts";
import type { DatabaseSchema } from "../../data-sources/database-schema.ts";
import type { Dialect } from "../../data-sources/dialects/dialect.ts";
import { isSourceError, type Session } from "../../data-sources/engines/engine.ts";
import { useSource } from "../../data-sources/service/connected-sources.ts";
import { getSchema, refreshSchema } from "../../data-sources/service/read-schema.ts";
import { asProblem } from "../../data-sources/source-problem.ts";
import { tableIn } from "../../profile/service/find-table.ts";
import { unreadTable } from "../../profile/service/read-table.ts";
import { plural } from "../../text.ts";
import { isContradicted } from "../contradicted.ts";
import { doubtedValues } from "../doubted-values.ts";
import type { Fault } from "../fault.ts";
import { ruleFor, ruleNameFor } from "../proposed-rule.ts";
import type { ProposedRule } from "../schema.ts";
import type { Suggestions } from "../suggestion-schema.ts";
import { findFaults } from "./find-faults.ts";

type Asked = { dataSourceId: number; schemaName?: string | undefined; tableName: string };
type Suggestion = Suggestions["items"][number];

/** So much of the time may go to what is wrong; the rest is for what holds. */
const shareOfFaults = 0.6;

/**
 * Rules for a table: first those that fail today because something is wrong with it, found as a scan would find it and
 * worst first; then those that hold today and repeat or contradict none of these. Throws not_found, rejected for what
 * is no database or no table of it, and what a data source that does not answer throws.
 */
export async function suggestRules(ctx: SignedIn, asked: Asked): Promise<Suggestions> {
  const { dialect, defaultSchema } = await getContractSource(ctx, asked.dataSourceId);
  const deadline = performance.now() + suggestionLimits.totalMs;
  const table = await findTable(ctx, { ...asked, schemaName: asked.schemaName ?? defaultSchema }).catch(
    (error) => {
      throw asProblem(error);
    },
  );
  const { failing, faults, note } = table
    ? await suggestFailing(asked.dataSourceId, dialect, table, deadline).catch((error) => {
        throw asProblem(error);
      })
    : { failing: [], faults: [], note: null };
  const holding = await suggestHoldingRules(ctx, asked, {
    deadline,
    isUnwanted: (rule) => isContradicted(rule, faults),
    room: suggestionLimits.rules - failing.length,
  });
  const holds = holding.items.map(({ values = null, ...each }) => ({
    ...each,
    values,
    passes: true,
    finding: null,
  }));
  return {
    items: withoutDoubted(failing, holds, faults),
    note: noteOf([note ?? false, holding.note ?? false]),
  };
}

/**
 * What fails, then what holds. A list of values of which some are doubted does not hold; without these, it is the rule of
 * the suggestion that says so, since it catches the next wrong value, too.
 */
function withoutDoubted(
  failing: readonly Suggestion[],
  holding: readonly Suggestion[],
  faults: readonly Fault[],
): Suggestion[] {
  const [fails, holds] = [[...failing], [] as Suggestion[]];
  for (const each of holding) {
    const { rule, values } = each;
    const isDoubted = rule.column === null ? () => false : doubtedValues(rule.column, faults);
    const kept = (values ?? []).flatMap(({ value }) => (isDoubted(value) ? [] : value));
    if (kept.length === (values ?? []).length) {
      holds.push(each);
      continue;
    }
    const place = fails.findIndex(({ finding }) => finding?.columns.join() === rule.column);
    const fault = fails[place];
    if (!fault || kept.length === 0) continue;
    const { column, type } = rule;
    const configuration = { ...rule.configuration, values: kept };
    fails[place] = { ...fault, values, rule: { ...fault.rule, type, column, configuration } };
  }
  return [...fails, ...holds];
}

type Found = DatabaseSchema["items"][number]["tables"][number] & { schemaName: string };
type Table = { table: Found; all: Found[] };

/** null for one that is not there: what suggests the other rules says so. */
async function findTable(
  ctx: SignedIn,
  { dataSourceId, schemaName, tableName }: Required<Asked> & { schemaName: string },
): Promise<Table | null> {
  for (const read of [getSchema, refreshSchema]) {
    const schema = await read(ctx, dataSourceId);
    const table = tableIn(schema, { schemaName, tableName });
    if (!table) continue;
    const all = schema.items.flatMap((each) =>
      each.tables.map((own) => ({ ...own, schemaName: each.schemaName })),
    );
    return { table: { ...table, schemaName }, all };
  }
  return null;
}

/** What is wrong with the table, as rules that fail because of it. */
async function suggestFailing(
  dataSourceId: number,
  dialect: Dialect,
  { table, all }: Table,
  deadline: number,
): Promise<{ failing: Suggestion[]; faults: Fault[]; note: string | null }> {
  const timeLeft = () => deadline - performance.now();
  const totalMs = Math.floor(timeLeft() * shareOfFaults);
  const { faults, tables, isComplete } = await findFaults(dataSourceId, [table], all, {
    totalMs,
    priority: "person",
  });
  const failing: Suggestion[] = [];
  const untold: Fault[] = [];
  for (const fault of faults.slice(0, suggestionLimits.rules)) {
    const rule = await useSource(dataSourceId, (_, source) =>
      source.session((session) => failingRule(session, dialect, table, fault, timeLeft)),
    );
    if (rule === null) untold.push(fault);
    else add(failing, fault, rule);
  }
  return {
    failing,
    faults,
    note: noteOf([
      tables === 0 && "There was no time to look for what is wrong in the table",
      tables > 0 && !isComplete && "There was no time to look for everything that may be wrong in the table",
      untold.length > 0 &&
        `No rule can describe ${plural(untold.length, "more finding")}: ${untold.map(({ statement }) => statement.replace(/\.$/, "")).join("; ")}`,
    ]),
  };
}

/** One rule may fail for two reasons. */
function add(failing: Suggestion[], fault: Fault, rule: ProposedRule): void {
  const key = JSON.stringify([rule.type, rule.configuration]);
  const same = failing.find((each) => JSON.stringify([each.rule.type, each.rule.configuration]) === key);
  if (same) {
    same.evidence = `${same.evidence} ${fault.statement}`;
    return;
  }
  const { findingId, kind, columns, confidence, severity, statement } = fault;
  const { failingRows, totalRows, rowsSql } = fault;
  failing.push({
    rule: {
      ...{ name: ruleNameFor(kind, columns), type: rule.type, severity, weight: 1, enabled: true },
      column: "column" in rule.configuration ? (columnsIn(rule.type, rule.configuration)[0] ?? null) : null,
      configuration: rule.configuration,
    },
    evidence: statement,
    values: null,
    passes: false,
    finding: {
      ...{ id: findingId, kind, columns: [...columns], confidence, failingRows, totalRows, rowsSql },
    },
  });
}

/** The rule that fails for a fault today; where the one that a detector proposes does not, SQL that names the rows. */
async function failingRule(
  session: Session,
  dialect: Dialect,
  table: Found,
  { rule, condition }: Fault,
  timeLeft: () => number,
): Promise<ProposedRule | null> {
  if (rule === null || rule.type === "CustomSql" || (await fails(session, dialect, table, rule, timeLeft)))
    return rule;
  return ruleFor(null, condition, { ...unreadTable(dialect, table), dialect });
}

async function fails(
  session: Session,
  dialect: Dialect,
  table: Found,
  rule: ProposedRule,
  timeLeft: () => number,
): Promise<boolean> {
  const timeoutMs = Math.floor(timeLeft() / 2);
  if (timeoutMs <= 0) return true;
  try {
    const { statement, interpret } = compileRule(rule, table, dialect);
    return !interpret(await session.read(statement, { timeoutMs, maxRows: 1, maxBytes: 256 * 1024 })).passed;
  } catch (error) {
    if (!isSourceError(error) || error.kind === "unreachable") throw error;
    return error.kind === "timeout";
  }
}

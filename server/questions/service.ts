import { askNow } from "../actors/service/ask-now.ts";
import { withDescriptions } from "../actors/with-descriptions.ts";
import type { SignedIn } from "../auth/principal.ts";
import { loadContexts } from "../data-quality/service/contract-contexts.ts";
import { dialectOf } from "../data-sources/dialects/dialects.ts";
import { isDatabaseKind, isRest } from "../data-sources/kinds.ts";
import { loadDescriptions } from "../data-sources/service/descriptions.ts";
import { getDataSource, listDataSources } from "../data-sources/service/load-data-sources.ts";
import { getSchema } from "../data-sources/service/read-schema.ts";
import { env, type Settings } from "../env.ts";
import { Problem, problemIn } from "../errors.ts";
import { dryRun } from "../queries/dry-run.ts";
import { findNamedSource } from "../queries/named-source.ts";
import { queryByName } from "../queries/query-by-name.ts";
import { type AskedSource, promptFor, type Refused } from "./prompt.ts";
import type { Answer, AskInput } from "./schema.ts";
import { type WrittenSql, writtenSqlOutput } from "./written-sql.ts";

const most = {
  /** In a project with more data sources, the question must name one of them. */
  sources: 10,
  tables: 1000,
  outputTokens: 4000,
};

/** The cost of a question so far. */
type Spent = { model: string; tokensUsed: number; cost: number | null };

/**
 * Answers a question about data in natural language: a language model that knows the tables writes SQL, which passes
 * the same gates as a person's SQL and is run like it. Rejected SQL gets one correction.
 *
 * Throws not_found and invalid for the data source; rejected if the model says that it can't be answered, returns
 * nothing usable, or writes SQL that is rejected twice; rate_limited, source_unreachable, and source_timeout. The
 * audit log has the model's usage, whatever the outcome.
 */
export async function ask(ctx: SignedIn, input: AskInput, settings: Settings = env()): Promise<Answer> {
  const sources = await sourcesFor(ctx, input);
  const spent: Spent = { model: "", tokensUsed: 0, cost: 0 };
  try {
    const first = await written(input.question, sources, null, spent, settings);
    const outcome = await runOrRefuse(ctx, first, sources);
    if ("rows" in outcome) return answerOf(first, outcome, spent);
    const second = await written(input.question, sources, outcome, spent, settings);
    const last = await runOrRefuse(ctx, second, sources);
    if ("rows" in last) return answerOf(second, last, spent);
    throw new Problem(
      "rejected",
      `The language model wrote SQL that was rejected: ${last.errors.join("; ")}`,
    );
  } finally {
    if (spent.tokensUsed > 0) ctx.addToOutcome?.(`${spent.tokensUsed} tokens`);
  }
}

/** The data source for the audit log: null if several are involved. Throws like `ask`. */
export async function idOfAskedSource(ctx: SignedIn, input: AskInput): Promise<number | null> {
  const [only, ...others] = await databasesFor(ctx, input);
  return others.length === 0 ? (only?.id ?? null) : null;
}

async function sourcesFor(ctx: SignedIn, input: AskInput) {
  const databases = await databasesFor(ctx, input);
  return availableSources(await Promise.allSettled(databases.map(({ id }) => askedSource(ctx, id))));
}

/** The candidate data sources: the named one, or all in the project. */
async function databasesFor(ctx: SignedIn, { dataSourceId, dataSourceName, projectId }: AskInput) {
  const isNamed = dataSourceId !== undefined || dataSourceName !== undefined;
  const { items } = isNamed
    ? { items: [await findNamedSource(ctx, { dataSourceId, dataSourceName })] }
    : await listDataSources(ctx, projectId === undefined ? {} : { projectId });
  const databases = items.filter(({ kind }) => isDatabaseKind(kind));
  if (databases.length === 0)
    throw isNamed
      ? new Problem("rejected", "Questions need a database")
      : new Problem("not_found", "Data source not found");
  if (databases.length > most.sources)
    throw new Problem("invalid", `There are ${databases.length} databases: specify one by its name or ID`);
  return databases;
}

/** An unreachable data source is skipped as long as there are others. */
function availableSources(results: readonly PromiseSettledResult<AskedSource>[]): AskedSource[] {
  const failures = results.flatMap((each) => (each.status === "rejected" ? [each.reason] : []));
  const bug = failures.find((failure) => !problemIn(failure));
  if (bug !== undefined || failures.length === results.length) throw bug ?? failures[0];
  return results.flatMap((each) => (each.status === "fulfilled" ? [each.value] : []));
}

async function askedSource(ctx: SignedIn, id: number): Promise<AskedSource> {
  const [{ name, kind, connection }, { items }, described, contextOf] = await Promise.all([
    getDataSource(ctx, id),
    getSchema(ctx, id),
    loadDescriptions(id),
    loadContexts(id),
  ]);
  const dialect = dialectOf(kind);
  if (dialect === null || isRest(connection)) throw new Problem("rejected", "Questions need a database");
  const tables = items.flatMap(({ schemaName, tables }) =>
    tables.slice(0, most.tables).map((read) => {
      const table = withDescriptions({ ...read, schemaName }, described);
      return { ...table, context: contextOf(table) };
    }),
  );
  return {
    ...{ id, name, dialect: dialect.name, defaultSchema: dialect.defaultSchema(connection) },
    tables: tables.slice(0, most.tables),
  };
}

type Sql = { explanation: string; dataSourceId: number | null; sql: string };

/** Throws rejected for anything but SQL. */
async function written(
  question: string,
  sources: readonly AskedSource[],
  refused: Refused | null,
  spent: Spent,
  settings: Settings,
): Promise<Sql> {
  const { answer, failure, model, tokensUsed, cost } = await askNow<WrittenSql>(
    {
      ...promptFor(question, sources, refused),
      output: writtenSqlOutput,
      wanted: "query",
      maxOutputTokens: most.outputTokens,
      about: { asks: "a question", isRepair: refused !== null },
    },
    settings,
  );
  spent.model = model;
  spent.tokensUsed += tokensUsed;
  spent.cost = spent.cost === null || cost === null ? null : spent.cost + cost;
  if (answer === null) throw new Problem("rejected", failure ?? "The language model gave no answer");
  const { sql, explanation, dataSourceId } = answer;
  const words = plainWords(explanation);
  if (sql === null || sql.trim() === "")
    throw new Problem("rejected", `This cannot be answered: ${words || "the language model gave no reason"}`);
  return { sql: sql.replaceAll("\u0000", "").toWellFormed(), explanation: words, dataSourceId };
}

/** One line of limited length. */
const plainWords = (text: string) =>
  text
    .replace(/[\p{C}\s]+/gu, " ")
    .trim()
    .slice(0, 1000)
    .toWellFormed();

type Rows = Awaited<ReturnType<typeof queryByName>>;

/** The rows, or the error if different SQL could fix it. */
async function runOrRefuse(
  ctx: SignedIn,
  { sql, dataSourceId: said }: Sql,
  sources: readonly AskedSource[],
): Promise<Rows | Refused> {
  const dataSourceId = said ?? (sources.length === 1 ? (sources[0]?.id ?? null) : null);
  const refused = (errors: readonly string[]): Refused => ({ dataSourceId, sql, errors });
  if (dataSourceId === null || !sources.some(({ id }) => id === dataSourceId))
    return refused(["dataSourceId is not one of the listed data sources"]);
  try {
    const { valid, issues } = await dryRun(ctx, { dataSourceId, sql, parameters: {} });
    if (!valid) return refused(issues.map(({ gate, error }) => `${gate}: ${error}`));
    return await queryByName(ctx, { dataSourceId, sql, maxRows: 100 });
  } catch (error) {
    const problem = problemIn(error);
    if (problem?.code === "rejected" || problem?.code === "invalid") return refused([problem.detail]);
    throw error;
  }
}

function answerOf({ sql, explanation }: Sql, rows: Rows, { model, tokensUsed, cost }: Spent): Answer {
  const estimatedCost = cost === null ? null : Math.round(cost * 1e8) / 1e8;
  return { sql, explanation, ...rows, model, tokensUsed, estimatedCost };
}

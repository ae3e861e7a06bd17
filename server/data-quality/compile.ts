import type { Engine, Parameter, ResultSet, Statement } from "../data-sources/engines/engine.ts";
import type { RuleType } from "./rules/configuration.ts";
import type { SqlScope, Values, Verdict } from "./rules/rule.ts";
import { ruleDefinitions } from "./rules/rules.ts";

/** The part of an engine that SQL is written with. */
export type SqlEngine = Pick<Engine, "dialect" | "quote" | "placeholder">;

export type Target = { schemaName: string; tableName: string };

/** A rule as the contract holds it. */
export type MeasurableRule = { type: RuleType; configuration: Record<string, unknown> };

/** One rule as one statement of its engine, and how to read what comes back. */
export type CompiledRule = {
  statement: Statement;
  /** Whether it only aggregates the contract's table, so that it can be asked together with others. */
  sharesScan: boolean;
  interpret(result: ResultSet): Verdict;
};

/** Several rules as one statement, and how to read each of them from what comes back, in their order. */
export type CompiledScan = { statement: Statement; interpret: ((result: ResultSet) => Verdict)[] };

/** Throws ZodError when the configuration does not fit the type, and UnsupportedDialect. */
export function compileRule(rule: MeasurableRule, target: Target, engine: SqlEngine): CompiledRule {
  const { scope, parameters, dialect } = sqlScope(target, engine);
  const ready = ruleDefinitions[rule.type].ready(rule.configuration, dialect, scope);
  if ("verbatim" in ready)
    return {
      statement: { sql: ready.verbatim, parameters: [] },
      sharesScan: false,
      interpret: ready.interpret,
    };
  const sharesScan = "aggregates" in ready;
  return {
    statement: {
      sql: sharesScan ? select(ready.aggregates, scope) : ready.statement,
      ...(!sharesScan && ready.acrossCollations && { sqlAcrossCollations: ready.acrossCollations }),
      parameters,
      answersOneRow: true,
      ownSql: true,
    },
    sharesScan,
    interpret: (result) => ready.interpret(firstRow(result)),
  };
}

/** Rules that share a scan, each under aliases of its own. Throws what compiling one of them does. */
export function compileScan(
  rules: readonly MeasurableRule[],
  target: Target,
  engine: SqlEngine,
): CompiledScan {
  const { scope, parameters, dialect } = sqlScope(target, engine);
  const alias = (name: string, position: number) => `${name}_${position}`;
  const all: Record<string, string> = {};
  const interpret = rules.map(({ type, configuration }, position) => {
    // Rules bind one after the other, which is the order of the text.
    const ready = ruleDefinitions[type].ready(configuration, dialect, scope);
    if (!("aggregates" in ready)) throw new Error(`A ${type} rule asks for more than aggregates`);
    const names = Object.keys(ready.aggregates);
    for (const name of names) all[alias(name, position)] = ready.aggregates[name] ?? "null";
    return (result: ResultSet) => {
      const row = firstRow(result);
      return ready.interpret(
        Object.fromEntries(names.map((name) => [name, row[alias(name, position)] ?? null])),
      );
    };
  });
  return {
    statement: { sql: select(all, scope), parameters, answersOneRow: true, ownSql: true },
    interpret,
  };
}

/** How much of a sample is asked for: how many rows, and which columns when it is not all of them. */
export type SampleSize = { maxRows: number; columns?: readonly string[] | undefined };

/** Some of the rows that a rule fails for, as one statement; null for a type whose failures are no rows. Throws like `compileRule`. */
export function compileSample(
  rule: MeasurableRule,
  target: Target,
  engine: SqlEngine,
  { maxRows, columns }: SampleSize,
): Statement | null {
  const { scope, parameters, dialect } = sqlScope(target, engine);
  const value = (column: string) => `checked.${engine.quote(column)}`;
  const top = dialect === "sqlserver" ? `top (${maxRows}) ` : "";
  const limit = dialect === "sqlserver" ? "" : ` limit ${maxRows}`;
  const question = ruleDefinitions[rule.type].sample?.(rule.configuration, dialect, {
    ...scope,
    value,
    top,
    limit,
  });
  if (!question) return null;
  if ("statement" in question) return { sql: question.statement, parameters, ownSql: true };
  const shown = columns?.map(value).join(", ") ?? "checked.*";
  const rowsWhere = (condition: string) =>
    `select ${top}${shown} from ${scope.table} as checked where ${condition}${limit}`;
  const { failing, failingAcrossCollations } = question;
  return {
    sql: rowsWhere(failing),
    ...(failingAcrossCollations && { sqlAcrossCollations: rowsWhere(failingAcrossCollations) }),
    parameters,
    ownSql: true,
  };
}

/** Where rules write their SQL. What they bind is collected in `parameters`, in the order of the text. */
function sqlScope({ schemaName, tableName }: Target, engine: SqlEngine) {
  if (!engine.dialect) throw new Error("A contract's data source speaks SQL");
  const parameters: Parameter[] = [];
  const relation = (schema: string, table: string) => `${engine.quote(schema)}.${engine.quote(table)}`;
  const scope: SqlScope = {
    table: relation(schemaName, tableName),
    schemaName,
    tableName,
    id: (name) => engine.quote(name),
    relation,
    bind: (value) => engine.placeholder(parameters.push(value)),
  };
  return { scope, parameters, dialect: engine.dialect };
}

function select(aggregates: Record<string, string>, { id, table }: SqlScope): string {
  const expressions = Object.entries(aggregates).map(([name, expression]) => `${expression} as ${id(name)}`);
  return `select ${expressions.join(", ")} from ${table}`;
}

function firstRow({ columns, rows: [row] }: ResultSet): Values<string> {
  return Object.fromEntries(
    columns.map(({ name }, index) => {
      const cell = row?.[index] ?? null;
      return [name, cell === null ? null : String(cell)];
    }),
  );
}

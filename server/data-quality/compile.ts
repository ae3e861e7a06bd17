import type { Engine, Parameter, ResultSet, Statement } from "../data-sources/engines/engine.ts";
import type { RuleType } from "./rules/configuration.ts";
import type { ReadyRule, SqlScope, Values, Verdict } from "./rules/rule.ts";
import { ruleDefinitions } from "./rules/rules.ts";

/** The part of an engine that SQL is written with. */
export type SqlEngine = Pick<Engine, "dialect" | "quote" | "placeholder">;

export type Target = { schemaName: string; tableName: string };

/** A rule as the contract holds it. */
export type MeasurableRule = { type: RuleType; configuration: Record<string, unknown> };

/** One rule as one statement of its engine, and how to read what comes back. */
export type CompiledRule = { statement: Statement; interpret(result: ResultSet): Verdict };

/** Throws ZodError when the configuration does not fit the type, and UnsupportedDialect. */
export function compileRule(rule: MeasurableRule, target: Target, engine: SqlEngine): CompiledRule {
  const { scope, parameters, dialect } = sqlScope(target, engine);
  const ready = ruleDefinitions[rule.type].ready(rule.configuration, dialect, scope);
  if ("verbatim" in ready)
    return { statement: { sql: ready.verbatim, parameters: [] }, interpret: ready.interpret };
  return {
    statement: { sql: "aggregates" in ready ? selectAll(ready, scope) : ready.statement, parameters },
    interpret: (result) => ready.interpret(firstRow(result)),
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
    id: (name) => engine.quote(name),
    relation,
    bind: (value) => engine.placeholder(parameters.push(value)),
  };
  return { scope, parameters, dialect: engine.dialect };
}

function selectAll(
  { aggregates }: Extract<ReadyRule, { aggregates: unknown }>,
  { id, table }: SqlScope,
): string {
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

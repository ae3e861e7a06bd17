import type { Dialect, Parameter, ResultSet } from "../../data-sources/engines/engine.ts";
import { Decimal } from "../score.ts";
import { type Configuration, configurations, type RuleType } from "./configuration.ts";

/** What a rule's SQL is written with: everything that differs from contract to contract, made safe. */
export type SqlScope = {
  /** The contract's table, qualified and quoted. */
  table: string;
  /** The contract's schema as it is named, for what defaults to it. */
  schemaName: string;
  /** The contract's table as it is named, for where a name is looked up and not written. */
  tableName: string;
  /** One quoted identifier. */
  id(name: string): string;
  /** A qualified and quoted table. */
  relation(schemaName: string, tableName: string): string;
  /** Binds a value and answers its placeholder. Some engines count by position: bind in the order of the text. */
  bind(value: Parameter): string;
};

/**
 * What a rule asks the data source.
 *
 * - `aggregates`: expressions over the contract's table by name. Such rules can share one scan.
 * - `statement`: a SELECT of its own whose one row has the named columns; `acrossCollations` is the same for where
 *   the server does not compare texts of two collations.
 * - `verbatim`: a person's SQL, of which the first row is read.
 */
export type Question<Name extends string> =
  | { aggregates: Record<Name, string> }
  | { statement: string; acrossCollations?: string };
export type Verbatim = { verbatim: string };

/** What a sample's SQL is written with. */
export type SampleScope = SqlScope & {
  /** A column of the row that is looked at, qualified. */
  value(column: string): string;
  /** What limits a SELECT of the engine: one of the two is empty. */
  top: string;
  limit: string;
};

/**
 * What shows some of what a rule fails for.
 *
 * - `failing`: a condition that holds for the rows that fail, over the contract's table as `checked`.
 * - `statement`: a SELECT of its own, limited, where rows alone would not show it.
 */
export type SampleQuestion = { failing: string; failingAcrossCollations?: string } | { statement: string };

/** A measured row by name, as exact text; null is NULL. */
export type Values<Name extends string> = Readonly<Record<Name, string | null>>;

/** What a measurement means. Texts are for people; a score is exact, and rounded where it is stored. */
export type Verdict = {
  passed: boolean;
  score: Decimal;
  expectedValue: string | null;
  actualValue: string | null;
  message: string | null;
  /** What was measured as one number, in the type's unit, where there is one: a series of its own. */
  measured: Decimal | null;
  /** How many rows fail, or for Uniqueness values; null where that was not counted. */
  failing: Decimal | null;
};

type Told = {
  expected?: string;
  actual?: string | null;
  message?: string | null;
  score?: Decimal;
  measured?: Decimal | null;
  failing?: Decimal | string | null;
};

/** Binary unless a score is given: 100 or 0. */
export function verdict(
  passed: boolean,
  { expected, actual, message, score, measured, failing }: Told,
): Verdict {
  const rows = failing == null ? null : new Decimal(failing);
  return {
    passed,
    score: score ?? new Decimal(passed ? 100 : 0),
    expectedValue: expected ?? null,
    actualValue: actual ?? null,
    message: message ?? null,
    measured: measured ?? rows,
    failing: rows,
  };
}

export const pass = (told: Told) => verdict(true, told);
export const fail = (told: Told) => verdict(false, told);

/** The beginning that the specification wants for what is said of a rule whose SQL cannot run. */
export const executionFailedPrefix = "Execution failed: ";
export const couldNotRun = (reason: string) => fail({ message: `${executionFailedPrefix}${reason}` });

/** A rule of one contract, ready to be asked: its configuration is read, its SQL still to be bound. */
export type ReadyRule =
  | { aggregates: Record<string, string>; interpret(values: Values<string>): Verdict }
  | { statement: string; acrossCollations?: string; interpret(values: Values<string>): Verdict }
  | { verbatim: string; interpret(result: ResultSet): Verdict };

export type RuleDefinition = {
  type: RuleType;
  /** What it checks, in a few words. */
  label: string;
  /** Throws ZodError when the stored configuration does not fit, and UnsupportedDialect. */
  ready(configuration: unknown, dialect: Dialect, scope: SqlScope): ReadyRule;
  /** Only of types whose failures are rows. Throws like `ready`. */
  sample?(configuration: unknown, dialect: Dialect, scope: SampleScope): SampleQuestion;
};

/** The rule has no SQL for this engine. */
export class UnsupportedDialect extends Error {
  override readonly name = "UnsupportedDialect";

  constructor(type: RuleType, dialect: Dialect) {
    super(`${type} rules do not run on ${dialect}`);
  }
}

type PerDialect<Measure> = { postgresql: Measure; mysql?: Measure; sqlserver?: Measure };

function measureFor<Measure>(type: RuleType, measure: PerDialect<Measure>, dialect: Dialect): Measure {
  const found = measure[dialect];
  if (!found) throw new UnsupportedDialect(type, dialect);
  return found;
}

function readConfiguration<Type extends RuleType>(type: Type, configuration: unknown): Configuration<Type> {
  return configurations[type].parse(configuration) as Configuration<Type>;
}

/** A type of rule: what it asks in each engine's SQL, and what the answer means. `interpret` is pure. */
export function defineRule<Type extends RuleType, Name extends string>(definition: {
  type: Type;
  label: string;
  measure: PerDialect<(scope: SqlScope, configuration: Configuration<Type>) => Question<Name>>;
  sample?: PerDialect<(scope: SampleScope, configuration: Configuration<Type>) => SampleQuestion>;
  interpret(values: Values<Name>, configuration: Configuration<Type>): Verdict;
}): RuleDefinition {
  const { type, label, measure, sample, interpret } = definition;
  return {
    type,
    label,
    ready(stored, dialect, scope) {
      const configuration = readConfiguration(type, stored);
      const question = measureFor(type, measure, dialect)(scope, configuration);
      return { ...question, interpret: (values: Values<Name>) => interpret(values, configuration) };
    },
    ...(sample && {
      sample: (stored, dialect, scope) =>
        measureFor(type, sample, dialect)(scope, readConfiguration(type, stored)),
    }),
  };
}

/** A type of rule whose SQL is a person's own, so that nothing is known about what it answers. */
export function defineVerbatimRule<Type extends RuleType>(definition: {
  type: Type;
  label: string;
  sql(configuration: Configuration<Type>): string;
  interpret(result: ResultSet): Verdict;
}): RuleDefinition {
  const { type, label, sql, interpret } = definition;
  return {
    type,
    label,
    ready: (stored) => ({ verbatim: sql(readConfiguration(type, stored)), interpret }),
  };
}

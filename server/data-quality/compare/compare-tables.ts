import type { SampleMode } from "../../data-sources/sample.ts";
import { figure, plural } from "../../text.ts";
import { columnsSize } from "../compile.ts";
import { Decimal } from "../decimal.ts";
import { compare } from "../rules/compare.ts";
import { isAllowed, optionsInWords, type RuleOptions, textsOf } from "../rules/rule-options.ts";
import type { Configuration } from "../rules/rules.ts";
import { allColumnsOf } from "../rules/rules-sql.ts";
import type { TableColumn } from "../rules/table-columns.ts";
import { couldNotRun, type Verdict, verdict } from "../rules/verdict.ts";
import { compareAggregates, type DifferingFigure } from "./compare-aggregates.ts";
import { RowComparison, type RowsCompared } from "./compare-rows.ts";
import { differingValues, type Sampled } from "./differing-values.ts";
import { type Pair, pairOf, sharedPairs } from "./paired-columns.ts";
import type { Hashing } from "./row-hash.ts";
import { type Both, CannotCompare, Reader, SideFailed, type Sides } from "./sides.ts";

/** A rule that compares two tables, start to finish. */

export type ComparedTables = {
  sides: Sides;
  configuration: Configuration<"Compare">;
  options: RuleOptions;
  /** The other table in words. */
  otherName: string;
  /** "Off" leaves out the values of rows that differ. */
  samples: SampleMode;
  timeoutMs: number;
};

/** The verdict, with some of what differs. Throws SideFailed if this table's data source failed, not the other one's. */
export async function compareTables(asked: ComparedTables): Promise<Verdict> {
  const reader = new Reader(asked.sides, asked.timeoutMs);
  try {
    const { by } = asked.configuration;
    await reader.checkCondition();
    if (by === "RowCount") return await byRowCount(reader, asked);
    return await (by === "Rows" ? byRows(reader, asked) : byAggregates(reader, asked));
  } catch (error) {
    if (error instanceof CannotCompare) return couldNotRun(error.message);
    if (error instanceof SideFailed && error.side === asked.sides[1])
      return couldNotRun(`${asked.otherName}: ${error.message}`);
    throw error;
  }
}

async function byRowCount(reader: Reader, asked: ComparedTables): Promise<Verdict> {
  // Which of two missing tables is named would depend on which server is faster.
  await tablesOf(reader);
  const found = await reader.read((sql) => `select ${sql.count()} as n from ${sql.table} as checked`, {
    maxRows: 1,
    maxBytes: 1024,
  });
  const [here, there] = found.map(({ rows }) => String(rows[0]?.[0] ?? "0")) as Both<string>;
  const off = new Decimal(here).minus(there).abs();
  return judged(asked, {
    expected: `as many rows as ${asked.otherName}: ${plural(there, "row")}`,
    actual: off.isZero()
      ? plural(here, "row")
      : `${plural(here, "row")}, ${figure(off.toFixed())} ${new Decimal(here).lessThan(there) ? "fewer" : "more"}`,
    failing: off.toFixed(),
    all: here,
  });
}

async function byRows(reader: Reader, asked: ComparedTables): Promise<Verdict> {
  const { key: keyNames = [], columns } = asked.configuration;
  const tables = await tablesOf(reader);
  const key = keyNames.map((name) => pairOf(name, tables));
  const shared = columns
    ? { pairs: columns.map((name) => pairOf(name, tables)), left: [] }
    : sharedPairs(tables, keyNames);
  const pairs = [...key, ...shared.pairs.filter(({ name }) => !keyNames.includes(name))];
  const compared = { key, pairs, hashing: await hashingOf(reader, pairs) };
  const comparison = new RowComparison(reader, compared);
  try {
    await comparison.run();
  } catch (error) {
    if (error instanceof SideFailed && error.cause.kind === "timeout")
      throw new CannotCompare(stoppedInWords(error, comparison.found));
    throw error;
  }
  const { rows, differing, changed } = comparison.found;
  const counts = Object.entries(differing).filter(([, count]) => count > 0);
  const failing = counts.reduce((sum, [, count]) => sum + count, 0);
  const notes = [
    ...(shared.left.length > 0 ? [`Not compared: ${shared.left.join(", ")}`] : []),
    ...changed.flatMap((isChanged, place) =>
      isChanged
        ? `${asSentence(reader.sides[place]?.name ?? "")} changed while it was compared, so some rows may differ only because they were read before and after`
        : [],
    ),
  ];
  return judged(asked, {
    expected: `the same rows as ${asked.otherName}`,
    actual:
      failing === 0
        ? `${plural(rows[0], "row")}, all the same`
        : `${plural(failing, "row")} of ${figure(rows[0])} here and ${figure(rows[1])} there ${failing === 1 ? "differs" : "differ"}: ${counts.map(([kind, count]) => `${figure(count)} ${kind}`).join(", ")}`,
    failing: String(failing),
    all: String(rows[0]),
    message: notes.length === 0 ? null : notes.join(". "),
    sample: failing === 0 || asked.samples === "Off" ? null : await sampleOf(reader, comparison, compared),
  });
}

/** The verdict does not depend on it. */
async function sampleOf(
  reader: Reader,
  comparison: RowComparison,
  compared: { key: readonly Pair[]; pairs: readonly Pair[] },
): Promise<Sampled | null> {
  return differingValues(reader, comparison, compared).catch((error) => {
    if (error instanceof SideFailed) return null;
    throw error;
  });
}

async function byAggregates(reader: Reader, asked: ComparedTables): Promise<Verdict> {
  const { columns = [], functions = ["Sum"], groupBy = [], tolerancePercent } = asked.configuration;
  const tables = await tablesOf(reader);
  const pairs = {
    columns: columns.map((name) => pairOf(name, tables)),
    groupBy: groupBy.map((name) => pairOf(name, tables)),
  };
  const found = await compareAggregates(reader, { ...pairs, functions, tolerancePercent });
  const { groups, differing, figures } = found;
  const near = tolerancePercent === undefined ? "" : ` within ${tolerancePercent}%`;
  const expected = `the same aggregates as ${asked.otherName}${near}`;
  const same = groupBy.length === 0 ? "all the same" : `${plural(groups, "group")}, all the same`;
  return judged(asked, {
    expected,
    actual:
      differing === 0
        ? same
        : groupBy.length === 0
          ? inWords(figures)
          : `${plural(differing, "group")} of ${figure(groups)} ${differing === 1 ? "differs" : "differ"}`,
    failing: String(differing),
    all: String(groups),
    sample: differing === 0 || asked.samples === "Off" ? null : figureTable(figures, pairs.groupBy),
  });
}

/** "sum of amount 10.5 here, 11 there". */
const inWords = (figures: readonly DifferingFigure[]) =>
  figures
    .map(
      (each) => `${each.figure} ${figure(each.here ?? "NULL")} here, ${figure(each.there ?? "NULL")} there`,
    )
    .join("; ");

const maxFigures = 100;

function figureTable(figures: readonly DifferingFigure[], groupBy: readonly Pair[]): Sampled {
  const text = (name: string) => ({ name, type: "text" });
  return {
    columns: [
      ...groupBy.map(({ name, columns }) => ({ name, type: columns[0].type })),
      ...["figure", "this table", "other table"].map(text),
    ],
    rows: figures
      .slice(0, maxFigures)
      .map(({ group, figure: what, here, there }) => [...group, what, here, there]),
  };
}

type Told = {
  expected: string;
  actual: string;
  failing: string;
  all: string;
  message?: string | null;
  sample?: Sampled | null;
};

function judged({ options }: ComparedTables, { expected, failing, all, sample, ...told }: Told): Verdict {
  const words = optionsInWords(compare, textsOf(options));
  const passed = failing === "0" || isAllowed(options, { failing, all });
  return {
    ...verdict(passed, { expected: [expected, words].filter(Boolean).join(", "), failing, ...told }),
    ...(sample && { sample }),
  };
}

/** Both tables' columns. Throws CannotCompare for a table that cannot be read. */
async function tablesOf(reader: Reader) {
  const found = await reader.read((sql) => sql.tableColumns(sql.target), columnsSize);
  return found.map((result, place) => {
    const side = reader.sides[place];
    const columns = allColumnsOf(result);
    const name = asSentence(side?.name ?? "");
    if (columns.length === 0)
      throw new CannotCompare(`${name} does not exist, or the login cannot read any of its columns`);
    return { name, dialect: side?.dialect, columns };
  }) as unknown as Both<{ name: string; dialect: Sides[0]["dialect"]; columns: TableColumn[] }>;
}

/** Asks both servers to hash the same constants: they may be of versions whose own hash differs, or is missing. */
async function hashingOf(reader: Reader, pairs: readonly Pair[]): Promise<Hashing> {
  const [one, other] = reader.sides;
  const { ownHash } = one.dialect.comparison;
  if (one.dialect !== other.dialect || !ownHash) return "sha256";
  const types = [
    ["'1'", "numeric", { kind: "number", places: null }],
    ["'plumb line'", "text", { kind: "text" }],
    ["'2024-02-29 12:34:56.789'", "timestamp without time zone", { kind: "time", places: 6 }],
    ["'2.5'", "double precision", { kind: "float", form: "shortest" }],
  ] as const;
  const probe = `select ${ownHash(types.map(([value, type, held]) => [{ value, type }, held]))} as hash`;
  try {
    const [{ rows: here }, { rows: there }] = await reader.read(() => probe, { maxRows: 1, maxBytes: 1024 });
    return String(here[0]?.[0]) === String(there[0]?.[0]) && pairs.length > 0 ? "own" : "sha256";
  } catch (error) {
    if (error instanceof SideFailed && error.cause.kind === "statement") return "sha256";
    throw error;
  }
}

function stoppedInWords({ side, message }: SideFailed, { rows, differing }: RowsCompared): string {
  const found = Object.values(differing).reduce((sum, count) => sum + count, 0);
  const done =
    rows[0] + rows[1] === 0
      ? "nothing was compared yet"
      : `${plural(rows[0], "row")} here and ${figure(rows[1])} there were compared, of which ${figure(found)} differ`;
  return `${side.name} took too long (${message}): ${done}`;
}

const asSentence = (name: string) => name.charAt(0).toUpperCase() + name.slice(1);

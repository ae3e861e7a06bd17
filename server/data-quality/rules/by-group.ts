import type { Cell, ResultSet } from "../../data-sources/engines/engine.ts";
import { figure, plural } from "../../text.ts";
import { Decimal } from "../decimal.ts";
import { binaryScoring, type MeasuredRule, type Values } from "./rule.ts";
import { allRows, isAllowed, optionsInWords, type RuleOptions, textsOf } from "./rule-options.ts";
import { listedColumns } from "./sentence.ts";
import { couldNotRun, type JudgedGroup, type Verdict } from "./verdict.ts";

/**
 * A rule by group: each group of rows with the same values of one to three columns is judged like a table of its own,
 * and the rule passes if all of them do. Its score and figures are of all rows. The browser loads this file too.
 */

export const maxGroups = 1000;

/** The figures of all rows are the sums of the groups' figures; a group is the worse the higher `failing` is. */
export const summed = (failing: string) => ({
  all: <Measure extends string>(groups: readonly Values<Measure>[], measures: readonly Measure[]) =>
    Object.fromEntries(
      measures.map((name) => [name, Decimal.sum(0, ...groups.map((group) => group[name] ?? 0)).toFixed()]),
    ) as Values<Measure>,
  words: (actual: string) => `in all, ${actual}`,
  badness: (group: Values<string>) => new Decimal(group[failing] ?? 0),
});

/** What a statement by group gives: its groups' values first, then the measures by name. */
export function verdictByGroup(
  definition: MeasuredRule,
  configuration: Record<string, unknown>,
  options: RuleOptions,
  result: ResultSet,
): Verdict {
  const { byGroup, failingRows, measures } = definition;
  const names = options.groupBy ?? [];
  if (!byGroup) throw new Error(`${definition.type} rules cannot be judged by group`);
  const by = `by ${listedColumns(names)}`;
  if (result.rows.length > maxGroups)
    return couldNotRun(`there are more than ${figure(maxGroups)} groups ${by}`);
  if (result.truncated) return couldNotRun(`the groups ${by} are too large to read`);
  const groups = result.rows.map((row) => {
    const values = valuesOf(result, row, names.length);
    const verdict = definition.interpret(values, configuration);
    const rows = values[allRows] ?? "0";
    const failing = failingRows === undefined ? null : (values[failingRows] ?? null);
    const passed = verdict.passed || isAllowed(options, { failing, all: rows });
    const badness = byGroup.badness(values, configuration);
    return { key: row.slice(0, names.length), values, verdict, rows, passed, badness };
  });
  const stopped = groups.find(({ verdict }) => !verdict.couldRun);
  if (stopped) return stopped.verdict;

  const allOf = (some: typeof groups) =>
    definition.interpret(
      byGroup.all(
        some.map(({ values }) => values),
        measures,
      ),
      configuration,
    );
  const outcomeOf = (some: typeof groups) => {
    const passed = some.every((group) => group.passed);
    if (passed) return { passed, score: new Decimal(100) };
    return { passed, score: definition.scoring === binaryScoring ? new Decimal(0) : allOf(some).score };
  };
  const all = allOf(groups);
  const expectedValue = [all.expectedValue, optionsInWords(definition, textsOf(options))]
    .filter(Boolean)
    .join(", ");
  if (groups.length === 0) return { ...all, expectedValue };
  const failed = groups.filter(({ passed }) => !passed).toSorted(worstFirst);
  const words = `${figure(failed.length)} of ${plural(groups.length, "group")} ${failed.length === 1 ? "fails" : "fail"}`;
  return {
    ...all,
    ...outcomeOf(groups),
    expectedValue,
    actualValue: [words, all.actualValue && byGroup.words(all.actualValue)].filter(Boolean).join("; "),
    message: null,
    groups: {
      columns: names.map((name, place) => ({ name, type: result.columns[place]?.type ?? "" })),
      total: groups.length,
      failed: failed.map(judged),
      without: (isLeftOut) => outcomeOf(groups.filter((group) => group.passed || !isLeftOut(group.key))),
    },
  };

  function judged({ key, rows, values, verdict }: (typeof groups)[number]): JudgedGroup {
    const counted = failingRows ?? definition.byGroup?.counts;
    return {
      key,
      rows: Number(rows),
      failing: counted === undefined ? null : Number(values[counted] ?? 0),
      actualValue: verdict.actualValue,
    };
  }
}

type Ranked = { key: readonly Cell[]; rows: string; badness: Decimal };

/** Ties are broken by size, then by name, so that the order is the same each time. */
const worstFirst = (a: Ranked, b: Ranked) =>
  b.badness.comparedTo(a.badness) ||
  new Decimal(b.rows).comparedTo(a.rows) ||
  String(a.key).localeCompare(String(b.key), "en", { numeric: true });

function valuesOf({ columns }: ResultSet, row: readonly Cell[], keys: number): Values<string> {
  return Object.fromEntries(
    columns.slice(keys).map(({ name }, place) => {
      const cell = row[keys + place] ?? null;
      return [name, cell === null ? null : String(cell)];
    }),
  );
}

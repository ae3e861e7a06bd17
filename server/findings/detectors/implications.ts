import type { ObservedColumn } from "../../profile/observed-column.ts";
import type { ObservedTable } from "../../profile/observed-table.ts";
import { listed } from "../../text.ts";
import type { Candidate } from "../candidate.ts";
import { type Condition, rowsAgainst } from "../condition.ts";
import { have, quoted, rowsOf } from "../doubted.ts";
import { explainedBy, isAtTheEnd } from "../explained.ts";
import { rarityOf } from "../measured.ts";

/** How many values a category has, how many rows of one tell, how many may be against it, and by what chance. */
const limits = { values: 12, rows: 20, empty: 0.03, against: 0.02, contrast: 0.3, chance: 1e-7 };

/** A value of one column tells whether another is filled: what is shipped has a date, what is open has none. */
export function brokenImplicationsIn(table: ObservedTable): Candidate[] {
  // In a large table, what is open may be a hundredth of the rows, and still tell.
  const enough = Math.min(table.rowCount * limits.empty, limits.rows);
  const optional = table.columns.filter(({ nulls }) => nulls >= enough && nulls <= table.rowCount - enough);
  const broken = optional.flatMap((column) => {
    const found = table.columns
      .filter((each) => each !== column && isCategory(each))
      .flatMap((category) => implied(table, category, column));
    // Several categories may say the same; the one that tells of more rows is the reason.
    const best = Map.groupBy(found, ({ rows }) => rows.join());
    return [...best.values()].flatMap((same) => same.toSorted((a, b) => b.contrast - a.contrast)[0] ?? []);
  });
  // A code and its description are there together: one fault of both.
  const alike = Map.groupBy(broken, ({ category, isFilled, rows }) =>
    [category.name, isFilled, rows.join()].join("\n"),
  );
  return [...alike.values()].flatMap(([first, ...others]) =>
    first ? [described(table, first, others)] : [],
  );
}

type Broken = {
  category: ObservedColumn;
  column: ObservedColumn;
  /** The values of the category that tell, and how many rows have one of them. */
  values: string[];
  of: number;
  /** Whether the column is filled where they are. */
  isFilled: boolean;
  /** How often it is so with the other values. */
  contrast: number;
  rows: Int32Array;
};

/** Words, and numbers that count categories: 1 to 5, and not 4, 500, and 1,000. */
function isCategory({ values, numbers, kind }: ObservedColumn): boolean {
  if (values.length < 2 || values.length > limits.values) return false;
  if (!numbers) return true;
  return (
    kind !== "decimal" && kind !== "float" && Math.max(...numbers) - Math.min(...numbers) < values.length * 2
  );
}

function implied(table: ObservedTable, category: ObservedColumn, column: ObservedColumn): Broken[] {
  const empty = new Int32Array(category.values.length);
  let [rows, nulls] = [0, 0];
  for (const [row, index] of category.rows.entries()) {
    if (index < 0) continue;
    rows++;
    if ((column.rows[row] ?? -1) >= 0) continue;
    nulls++;
    empty[index] = (empty[index] ?? 0) + 1;
  }
  return [true, false].flatMap((isFilled) => {
    const wrong = (index: number) =>
      isFilled ? (empty[index] ?? 0) : (category.counts[index] ?? 0) - (empty[index] ?? 0);
    const all = (index: number) => category.counts[index] ?? 0;
    const sum = (indexes: readonly number[], of: (index: number) => number) =>
      indexes.reduce((total, index) => total + of(index), 0);
    const agreeing = [...category.values.keys()].filter(
      (index) => all(index) >= limits.rows && wrong(index) <= Math.max(1, all(index) * limits.against),
    );
    const [of, against] = [sum(agreeing, all), sum(agreeing, wrong)];
    if (agreeing.length === 0 || against === 0 || against > of * limits.against || of === rows) return [];
    const contrast = ((isFilled ? nulls : rows - nulls) - against) / (rows - of);
    if (contrast < limits.contrast || atMostByChance(against, of, contrast) > limits.chance) return [];
    const values = agreeing.map((index) => category.values[index] ?? "");
    const doubted = rowsAgainst(conditionOf(category, [column], { values, isFilled }), table);
    return { category, column, values, isFilled, of, contrast, rows: doubted };
  });
}

/** The chance of so few, of so many rows each of which is one with this chance; by Chernoff's bound. */
function atMostByChance(count: number, of: number, chance: number): number {
  const share = Math.max(count / of, 1e-9);
  if (share >= chance) return 1;
  const other = chance >= 1 ? 1e-9 : 1 - chance;
  return Math.exp(-of * (share * Math.log(share / chance) + (1 - share) * Math.log((1 - share) / other)));
}

function conditionOf(
  category: ObservedColumn,
  columns: readonly ObservedColumn[],
  { values, isFilled }: Pick<Broken, "values" | "isFilled">,
): Condition {
  const having: Condition = { is: "oneOf", column: category.name, values };
  const wrong = columns.map(({ name }): Condition => {
    const isNull: Condition = { is: "null", column: name };
    return isFilled ? isNull : { is: "not", condition: isNull };
  });
  const [one] = wrong;
  return { is: "all", of: [having, wrong.length === 1 && one ? one : { is: "any", of: wrong }] };
}

/** What a category tells of one column, or of several that are wrong in the same rows. */
function described(table: ObservedTable, first: Broken, others: readonly Broken[]): Candidate {
  const { category, values, isFilled, of, rows } = first;
  const same = [first, ...others];
  const contrast = same.reduce((least, each) => Math.min(least, each.contrast), 1);
  const columns = same.map(({ column }) => column);
  const names = columns.map(({ name }) => name);
  const named = values.slice(0, 3).map(quoted).join(", ") + (values.length > 3 ? ", …" : "");
  return {
    kind: "Impossible",
    table,
    columns: names,
    rows,
    condition: conditionOf(category, columns, first),
    outOf: of,
    statement:
      `${rowsOf(rows.length, of)} of ${table.tableName} with ${named} as ${category.name} ${have(rows.length)} ` +
      `${isFilled ? "no" : "a value in"} ${listed(names)}; all others ${isFilled ? "have one" : "have none"}.`,
    rule: null,
    features: {
      rarity: rarityOf(rows.length, of),
      few: 1 / rows.length,
      contrast,
      filled: Number(isFilled),
      isMoment: Number(columns.some(({ kind }) => kind === "date" || kind === "time")),
      explained: explainedBy(table, rows, [...names, category.name])?.share ?? 0,
      isAtEnd: Number(isAtTheEnd(table, rows)),
    },
    evidence: {},
  };
}

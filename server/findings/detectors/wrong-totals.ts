import type { ObservedTable } from "../../profile/observed-table.ts";
import { withArticle } from "../../text.ts";
import type { Candidate } from "../candidate.ts";
import type { Factor, Term } from "../condition.ts";
import { have, rowsOf } from "../doubted.ts";
import { explainedBy, isAtTheEnd } from "../explained.ts";
import { medianOf, rarityOf } from "../measured.ts";
import { type Equation, equationsIn } from "./equations.ts";

/** Rows where a total is not what the other columns make, which it is in nearly all rows. */
export function wrongTotalsIn(table: ObservedTable): Candidate[] {
  const equations = equationsIn(table);
  const said = new Set<string>();
  return equations
    .filter(({ against }) => against.length > 0)
    .toSorted((a, b) => a.columns.length - b.columns.length)
    .flatMap((equation) => {
      const doubted = doubtedOf(equation, equations);
      if (doubted === null) return [];
      // Said once, by the shortest equation, however many a wrong value is part of.
      const same = `${doubted} ${equation.against.join()}`;
      if (said.has(same)) return [];
      said.add(same);
      return described(table, equation, doubted);
    });
}

/**
 * The total, unless it agrees with another equation in these rows and one other column alone does not. null where each
 * of them agrees with others: then this equation is nearly true, and they are.
 */
function doubtedOf(equation: Equation, all: readonly Equation[]): string | null {
  const others = all.filter((each) => each !== equation);
  const cleared = equation.columns.map((column) => {
    const beside = others
      .filter(({ columns }) => columns.includes(column))
      .map(({ against }) => new Set(against));
    const agreeing = equation.against.filter((row) => beside.some((rows) => !rows.has(row)));
    return agreeing.length > equation.against.length / 2;
  });
  const doubted = equation.columns.filter((_, index) => !cleared[index]);
  if (doubted.length === 0) return null;
  // Wrong in every equation that it is part of.
  const twice = doubted.filter((column) => others.some(({ columns }) => columns.includes(column)));
  const one = doubted.length === 1 ? doubted[0] : twice.length === 1 && cleared[0] ? twice[0] : undefined;
  return (one ?? equation.total).column.name;
}

function described(table: ObservedTable, equation: Equation, doubted: string): Candidate {
  const { total, terms, tolerance, against, filled, telling, byChance, columns } = equation;
  const names = columns.map(({ column }) => column.name);
  return {
    kind: "Impossible",
    table,
    columns: [doubted],
    rows: against,
    condition: { is: "unequal", total: total.column.name, terms, tolerance },
    outOf: filled,
    statement:
      `${rowsOf(against.length, filled)} of ${table.tableName} ${have(against.length)} ${withArticle(total.column.name)} that is not ` +
      `${formula(terms)}; in all others it is.`,
    rule: null,
    features: {
      rarity: rarityOf(against.length, filled),
      few: 1 / against.length,
      byChance,
      telling: telling / filled,
      columns: 1 / (columns.length - 1),
      far: distance(equation),
      explained: explainedBy(table, against, names)?.share ?? 0,
      isAtEnd: Number(isAtTheEnd(table, against)),
    },
    evidence: {},
  };
}

/** How many of the rows against it are off by more than rounding, in any way that one rounds. */
function distance({ against, total, tolerance }: Equation): number {
  const size = medianOf(
    against.length === 0 ? [] : [...against].map((row) => Math.abs(total.rows[row] ?? 0)),
  );
  return Number.isNaN(size) ? 0 : Math.min(1, Math.log10(1 + size / tolerance) / 4);
}

/** `price × quantity − discount`, `net × (1 + tax / 100)`. */
export function formula(terms: readonly Term[]): string {
  return terms
    .map(({ sign, factors }, index) => {
      const product = factors.map((factor) => factorText(factor)).join(" × ");
      if (index === 0) return sign > 0 ? product : `−${product}`;
      return `${sign > 0 ? "+" : "−"} ${product}`;
    })
    .join(" ");
}

function factorText(factor: Factor): string {
  if (typeof factor === "string") return factor;
  const share =
    Math.abs(factor.times) === 1 ? factor.column : `${factor.column} / ${1 / Math.abs(factor.times)}`;
  if (factor.plus === 0) return factor.times > 0 ? share : `−${share}`;
  return `(${factor.plus} ${factor.times > 0 ? "+" : "−"} ${share})`;
}

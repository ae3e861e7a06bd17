import { Random } from "../faults/random.ts";
import { findSegments } from "../server/causes/find-segments.ts";
import type { Segment } from "../server/causes/segment.ts";
import { valueAt } from "../server/profile/observed-column.ts";
import { type ObservedTable, observe } from "../server/profile/observed-table.ts";
import { isIn, type Planted, plantCause } from "./causes/plant.ts";
import { plantWhy } from "./causes/planted-why.ts";
import { corpora, unseen } from "./findings/corpora/all.ts";
import { fetchPackages } from "./findings/corpora/packages.ts";
import { observedDatabase } from "./findings/corpus.ts";
import type { Say } from "./measure.ts";

const kinds = ["value", "moment", "both"] as const;
const whyKinds = ["segment", "moment", "upstream"] as const;
/** Of each kind; and how often rows fail by chance alone. */
const planted = 100;
const byChance = 300;
/** A cause is named if the rows of what is said and of what was planted are so much the same. */
const alike = 0.9;

/**
 * How often the cause of failing rows is said: planted in the tables of the findings' databases, which nothing was
 * fitted to, with rows that fail for no reason among them; and how often one is said of rows that fail by chance.
 */
export async function run(say: Say): Promise<void> {
  fetchPackages();
  const tables = Object.values({ ...corpora, ...unseen })
    .flatMap((make) => observedDatabase(make(1)).tables)
    .filter(({ rowCount, columns }) => rowCount >= 300 && columns.length >= 4);
  say(`${tables.length} tables of ${Object.keys({ ...corpora, ...unseen }).length} databases\n`);
  say("| cause | planted | said first | among three | not said | seconds |");
  say("|---|---|---|---|---|---|");
  const random = new Random(20261125);
  for (const kind of kinds) {
    const began = performance.now();
    const ranks = Array.from({ length: planted }, () => rankOf(...plantSomewhere(random, tables, kind)));
    const seconds = ((performance.now() - began) / 1000).toFixed(1);
    const within = (limit: number) => ranks.filter((rank) => rank < limit).length;
    say(
      `| ${kind} | ${planted} | ${within(1)} | ${within(3)} | ${planted - within(Infinity)} | ${seconds} |`,
    );
  }
  let said = 0;
  for (let index = 0; index < byChance; index++) {
    const table = random.pick(tables);
    const share = 0.01 + random.next() * 0.2;
    const failing = [...Array(table.rowCount).keys()].filter(() => random.chance(share));
    if (segmentsOf(table, failing).length > 0) said++;
  }
  say(`\nOf ${byChance} times that rows failed by chance, a cause was said ${said} times.`);
  sayWhy(say);
}

/** A hundred causes of all kinds in one list with all that merely happened: how often the true one is first. */
function sayWhy(say: Say): void {
  say("\n| cause, among all that changed | planted | first | among three | not listed |");
  say("|---|---|---|---|---|");
  const random = new Random(20261126);
  const all = Array.from({ length: 100 }, (_, place) => {
    const { kind, causes, isTrue } = plantWhy(random, whyKinds[place % whyKinds.length] ?? "segment");
    const rank = causes.findIndex(isTrue);
    return { kind, rank: rank < 0 ? Number.POSITIVE_INFINITY : rank };
  });
  for (const kind of [...whyKinds, null]) {
    const ranks = all.filter((each) => kind === null || each.kind === kind).map(({ rank }) => rank);
    const within = (limit: number) => ranks.filter((rank) => rank < limit).length;
    say(
      `| ${kind ?? "all"} | ${ranks.length} | ${within(1)} | ${within(3)} | ${ranks.length - within(Infinity)} |`,
    );
  }
}

function plantSomewhere(
  random: Random,
  tables: readonly ObservedTable[],
  kind: Planted["kind"],
): [ObservedTable, Planted] {
  for (;;) {
    const table = random.pick(tables);
    const cause = plantCause(random, table, kind);
    if (cause) return [table, cause];
  }
}

function segmentsOf(table: ObservedTable, failing: readonly number[]): Segment[] {
  const rows = failing.map((row) => table.columns.map((column) => valueAt(column, row)));
  return findSegments({ all: table, failing: observe(table, rows) }, { about: [], mayShow: () => true });
}

/** The place of the planted cause among what is said, from 0; Infinity if it is not said. */
function rankOf(table: ObservedTable, { isOfCause, failing }: Planted): number {
  const place = segmentsOf(table, failing).findIndex((segment) => {
    const isSaid = isIn(table, segment);
    let [both, either] = [0, 0];
    for (let row = 0; row < table.rowCount; row++) {
      const [one, other] = [isOfCause(row), isSaid(row)];
      if (one && other) both++;
      if (one || other) either++;
    }
    return both >= either * alike;
  });
  return place < 0 ? Number.POSITIVE_INFINITY : place;
}

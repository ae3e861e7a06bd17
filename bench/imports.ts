import { createReadStream } from "node:fs";
import { parseArgs } from "node:util";
import { readProject } from "../server/data-quality/imports/dbt/manifest.ts";
import { reduceManifest } from "../server/data-quality/imports/dbt/reduce-manifest.mjs";
import { suiteOf } from "../server/data-quality/imports/dbt/suite-of.ts";
import type { Destination } from "../server/data-quality/imports/destination.ts";
import { planOf } from "../server/data-quality/imports/plan.ts";
import { postgresql } from "../server/data-sources/dialects/postgresql.ts";
import type { Say } from "./measure.ts";

/**
 * How many tests of dbt projects become rules, by family, as if every table existed:
 * `npm run bench -- imports <manifest.json> …`, with manifests that `dbt compile` or `dbt parse` wrote. Tests that are not
 * carried over are listed by reason.
 */
const { positionals } = parseArgs({ allowPositionals: true });

export async function run(say: Say): Promise<void> {
  const files = positionals.slice(1);
  if (files.length === 0) return say("Name the manifests: npm run bench -- imports target/manifest.json …");
  const total = new Map<string, Counted>();
  const reasons = new Map<string, number>();
  say("| project | tests | carried over |\n|---|---|---|");
  for (const file of files) {
    const { project, families, notCarried } = await planned(file);
    for (const { family, tests, carried } of families) {
      const before = total.get(family) ?? { tests: 0, carried: 0 };
      total.set(family, { tests: before.tests + tests, carried: before.carried + carried });
    }
    for (const { family, reason } of notCarried) {
      const why = `${family}: ${reason}`;
      reasons.set(why, (reasons.get(why) ?? 0) + 1);
    }
    say(`| ${project} | ${row(sumOf(families))} |`);
  }
  say(`| all | ${row(sumOf([...total.values()]))} |`);
  say("\n| family | tests | carried over |\n|---|---|---|");
  for (const [family, counted] of [...total].toSorted(([, a], [, b]) => b.tests - a.tests))
    say(`| ${family} | ${row(counted)} |`);
  say("\nNot carried over:");
  for (const [why, count] of [...reasons].toSorted(([, a], [, b]) => b - a)) say(`${count} × ${why}`);
}

type Counted = { tests: number; carried: number };

const sumOf = (all: readonly Counted[]): Counted => ({
  tests: all.reduce((sum, { tests }) => sum + tests, 0),
  carried: all.reduce((sum, { carried }) => sum + carried, 0),
});
const row = ({ tests, carried }: Counted) =>
  `${tests.toLocaleString("en-US")} | ${carried.toLocaleString("en-US")} (${((carried / tests) * 100).toFixed(1)} %)`;

async function planned(file: string) {
  const project = readProject({ manifest: await reduceManifest(createReadStream(file)) });
  const suite = suiteOf(project, everything);
  const options = {
    ...{ dataSourceId: 1, defaultSchema: everything.defaultSchema, again: false },
    ...{ cronExpression: "0 6 * * *", timezone: "UTC", descriptions: new Map<string, string>() },
    ...{ tagsOf: () => [], isTaggedElsewhere: () => false },
  };
  return planOf(suite, [], options).shown;
}

/** A database that has every table; of columns, no more is known than what checks name. */
const everything: Destination = {
  dialect: postgresql,
  defaultSchema: "public",
  find: (schemaName, tableName) => ({ schemaName, tableName, columns: [] }),
};

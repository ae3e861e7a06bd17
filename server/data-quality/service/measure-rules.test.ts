import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { closeSources } from "../../data-sources/service/connected-sources.ts";
import { sql } from "../../db/client.ts";
import { LeaseLost } from "../../jobs/leases.ts";
import { aDataSource, ownConnection } from "../../test/factories/data-sources.ts";
import { limits } from "../limits.ts";
import type { RuleType } from "../rules/rules.ts";
import type { LastRun } from "../scan-order.ts";
import { measureRules } from "./measure-rules.ts";

/** Sharing a scan only affects the load on the data source: verdicts never depend on it. */

type Rule = { type: RuleType; configuration: Record<string, unknown>; lastRun?: LastRun };

let dataSourceId: number;
const usual = { ...limits };

beforeAll(async () => {
  dataSourceId = (await aDataSource()).id;
  await sql.unsafe(`
    create table reference (id int);
    insert into reference values (1), (2), (3), (null);
    create table three (n int);
    insert into three values (1), (2), (3);
    -- Looking at this column takes a second for every row; counting rows takes nothing.
    create function wait() returns int stable language plpgsql as $$ begin perform pg_sleep(1); return 1; end $$;
    create view slow as select n, nullif(wait(), n - n) as slow from three;
  `);
});

afterEach(() => {
  Object.assign(limits, usual);
});

afterAll(closeSources);

const measure = (tableName: string, rules: Rule[], sharing: boolean, report = async (_: number) => {}) =>
  measureRules({ dataSourceId, schemaName: "public", tableName, rules }, report, { sharing });

/** The reported result of each rule. An age increases while it is measured, so only its days are compared. */
async function verdicts(tableName: string, rules: Rule[], sharing: boolean) {
  const measured = await measure(tableName, rules, sharing);
  return measured.map(
    ({ rule, verdict: { score, actualValue, measured: number, withoutValues, ...verdict } }) => ({
      rule,
      ...verdict,
      ...(rule.type !== "Freshness" && { measured: number }),
      score: score.toString(),
      without: withoutValues?.({ values: 1, rows: 1 }).score.toString(),
      actualValue:
        actualValue?.replace(
          /^([\d,.]+) min old$/,
          (_, minutes) => `${Math.floor(Number(minutes.replaceAll(",", "")) / 1440)} days old`,
        ) ?? null,
    }),
  );
}

/** The same numbers for the same seed, from 0 up to 1 (mulberry32). */
function randomFrom(seed: number) {
  let state = seed;
  const next = () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
  const below = (limit: number) => Math.floor(next() * limit);
  const pick = <T>(choices: readonly T[]): T => choices[below(choices.length)] as T;
  return { below, pick, chance: (share: number) => next() < share };
}
type Random = ReturnType<typeof randomFrom>;

const columns = ["whole", "exact", "float", "words", "seen_at", "day", "nothing"];
/** A column, sometimes one that does not exist, or whose name must be quoted. */
const aColumn = ({ pick, chance }: Random) => (chance(0.1) ? pick(["missing", 'a "b".c']) : pick(columns));

async function aRandomTable(name: string, random: Random) {
  const { below, pick, chance } = random;
  const orNull = (value: string) => (chance(0.25) ? "null" : value);
  const texts = chance(0.5) ? ["'1'", "'2.5'", "'-3'"] : ["'1'", "'x'", "''", "'AB-1'", "'2026-01-01'"];
  const row = () =>
    `(${[
      orNull(String(below(6) - 1)),
      orNull(pick(["0.1", "1.005", "99999999999999999999.5", "-2"])),
      orNull(pick(["0.1", "2.5", "'NaN'", "'Infinity'", "0.30000000000000004"])),
      orNull(pick(texts)),
      orNull(`now() - interval '${below(5)} days 12 hours'`),
      orNull(`current_date - ${below(5)}`),
      "null",
    ].join(", ")})`;
  const rows = Array.from({ length: chance(0.15) ? 0 : 1 + below(30) }, row);
  await sql.unsafe(`
    create table ${name} (whole int, exact numeric, float float8, words text, seen_at timestamptz, day date, nothing text);
    ${rows.length > 0 ? `insert into ${name} values ${rows.join(", ")};` : ""}
    ${chance(0.3) ? `create index on ${name} (seen_at);` : ""}
    analyze ${name}`);
}

function aRandomRule(random: Random): Rule {
  const { below, pick, chance } = random;
  const column = aColumn(random);
  const bounds = () => {
    const min = pick(["-1", "0", "0.1", "1.005"]);
    const max = pick(["2", "2.5", "99999999999999999999.5"]);
    return pick([{ min }, { max }, { min, max }, {}]);
  };
  const configurations: Record<RuleType, Record<string, unknown>> = {
    Volume: pick([{ minRows: below(30) }, { maxRows: below(30) }, { minRows: 0, maxRows: 0 }]),
    NullRate: { column, maxNullPercent: pick([0, 12.5, 25, 100]) },
    Range: { column, ...bounds() },
    Mean: { column, ...bounds() },
    Freshness: { column, maxAgeMinutes: 1440 * below(4) },
    Uniqueness: { column },
    UniqueCombination: { columns: [column, column === "whole" ? "words" : "whole"] },
    Schema: {
      columns: [{ name: column, type: pick(["integer", "text"]), nullable: true }],
      whenAdded: pick(["Fail", "Ignore"]),
    },
    RowCondition: { condition: pick(["1 = 1", "1 = 0", "nonsense >"]) },
    AllowedValues: { column, values: ["1", "A"] },
    Compare: { by: "RowCount", otherTable: pick(["reference", "nowhere"]) },
    Pattern: { column, pattern: pick(["^[0-9]+$", "(", ".*", "^A"]) },
    Referential: {
      column,
      referenceTable: pick(["reference", "reference", "nowhere"]),
      referenceColumn: "id",
    },
    CustomSql: {
      sql: pick([
        "select 1 as passed, 'fine' as message",
        "select 0 as passed, 12.5 as score",
        "select passed from nowhere",
        "select 1 as passed into copied",
        "drop table reference",
      ]),
    },
  };
  const cheap = ["Volume", "NullRate", "Range", "Mean", "Freshness"] as const;
  const type = chance(0.7)
    ? pick(cheap)
    : pick([
        "Uniqueness",
        "UniqueCombination",
        "AllowedValues",
        "Compare",
        "RowCondition",
        "Schema",
        "Pattern",
        "Referential",
        "CustomSql",
      ] as const);
  const lastRun = { executionTimeMs: below(5000), couldRun: chance(0.8) };
  const rows = pick([{}, {}, { where: "whole > 3" }, { where: "nonsense >" }]);
  const allowed = type === "Range" ? pick([{}, { maxFailingRows: 3 }, { maxFailingPercent: 25 }]) : {};
  const configuration = { ...configurations[type], ...(type !== "CustomSql" && rows), ...allowed };
  return { type, configuration, ...(chance(0.5) && { lastRun }) };
}

describe("rules that share a scan are judged as if each were alone", () => {
  test.each([1, 2, 3, 4, 5, 6])("on random tables with random contracts (%d)", async (seed) => {
    const random = randomFrom(seed);
    const table = `random_${seed}`;
    await aRandomTable(table, random);
    for (let contract = 0; contract < 8; contract++) {
      const rules = Array.from({ length: 1 + random.below(9) }, () => aRandomRule(random));
      const target = random.chance(0.05) ? "nowhere" : table;
      expect(await verdicts(target, rules, true)).toEqual(await verdicts(target, rules, false));
    }
  });

  test.each(["empty", "nulls"])("on a table that is %s", async (table) => {
    await sql.unsafe(`create table ${table} (n int, at timestamptz)`);
    if (table === "nulls") await sql.unsafe("insert into nulls select null, null from generate_series(1, 4)");
    const rules: Rule[] = [
      { type: "Volume", configuration: { minRows: 1 } },
      { type: "NullRate", configuration: { column: "n", maxNullPercent: 10 } },
      { type: "Range", configuration: { column: "n", min: "1" } },
      { type: "Freshness", configuration: { column: "at", maxAgeMinutes: 5 } },
    ];
    const together = await verdicts(table, rules, true);
    expect(together).toEqual(await verdicts(table, rules, false));
    // Empty: no rows, 0% NULL, nothing out of range, no value. With four NULLs: 4 rows, 100 − (100 − 10) = 10.
    expect(together.map(({ score }) => score)).toEqual(
      table === "empty" ? ["0", "100", "100", "0"] : ["100", "10", "100", "0"],
    );
  });

  test("if one of them takes too long, which costs the others only a second try", async () => {
    limits.ruleTimeoutMs = 900;
    const rules: Rule[] = [
      { type: "Volume", configuration: { minRows: 3 } },
      { type: "NullRate", configuration: { column: "slow", maxNullPercent: 0 } },
      { type: "Range", configuration: { column: "n", max: "2" } },
    ];
    const together = await verdicts("slow", rules, true);
    expect(together).toMatchObject([
      { passed: true },
      {
        passed: false,
        score: "0",
        message: "Execution failed: The statement took longer than 0.9 s and was cancelled",
      },
      // (1 − 1/3) × 100
      { passed: false, score: expect.stringMatching(/^66\.66/) },
    ]);
    expect(together).toEqual(await verdicts("slow", rules, false));
  });

  test("if the scan fails at a value of one of them", async () => {
    await sql.unsafe("create table texts (t text); insert into texts values ('1'), ('x')");
    const rules: Rule[] = [
      { type: "Volume", configuration: { minRows: 2 } },
      { type: "Range", configuration: { column: "t", min: "0" } },
      { type: "NullRate", configuration: { column: "t", maxNullPercent: 0 } },
    ];
    const together = await verdicts("texts", rules, true);
    expect(together.map(({ message }) => message)).toEqual([
      null,
      'Execution failed: invalid input syntax for type numeric: "x"',
      null,
    ]);
    expect(together).toEqual(await verdicts("texts", rules, false));
  });
});

describe("connections", () => {
  const rules: Rule[] = [
    { type: "Volume", configuration: { minRows: 1 } },
    { type: "NullRate", configuration: { column: "slow", maxNullPercent: 0 } },
  ];

  test("one that breaks during a shared scan fails no rule that can do without it", async () => {
    await sql.unsafe("create view slow_once as select * from slow where n = 1");
    const measuring = verdicts("slow_once", rules, true);
    const cut = () => sql`
      select pg_terminate_backend(pid) from pg_stat_activity
      where datname = current_database() and state = 'active' and query like 'select%slow_once%'
        and pid <> pg_backend_pid()`;
    await expect.poll(async () => (await cut()).length, { timeout: 5000 }).toBe(1);
    expect((await measuring).map(({ passed }) => passed)).toEqual([true, true]);
  });

  test("an unavailable second one is not needed", async () => {
    const user = `${ownConnection().database}_lonely`;
    await sql.unsafe(
      `create role ${user} login password 'x' connection limit 1; grant select on three to ${user}`,
    );
    const lonely = await aDataSource({ connection: { user, password: "x" } });
    try {
      const wanted: Rule[] = [
        { type: "Uniqueness", configuration: { column: "n" } },
        { type: "Volume", configuration: { minRows: 1 } },
        { type: "Pattern", configuration: { column: "n", pattern: "[0-9]" } },
        { type: "Range", configuration: { column: "n", min: "1" } },
      ];
      const target = { dataSourceId: lonely.id, schemaName: "public", tableName: "three" };
      const measured = await measureRules({ ...target, rules: wanted }, async () => {});
      expect(measured.map(({ verdict }) => verdict.message)).toEqual([null, null, null, null]);
    } finally {
      await closeSources();
      await sql.unsafe(`drop owned by ${user}; drop role ${user}`);
    }
  });
});

describe("progress reports", () => {
  const volume: Rule = { type: "Volume", configuration: { minRows: 1 } };
  const unique: Rule = { type: "Uniqueness", configuration: { column: "n" } };
  const broken: Rule = { type: "NullRate", configuration: { column: "missing", maxNullPercent: 0 } };

  async function reports(rules: Rule[], sharing = true) {
    const counts: number[] = [];
    await measure("three", rules, sharing, async (done) => {
      counts.push(done);
    });
    return counts;
  }

  test("count every rule once, those that share a scan together, and only increase", async () => {
    expect(await reports([volume, volume, volume])).toEqual([3]);
    expect(await reports([volume, volume, volume], false)).toEqual([1, 2, 3]);
    // The broken one is detected before the scan.
    expect(await reports([volume, broken, volume])).toEqual([1, 3]);
    const mixed = await reports([unique, volume, unique, volume, unique]);
    expect(mixed).toEqual(mixed.toSorted((a, b) => a - b));
    expect(mixed.at(-1)).toBe(5);
    expect(mixed).toHaveLength(4);
  });

  test("a rule that could not run last time does not share the scan, unless none could", async () => {
    const failed = { executionTimeMs: 1, couldRun: false };
    expect(await reports([volume, { ...volume, lastRun: failed }, volume])).toHaveLength(2);
    expect(await reports([volume, volume].map((rule) => ({ ...rule, lastRun: failed })))).toEqual([2]);
  });

  test("losing the lease ends the work, on whichever connection that is noticed", async () => {
    const lost = async () => {
      throw new LeaseLost("Someone else works on it");
    };
    for (const rules of [[volume], [volume, volume, unique, unique], [broken, volume, volume]])
      await expect(measure("three", rules, true, lost)).rejects.toBeInstanceOf(LeaseLost);
    let count = 0;
    const lostAtTheSecond = async () => {
      count += 1;
      if (count > 1) throw new LeaseLost("Someone else works on it");
    };
    const rules = Array.from({ length: 20 }, () => unique);
    await expect(measure("three", rules, true, lostAtTheSecond)).rejects.toBeInstanceOf(LeaseLost);
    // The two that were being read at that time, and no more.
    expect(count).toBeLessThanOrEqual(3);
  });

  test("the time of a scan is divided among its rules, so that nothing is counted twice", async () => {
    const startedAt = performance.now();
    const measured = await measure(
      "slow",
      [
        { type: "NullRate", configuration: { column: "slow", maxNullPercent: 0 } },
        { type: "Volume", configuration: { minRows: 1 } },
        { type: "Volume", configuration: { minRows: 2 } },
      ],
      true,
    );
    const [first = 0, ...others] = measured.map(({ executionTimeMs }) => executionTimeMs);
    expect(first).toBeGreaterThanOrEqual(333);
    expect(others).toEqual([first, first]);
    expect(first * 3).toBeLessThanOrEqual(performance.now() - startedAt + 3);
  });
});

import { expect, test } from "vitest";
import { optionFields } from "./rule-options.ts";
import { moreInWords, ruleSentence, type SaidRule } from "./rule-sentence.ts";
import { formFieldsOf, type RuleType, ruleDefinition, ruleTypes } from "./rules.ts";

const said = (type: RuleType, configuration: Record<string, unknown>, rest: Partial<SaidRule> = {}) =>
  ruleSentence({ type, configuration, ...rest });

const columns = [
  { name: "id", type: "integer", nullable: false },
  { name: "note", type: "text", nullable: true },
];

test("each type reads as a sentence", () => {
  expect(said("Freshness", { column: "at", maxAgeMinutes: 60 })).toBe(
    "The newest at is at most 60 minutes old",
  );
  expect(said("Freshness", { column: "at", maxAgeMinutes: 1440 })).toBe(
    "The newest at is at most 24 hours old",
  );
  expect(said("Freshness", { column: "at", maxAgeMinutes: 4320 })).toContain("at most 3 days old");
  expect(said("Volume", { minRows: 1000, maxRows: 2000 })).toBe("The table has 1,000 to 2,000 rows");
  expect(said("Volume", { minRows: 1 })).toBe("The table has at least 1 row");
  expect(said("Volume", { maxRows: 2000 })).toBe("The table has at most 2,000 rows");
  expect(said("NullRate", { column: "vat", maxNullPercent: 2.5 })).toBe("At most 2.5% of vat is NULL");
  expect(said("NullRate", { column: "vat", maxNullPercent: 0 })).toBe("No vat is NULL");
  expect(said("Uniqueness", { column: "id" })).toBe("No id occurs twice");
  expect(said("UniqueCombination", { columns: ["a", "b", "c"] })).toBe(
    "No combination of a, b, and c occurs twice",
  );
  const airports = { referenceTable: "airports", referenceColumn: "iata" };
  expect(said("Referential", { column: "origin", ...airports })).toBe("Every origin exists in airports.iata");
  expect(said("Referential", { column: "origin", ...airports, referenceSchema: "geo" })).toBe(
    "Every origin exists in geo.airports.iata",
  );
  expect(said("Range", { column: "delay", min: "-60", max: "1500" })).toBe(
    "Every delay is between -60 and 1500",
  );
  expect(said("Range", { column: "delay", min: "-60" })).toBe("Every delay is at least -60");
  expect(said("Mean", { column: "delay", min: "-60", max: "15.5" })).toBe(
    "The mean of delay is between -60 and 15.5",
  );
  expect(said("Mean", { column: "delay", usual: "Both" })).toBe("The mean of delay is as usual");
  expect(said("Pattern", { column: "code", pattern: "^[A-Z]{3}$" })).toBe("Every code matches ^[A-Z]{3}$");
  expect(said("AllowedValues", { column: "status", values: ["paid", "open"] })).toBe(
    "Every status is one of: paid, open",
  );
  expect(said("AllowedValues", { column: "origin", ...airports })).toBe(
    "Every origin is one of the values of airports.iata",
  );
  expect(said("RowCondition", { condition: "paid_at\n >= ordered_at", whenUnknown: "Fail" })).toBe(
    "Every row satisfies paid_at >= ordered_at, which is never unknown",
  );
  expect(said("Schema", { columns, whenRemoved: "Fail", whenAdded: "Ignore", whenMoved: "Warn" })).toBe(
    "The columns are as approved: id integer not null, note text; added columns are ignored; moved columns are only reported",
  );
  expect(said("Compare", { by: "RowCount", otherSchema: "raw", otherTable: "orders" })).toBe(
    "The table has as many rows as raw.orders",
  );
  expect(said("Compare", { otherDataSourceId: 3, otherTable: "orders", key: ["id", "line"] })).toBe(
    "The table has the same rows as orders in another data source, row by row on id and line",
  );
  expect(
    said("Compare", {
      by: "Aggregates",
      otherTable: "orders",
      columns: ["net", "tax"],
      functions: ["Sum", "Max"],
      groupBy: ["country"],
      tolerancePercent: 1,
    }),
  ).toBe("The table has the same sum, max of net and tax for each country as orders, within 1%");
  expect(said("CustomSql", { sql: "select 1\n  as passed" })).toBe(
    "The query says that it passed: select 1 as passed",
  );
});

test("the options follow, and how much it counts comes last", () => {
  expect(said("Range", { column: "delay", min: "0", where: "not\n canceled", maxFailingRows: 1 })).toBe(
    "Every delay is at least 0, where not canceled, up to 1 row may fail",
  );
  const latest = { lastHours: 72, timeColumn: "at", duplicatesAmong: "Rows" };
  expect(said("Uniqueness", { column: "id", ...latest })).toBe(
    "No id occurs twice, in the last 3 days by at, duplicates among these rows only",
  );
  expect(said("Uniqueness", { column: "id", ...latest, lastHours: 36 })).toContain(
    "in the last 36 hours by at",
  );
  const places = { groupBy: ["country", "city", "day"], maxFailingPercent: 2 };
  expect(
    said("Range", { column: "delay", min: "0", where: "x", ...places }, { severity: "High", weight: 2.5 }),
  ).toBe(
    "Every delay is at least 0, where x, by country, city, and day, up to 2% of the rows may fail in each group; High severity, weight 2.5",
  );
  expect(said("Freshness", { column: "at", maxAgeMinutes: 60, where: "status = 'paid'" })).toBe(
    "The newest at is at most 60 minutes old, counting only rows where status = 'paid'",
  );
  expect(said("Compare", { otherTable: "b", key: ["id"], where: "x" })).toBe(
    "The table has the same rows as b, row by row on id, rows of both tables where x",
  );
  expect(said("Uniqueness", { column: "id" }, { severity: "Medium", weight: "1", enabled: true })).toBe(
    "No id occurs twice",
  );
  expect(said("Uniqueness", { column: "id" }, { enabled: false })).toBe("No id occurs twice; disabled");
});

test("what is usual stands alone, or beside a bound", () => {
  expect(said("Volume", { usual: "Both" })).toBe("The row count is as usual");
  expect(said("Volume", { usual: "Below", minRows: 10 })).toBe(
    "The table has at least 10 rows, and the row count is not below what is usual",
  );
  expect(said("NullRate", { column: "vat", usual: "Above", usualWidth: 6, where: "x" })).toBe(
    "The share of NULL in vat is not above what is usual within 6 spreads, where x",
  );
  expect(said("Freshness", { column: "at", usual: "Above" })).toBe(
    "The age of the newest at is not above what is usual",
  );
});

test("nothing that can be set goes unsaid", () => {
  const own: Record<RuleType, Record<string, unknown>> = {
    Freshness: { column: "at", maxAgeMinutes: 60 },
    Volume: { minRows: 10, maxRows: 20 },
    NullRate: { column: "vat", maxNullPercent: 1 },
    Uniqueness: { column: "id" },
    UniqueCombination: { columns: ["a", "b"] },
    Referential: { column: "a", referenceSchema: "s", referenceTable: "t", referenceColumn: "c" },
    Range: { column: "a", min: "1", max: "2" },
    Mean: { column: "a", min: "1", max: "2" },
    Pattern: { column: "a", pattern: "x" },
    AllowedValues: { column: "a", values: ["x"] },
    RowCondition: { condition: "x", whenUnknown: "Fail" },
    Schema: {
      ...{ columns, whenRemoved: "Warn", whenTypeChanged: "Warn", whenNullabilityChanged: "Ignore" },
      ...{ whenAdded: "Fail", whenMoved: "Fail" },
    },
    Compare: {
      ...{ by: "Aggregates", otherDataSourceId: 2, otherSchema: "s", otherTable: "t", columns: ["v"] },
      ...{ functions: ["Max"], groupBy: ["day"], tolerancePercent: 1 },
    },
    CustomSql: { sql: "select 1" },
  };
  const options = {
    ...{ where: "x = 1", lastHours: 24, timeColumn: "at", duplicatesAmong: "Rows", groupBy: ["country"] },
    ...{ usual: "Above", usualWidth: 6 },
  };
  for (const type of ruleTypes) {
    const offered = Object.keys(optionFields(ruleDefinition(type), own[type]));
    for (const allowed of [{ maxFailingRows: 3 }, { maxFailingPercent: 2 }]) {
      const all = { ...own[type], ...options, ...allowed };
      const set = Object.fromEntries(
        Object.entries(all).filter(([key]) => key in own[type] || offered.includes(key)),
      );
      const whole = said(type, set);
      for (const key of Object.keys(set)) {
        const { [key]: _, ...without } = set;
        expect(said(type, without), `${type} without ${key}`).not.toBe(whole);
      }
      expect(Object.keys(set).filter((key) => !(key in formFieldsOf(type)))).toEqual([]);
    }
  }
});

test("what is folded away is told in words", () => {
  const rule: SaidRule = { type: "Range", configuration: { column: "delay", min: "0" } };
  expect(moreInWords(rule)).toBeNull();
  expect(
    moreInWords({
      ...rule,
      configuration: { ...rule.configuration, where: "x", groupBy: ["country"], maxFailingPercent: 2 },
      severity: "High",
      weight: 2,
    }),
  ).toBe("where x, by country, up to 2% of the rows may fail in each group, High severity, weight 2");
  expect(moreInWords({ type: "Volume", configuration: { usual: "Below" } })).toBe(
    "the row count is not below what is usual",
  );
});

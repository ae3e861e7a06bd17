import { expect, test } from "vitest";
import type { RuleType } from "@/server/data-quality/rules/rules.ts";
import { configurationWords, suggestedRuleName } from "./rule-words.ts";

test("a configuration reads as a sentence", () => {
  const words = (type: RuleType, configuration: Record<string, unknown>) =>
    configurationWords({ type, configuration });
  expect(words("Freshness", { column: "at", maxAgeMinutes: 60 })).toBe("at, at most 60 minutes old");
  expect(words("Volume", { minRows: 10, maxRows: 20 })).toBe("10 to 20 rows");
  expect(words("Volume", { maxRows: 20 })).toBe("at most 20 rows");
  expect(words("Range", { column: "delay", min: "-60" })).toBe("delay, at least -60");
  expect(
    words("Referential", { column: "origin", referenceTable: "airports", referenceColumn: "iata" }),
  ).toBe("origin exists in airports.iata");
  expect(words("Range", { column: "delay", min: "0", where: "not\n canceled", maxFailingRows: 1 })).toBe(
    "delay, at least 0, where not canceled, up to 1 row may fail",
  );
  const latest = { lastHours: 72, timeColumn: "at", duplicatesAmong: "Rows" };
  expect(words("Uniqueness", { column: "id", ...latest })).toBe(
    "id, no value twice, in the last 3 days by at, duplicates among these rows only",
  );
  expect(words("Uniqueness", { column: "id", ...latest, lastHours: 36 })).toContain(
    "in the last 36 hours by at",
  );
  const columns = [
    { name: "id", type: "integer", nullable: false },
    { name: "note", type: "text", nullable: true },
  ];
  expect(words("Schema", {})).toBe("no columns approved yet");
  expect(words("Schema", { columns, whenRemoved: "Fail", whenAdded: "Ignore", whenMoved: "Warn" })).toBe(
    "the columns id integer not null, note text, added columns ignored, another order only reported",
  );
  expect(words("NullRate", { column: "vat", maxNullPercent: 1, groupBy: ["country"] })).toBe(
    "vat, at most 1 % NULL, by country",
  );
  const places = { groupBy: ["country", "city", "day"], maxFailingPercent: 2 };
  expect(words("Range", { column: "delay", min: "0", where: "x", ...places })).toBe(
    "delay, at least 0, where x, by country, city, and day, up to 2% of the rows may fail in each group",
  );
  expect(words("Freshness", { column: "at", maxAgeMinutes: 60, where: "status = 'paid'" })).toBe(
    "at, at most 60 minutes old, the newest of the rows where status = 'paid'",
  );
  expect(words("CustomSql", { sql: "select 1\n  as passed" })).toBe("select 1 as passed");
});

test("a suggested name says what is checked", () => {
  expect(suggestedRuleName({ type: "NullRate", configuration: { column: "delay" } })).toBe(
    "Null rate of delay",
  );
  expect(suggestedRuleName({ type: "Volume", configuration: {} })).toBe("Volume");
});

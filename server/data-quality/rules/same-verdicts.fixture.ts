import type { RuleType } from "./rules.ts";

/** A rule, the table it is about, its configuration, and its verdict: whether it passes, and its score. */
export type ExpectedVerdict = [RuleType, string, Record<string, unknown>, boolean, number];

const toCustomers = { column: "customer_id", referenceTable: "customers", referenceColumn: "id" };

/** What rules say of the same tables on engines with types of their own. Worked out by hand. */
export const sameVerdicts: ExpectedVerdict[] = [
  ["Volume", "orders", { minRows: 4, maxRows: 4 }, true, 100],
  ["Volume", "empty", { minRows: 1 }, false, 0],
  // 2 of 4 are NULL: 100 − (50 − 10)
  ["NullRate", "orders", { column: "seen_at", maxNullPercent: 10 }, false, 60],
  // All 5: 100 − (100 − 33.33)
  ["NullRate", "nulls", { column: "code", maxNullPercent: 33.33 }, false, 33.33],
  ["NullRate", "empty", { column: "code", maxNullPercent: 0 }, true, 100],
  ["Uniqueness", "orders", { column: "id" }, false, 0],
  ["Uniqueness", "orders", { column: "code" }, true, 100],
  ["UniqueCombination", "orders", { columns: ["id", "customer_id"] }, true, 100],
  ["AllowedValues", "orders", { column: "code", values: ["A-001", "A-002", "B-003"] }, true, 100],
  ["AllowedValues", "orders", { column: "code", values: ["A-001"] }, false, 0],
  ["Referential", "orders", toCustomers, true, 100],
  ["Referential", "orphans", toCustomers, false, 0],
  ["Referential", "orphans", { ...toCustomers, referenceSchema: "nowhere" }, false, 0],
  ["Range", "orders", { column: "price", min: "10", max: "30.00" }, true, 100],
  // 10 is out of range: (1 − 1/4) × 100
  ["Range", "orders", { column: "price", min: "10.01" }, false, 75],
  ["Range", "orders", { column: "price", min: "15", max: "25" }, false, 50],
  ["Range", "orders", { column: "weight", max: "0.3" }, false, 75],
  ["Range", "orders", { column: "weight", max: "0.30000000000000004" }, true, 100],
  // 0.3 and 16777216 count as written, although in single precision.
  ["Range", "orders", { column: "ratio", min: "0.1", max: "16777216" }, true, 100],
  ["Range", "orders", { column: "ratio", max: "0.3" }, false, 75],
  ["Range", "orders", { column: "amount", max: "9007199254740992" }, false, 75],
  ["Range", "orders", { column: "amount", max: "9007199254740993" }, true, 100],
  ["Range", "exact", { column: "value", max: "0.1" }, false, 33.33],
  ["Range", "exact", { column: "value", min: "-123456789012345678.50", max: "1" }, true, 100],
  ["Range", "exact", { column: "value", max: "9".repeat(100) }, true, 100],
  ["Range", "exact", { column: "value", max: `-${"9".repeat(100)}` }, false, 0],
  ["Range", "orders", { column: "weight", max: "9".repeat(100) }, true, 100],
  ["Range", "orders", { column: "ratio", min: "9".repeat(100) }, false, 0],
  ["Range", "empty", { column: "weight", min: "1" }, true, 100],
  ["Range", "nulls", { column: "weight", min: "1" }, true, 100],
  // 20.5 and 0.5 are out of range, of five rows.
  ["Range", "texts", { column: "value", min: "1", max: "12" }, false, 60],
  ["Range", "words", { column: "value", min: "1" }, false, 0],
  ["Range", "orders", { column: "day", min: "1" }, false, 0],
  ["Pattern", "orders", { column: "code", pattern: "^[AB]-\\d{3}$" }, true, 100],
  ["Pattern", "orders", { column: "id", pattern: "^[123]$" }, true, 100],
  ["Pattern", "orders", { column: "code", pattern: "^a" }, false, 0],
  ["Pattern", "empty", { column: "code", pattern: "([a" }, false, 0],
  ["Freshness", "orders", { column: "seen_at", maxAgeMinutes: 91 }, true, 100],
  ["Freshness", "orders", { column: "seen_at", maxAgeMinutes: 90 }, false, 0],
  ["Freshness", "orders", { column: "day", maxAgeMinutes: 3000 }, true, 100],
  ["Freshness", "orders", { column: "price", maxAgeMinutes: 60 }, false, 0],
  ["Freshness", "nulls", { column: "seen_at", maxAgeMinutes: 60 }, false, 0],
  ["Freshness", "empty", { column: "seen_at", maxAgeMinutes: 60 }, false, 0],
  ["Freshness", "future", { column: "seen_at", maxAgeMinutes: 1 }, true, 100],
  ["RowCondition", "orders", { condition: "price is null or price > 10" }, false, 75],
  ["NullRate", "orders", { column: "missing", maxNullPercent: 0 }, false, 0],
  ["Volume", "missing", { minRows: 0 }, false, 0],
];

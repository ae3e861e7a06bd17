import { describe, expect, test } from "vitest";
import type { ColumnKind } from "../../data-sources/dialects/dialect.ts";
import { dialects } from "../../data-sources/dialects/dialects.ts";
import type { ColumnProfile } from "../../profile/table-profile.ts";
import { Decimal } from "../decimal.ts";
import { boundsAround } from "./bounds-around.ts";
import { propose } from "./propose.ts";

function column(name: string, kind: ColumnKind, more: Partial<ColumnProfile> = {}): ColumnProfile {
  return {
    ...{ name, kind, type: kind, isNullable: true, isPrimaryKey: false, values: 100, different: null },
    ...{
      least: null,
      greatest: null,
      newest: null,
      ageSeconds: null,
      shortest: null,
      longest: null,
      samples: [],
    },
    ...more,
  };
}

const context = { schemaName: "public", dialect: dialects.postgresql, totalRows: 100 };
const of = (columns: ColumnProfile[], more: object = {}) =>
  propose({ rows: 100, isWhole: true, columns }, { ...context, ...more });
const rulesOf = (each: ColumnProfile) =>
  of([each])
    .slice(1)
    .map(({ rule: { type, configuration } }) => {
      const { column: _, ...own } = configuration;
      return [type, own];
    });

test("an empty table gives no suggestions", () => {
  expect(propose({ rows: 0, isWhole: true, columns: [column("a", "text", { values: 0 })] }, context)).toEqual(
    [],
  );
});

test("a key is unique and never NULL, with the evidence for it", () => {
  const id = column("id", "integer", {
    different: 100,
    isPrimaryKey: true,
    isNullable: false,
    least: "1",
    greatest: "100",
  });
  expect(of([id])).toMatchObject([
    { rule: { type: "Volume", configuration: { minRows: 50, maxRows: 200 } } },
    {
      rule: { type: "NullRate", column: "id", configuration: { column: "id", maxNullPercent: 0 } },
      evidence: "Never NULL in all 100 rows, and the column is declared NOT NULL",
    },
    {
      rule: { type: "Uniqueness", name: "id is unique", severity: "High" },
      evidence: "The primary key; 100 values in all 100 rows, all different",
    },
  ]);
});

describe("a column", () => {
  test.each<[string, ColumnProfile, unknown[]]>([
    ["with some NULLs", column("a", "other", { values: 97 }), [["NullRate", { maxNullPercent: 5 }]]],
    ["with many NULLs", column("a", "other", { values: 60 }), []],
    [
      "of numbers",
      column("price", "decimal", { least: "0.5", greatest: "99.2" }),
      [
        ["NullRate", { maxNullPercent: 0 }],
        ["Range", { min: "0", max: "110" }],
      ],
    ],
    [
      "of years",
      column("year", "integer", { different: 6, least: "2008", greatest: "2013" }),
      [
        ["NullRate", { maxNullPercent: 0 }],
        ["Range", { min: "2007", max: "2014" }],
      ],
    ],
    [
      "of NaN",
      column("ratio", "float", { least: "0.1", greatest: "NaN" }),
      [["NullRate", { maxNullPercent: 0 }]],
    ],
    [
      "of a reference",
      column("customer_id", "integer", {
        different: 10,
        least: "1",
        greatest: "9",
        references: { schemaName: "crm", tableName: "customers", columnName: "id" },
      }),
      [
        ["NullRate", { maxNullPercent: 0 }],
        ["Referential", { referenceSchema: "crm", referenceTable: "customers", referenceColumn: "id" }],
      ],
    ],
    [
      "that was written 40 minutes ago",
      column("at", "time", { newest: "2026-01-01", ageSeconds: 2400 }),
      [
        ["Freshness", { maxAgeMinutes: 120 }],
        ["NullRate", { maxNullPercent: 0 }],
      ],
    ],
    [
      "of today's date",
      column("on", "date", { newest: "2026-01-01", ageSeconds: 3600 }),
      [
        ["Freshness", { maxAgeMinutes: 2880 }],
        ["NullRate", { maxNullPercent: 0 }],
      ],
    ],
    [
      "of the future",
      column("due", "date", { newest: "2999-01-01", ageSeconds: -1 }),
      [["NullRate", { maxNullPercent: 0 }]],
    ],
    [
      "of long ago",
      column("born", "date", { newest: "1999-01-01", ageSeconds: 9e8 }),
      [["NullRate", { maxNullPercent: 0 }]],
    ],
    [
      "of codes",
      column("currency", "text", { different: 3, shortest: 3, longest: 3, samples: ["EUR", "USD", "GBP"] }),
      [
        ["NullRate", { maxNullPercent: 0 }],
        ["Pattern", { pattern: "^[A-Z]{3}$" }],
      ],
    ],
    [
      "of different texts",
      column("mail", "text", { different: 100 }),
      [
        ["NullRate", { maxNullPercent: 0 }],
        ["Uniqueness", {}],
      ],
    ],
  ])("%s", (_, profile, expected) => {
    expect(rulesOf(profile)).toEqual(expected);
  });

  test("of codes has a LIKE pattern on SQL Server, or none", () => {
    const codes = (samples: string[]) =>
      of([column("c", "text", { different: 3, samples })], { dialect: dialects.sqlserver });
    const patterns = (samples: string[]) =>
      codes(samples).flatMap(({ rule }) => (rule.type === "Pattern" ? rule.configuration.pattern : []));
    expect(patterns(["EUR", "USD", "GBP"])).toEqual(["[A-Z][A-Z][A-Z]"]);
    expect(patterns(["A-1", "A-22", "B-3"])).toEqual([]);
  });
});

test("a partially read table is reported as such, with the row count of the whole table", () => {
  const proposals = propose(
    { rows: 100, isWhole: false, columns: [column("a", "other")] },
    { ...context, totalRows: 1_234_567 },
  );
  expect(proposals.map(({ evidence }) => evidence)).toEqual([
    "1,234,567 rows today; the bounds are half and double that",
    "Never NULL in 100 rows sampled from the table",
  ]);
  expect(proposals[0]?.rule.configuration).toEqual({ minRows: 610_000, maxRows: 2_500_000 });
});

test.each([
  ["0", "0", "0", "1"],
  ["5", "5", "4", "6"],
  ["-3", "8", "-10", "10"],
  ["0.001", "0.009", "0", "0.01"],
  [
    "123456789012345678901234567890",
    "123456789012345678901234567899",
    "123456789012345678901234567889",
    "123456789012345678901234567900",
  ],
])("bounds around %s and %s are %s and %s", (from, to, min, max) => {
  const bounds = boundsAround(new Decimal(from), new Decimal(to));
  expect(bounds).toEqual({ min, max });
});

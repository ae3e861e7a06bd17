import type { RuleType } from "./rules.ts";

/**
 * A music shop in the shape of Chinook's database, made here, with faults planted by hand. Everything is computed from
 * counting, so that what the rules must say can be worked out beside it.
 */

export type ColumnKind = "integer" | "price" | "double" | "text" | "time";
export type ShopTable = {
  name: string;
  columns: readonly (readonly [name: string, kind: ColumnKind])[];
  rows: readonly (readonly (string | null)[])[];
};

const numbers = (count: number) => Array.from({ length: count }, (_, index) => index + 1);
const genres = ["Rock", "Jazz", "Metal", "Latin", "Blues"];

function table(
  name: string,
  columns: ShopTable["columns"],
  count: number,
  row: (n: number) => (string | number | null)[],
): ShopTable {
  const cells = (n: number) => row(n).map((value) => (value === null ? null : String(value)));
  return { name, columns, rows: numbers(count).map(cells) };
}

/** `now` is when the newest track was added, an hour before. */
export function musicShop(now: number): ShopTable[] {
  const hoursAgo = (hours: number) =>
    new Date(now - hours * 3_600_000).toISOString().slice(0, 19).replace("T", " ");
  return [
    table(
      "artist",
      [
        ["id", "integer"],
        ["name", "text"],
      ],
      10,
      (n) => [n, `Artist ${n}`],
    ),
    table(
      "album",
      [
        ["id", "integer"],
        ["title", "text"],
        ["artist_id", "integer"],
      ],
      20,
      (n) => [...[n, `Album ${n}`, 1 + (n % 10)]],
    ),
    table(
      "track",
      [
        ...([
          ["id", "integer"],
          ["name", "text"],
          ["album_id", "integer"],
          ["genre", "text"],
        ] as const),
        ...([
          ["composer", "text"],
          ["milliseconds", "integer"],
          ["unit_price", "price"],
        ] as const),
        ...([
          ["loudness", "double"],
          ["code", "text"],
          ["added_at", "time"],
        ] as const),
      ],
      200,
      (n) => [
        // The last track has the ID of the one before.
        n === 200 ? 199 : n,
        `Track ${n}`,
        // Two are of an album that does not exist.
        n === 7 || n === 8 ? 999 : 1 + (n % 20),
        n === 50 ? "Rok" : (genres[n % 5] ?? ""),
        n % 10 === 0 ? null : `Composer ${n % 30}`,
        n === 13 ? -1 : 120_000 + n * 500,
        n === 77 ? "99.00" : n % 4 === 0 ? "1.99" : "0.99",
        // Halves, which every engine holds exactly.
        -20 + (n % 40) / 2,
        n === 150 ? "PL_1150" : `PL-${1000 + n}`,
        hoursAgo(n),
      ],
    ),
    table(
      "customer",
      [
        ["id", "integer"],
        ["email", "text"],
        ["country", "text"],
      ],
      15,
      (n) => [...[n, n === 4 ? "nobody" : `customer${n}@example.com`, n % 2 === 0 ? "Norway" : "Brazil"]],
    ),
    table(
      "invoice",
      [
        ["id", "integer"],
        ["customer_id", "integer"],
        ["total", "price"],
      ],
      60,
      (n) => [...[n, 1 + (n % 15), `${n}.50`]],
    ),
    table(
      "invoice_line",
      [
        ...([
          ["id", "integer"],
          ["invoice_id", "integer"],
          ["track_id", "integer"],
        ] as const),
        ...([
          ["unit_price", "price"],
          ["quantity", "integer"],
        ] as const),
      ],
      180,
      // Line 57 is of track 200, which nothing has as its ID; line 90 sells none.
      (n) => [n, 1 + (n % 60), 1 + ((n * 7) % 200), "0.99", n === 90 ? 0 : 1 + (n % 3)],
    ),
  ];
}

/** A rule as a contract has it. `quote` and `relation` are the engine's way to write a name. */
type ShopRule = [RuleType, Record<string, unknown>, passed: boolean, score: number];
type Words = { quote(name: string): string; relation(table: string): string; code: string };

/** One contract for each table, with what each rule must say. Worked out by hand. */
export const shopContracts = ({ quote, relation, code }: Words): Record<string, ShopRule[]> => ({
  track: [
    ["Volume", { minRows: 200, maxRows: 200 }, true, 100],
    ["Volume", { minRows: 201 }, false, 0],
    // 20 of 200 are NULL, 10 %: 100 − (10 − 5).
    ["NullRate", { column: "composer", maxNullPercent: 5 }, false, 95],
    ["NullRate", { column: "composer", maxNullPercent: 10 }, true, 100],
    // All of “Rok”, one track, and 19 of the 39 of “Rock”; of all rows, 10 %, which would be allowed.
    ["NullRate", { column: "composer", maxNullPercent: 50, groupBy: ["genre"] }, false, 100],
    ["Uniqueness", { column: "id" }, false, 0],
    ["Uniqueness", { column: "code" }, true, 100],
    ["UniqueCombination", { columns: ["id", "name"] }, true, 100],
    ["UniqueCombination", { columns: ["album_id", "genre"] }, false, 0],
    ["Referential", { column: "album_id", referenceTable: "album", referenceColumn: "id" }, false, 0],
    // 1 of 200 each.
    ["Range", { column: "unit_price", min: "0.99", max: "1.99" }, false, 99.5],
    ["Range", { column: "milliseconds", min: "0" }, false, 99.5],
    ["Range", { column: "loudness", min: "-20", max: "-0.5" }, true, 100],
    // −0.5 and −1 are above −1.5: n % 40 of 38 and 39, five times each in 200.
    ["Range", { column: "loudness", max: "-1.5" }, false, 95],
    // 50 × 1.99, 149 × 0.99, and 99.00: 346.01 in 200 tracks.
    ["Mean", { column: "unit_price", min: "1.73", max: "1.74" }, true, 100],
    ["Mean", { column: "unit_price", max: "1.73" }, false, 0],
    ["Pattern", { column: "code", pattern: code }, false, 0],
    ["AllowedValues", { column: "genre", values: genres }, false, 0],
    ["AllowedValues", { column: "genre", values: [...genres, "Rok"] }, true, 100],
    ["Freshness", { column: "added_at", maxAgeMinutes: 120 }, true, 100],
    ["Freshness", { column: "added_at", maxAgeMinutes: 30 }, false, 0],
    ["RowCondition", { condition: `${quote("milliseconds")} > 0` }, false, 99.5],
    [
      "CustomSql",
      { sql: `select case when count(*) = 200 then 1 else 0 end as passed from ${relation("track")}` },
      true,
      100,
    ],
  ],
  invoice_line: [
    ["Volume", { minRows: 180, maxRows: 180 }, true, 100],
    ["Uniqueness", { column: "id" }, true, 100],
    ["NullRate", { column: "track_id", maxNullPercent: 0 }, true, 100],
    ["Referential", { column: "invoice_id", referenceTable: "invoice", referenceColumn: "id" }, true, 100],
    ["Referential", { column: "track_id", referenceTable: "track", referenceColumn: "id" }, false, 0],
    // 179 of 180.
    ["RowCondition", { condition: `${quote("quantity")} between 1 and 3` }, false, 99.44],
    ["Range", { column: "quantity", min: "1", max: "3" }, false, 99.44],
  ],
});

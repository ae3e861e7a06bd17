import type { ColumnKind } from "../data-sources/dialects/dialect.ts";
import type { ObservedTable } from "../profile/observed-table.ts";
import { type Cell, dayAfter, momentAfter, type Random, randomOf, tableOf } from "./corpus.fixture.ts";

/** By table, then by column. */
type Tables = Record<string, Record<string, [kind: ColumnKind, cells: Cell[]]>>;

/** Tables with nothing wrong, each of a sort in which a naive detector sees faults. Made by chance, from a seed. */
export const quietCorpora: Readonly<Record<string, (random: Random) => Tables>> = {
  "heavy tails": (random) => {
    const pareto = (from: number, steepness: number) => from * (1 - random.next()) ** (-1 / steepness);
    const cells = (of: () => Cell) => times(1500, of);
    return {
      payments: {
        id: ["integer", numbered(1500)],
        amount: ["decimal", cells(() => pareto(5, 1.1).toFixed(2))],
        visits: ["integer", cells(() => Math.floor(pareto(1, 1.3)))],
        population: ["integer", cells(() => Math.round(Math.exp(8 + 2 * random.normal())))],
        seconds: ["decimal", cells(() => Math.exp(1.5 * random.normal()).toFixed(3))],
      },
    };
  },
  "free text": (random) => {
    const syllables = ["ba", "lo", "mi", "ren", "tu", "sa", "kel", "no", "vi", "dor", "pa", "esh"];
    const word = () => times(random.whole(1, 4), () => random.pick(syllables)).join("");
    const sentence = () => {
      const words = times(random.whole(1, 25), word);
      const text = `${words.join(random.chance(0.1) ? ", " : " ")}${random.pick([".", "!", "?", "", " :-)", "..."])}`;
      return random.chance(0.7) ? text.charAt(0).toUpperCase() + text.slice(1) : text;
    };
    return {
      comments: {
        id: ["integer", numbered(800)],
        title: ["text", times(800, () => (random.chance(0.8) ? sentence() : word().toUpperCase()))],
        body: ["text", times(800, () => (random.chance(0.3) ? null : sentence()))],
        author: ["text", times(800, () => `${capital(word())} ${capital(word())}`)],
      },
    };
  },
  "codes with check digits": (random) => ({
    articles: {
      id: ["integer", numbered(600)],
      ean: ["text", times(600, () => withEanDigit(digits(random, 12)))],
      isbn: ["text", times(600, () => withIsbnDigit(digits(random, 9)))],
      card: ["text", times(600, () => withLuhnDigit(`4${digits(random, 14)}`))],
    },
  }),
  "sparse columns": (random) => {
    const sparse = (share: number, of: () => Cell) => times(1200, () => (random.chance(share) ? of() : null));
    return {
      tickets: {
        id: ["integer", numbered(1200)],
        deleted_at: ["time", sparse(0.02, () => momentAfter("2026-01-01", random.whole(0, 2e7)))],
        nickname: ["text", sparse(0.05, () => random.pick(["Bob", "Kit", "Max", "Sue", "Ann", "Jo"]))],
        refund: ["decimal", sparse(0.03, () => (random.next() * 90).toFixed(2))],
        parent_id: ["integer", sparse(0.1, () => random.whole(1, 1200))],
        remark: ["text", sparse(0.5, () => `Call ${random.whole(1, 900)}`)],
      },
    };
  },
  "enumerations that grow": (random) => {
    const carriers = ["post", "courier", "pickup", "locker", "drone"];
    // A way of delivery is added every 245 rows, the last shortly before the table was read.
    const known = (row: number) => carriers.slice(0, Math.min(carriers.length, 1 + Math.floor(row / 245)));
    return {
      deliveries: {
        id: ["integer", numbered(1000)],
        sent_on: ["date", times(1000, (row) => dayAfter("2026-02-01", Math.floor(row / 3)))],
        carrier: ["text", times(1000, (row) => random.pick(known(row)))],
        api_version: ["text", times(1000, (row) => `v${1 + Math.floor(row / 330)}`)],
      },
    };
  },
  "series with seasons": (random) => {
    const hours = 24 * 7 * 20;
    const level = (hour: number) => {
      const [ofDay, day] = [hour % 24, Math.floor(hour / 24) % 7];
      return 200 * (1 + Math.sin(((ofDay - 9) / 24) * 2 * Math.PI)) * (day < 5 ? 1 : 0.35) + hour / 20;
    };
    const start = "2026-08-13";
    return {
      load_by_hour: {
        id: ["integer", numbered(hours)],
        measured_at: ["time", times(hours, (hour) => momentAfter(start, hour * 3600))],
        requests: ["integer", times(hours, (hour) => random.poisson(level(hour)))],
        temperature: [
          "decimal",
          times(hours, (hour) =>
            (15 - hour / 400 + 6 * Math.sin((hour / 24) * 2 * Math.PI) + random.normal()).toFixed(1),
          ),
        ],
      },
    };
  },
  "surrogate keys with gaps": (random) => {
    let [customer, order] = [1000, 50_000];
    const customers = times(300, () => {
      customer += random.chance(0.05) ? random.whole(100, 5000) : random.whole(1, 3);
      return customer;
    });
    const orders = times(1500, () => {
      order += random.chance(0.02) ? random.whole(1000, 90_000) : random.whole(1, 4);
      return order;
    });
    return {
      customers: { id: ["integer", customers] },
      orders: {
        id: ["integer", orders],
        customer_id: ["integer", times(1500, () => random.pick(customers))],
      },
    };
  },
  "test fixtures": (random) => ({
    // What developers leave in a database for tests: all of it is made up, and all of it alike.
    fixtures: {
      id: ["integer", numbered(200)],
      name: ["text", times(200, (row) => `test ${row + 1}`)],
      email: ["text", times(200, (row) => `test${row + 1}@example.com`)],
      token: ["text", times(200, () => "x".repeat(16))],
      amount: ["decimal", times(200, () => random.pick(["0.00", "1.00", "9.99", "100.00"]))],
      is_test: ["other", times(200, () => true)],
    },
  }),
};

/** The tables of a corpus; with `spoil`, after something was made wrong in them. */
export function quietTables(name: string, seed: number, spoil?: (cells: CellsOf) => void): ObservedTable[] {
  const tables = quietCorpora[name]?.(randomOf(seed)) ?? {};
  spoil?.((table, column) => tables[table]?.[column]?.[1] ?? []);
  return Object.entries(tables).map(([tableName, columns]) => tableOf(tableName, columns));
}

export type CellsOf = (table: string, column: string) => Cell[];

const times = <T>(count: number, of: (index: number) => T): T[] =>
  Array.from({ length: count }, (_, index) => of(index));
const numbered = (count: number) => times(count, (row) => row + 1);
const capital = (word: string) => word.charAt(0).toUpperCase() + word.slice(1);
const digits = (random: Random, count: number) => times(count, () => random.whole(0, 9)).join("");

/** Weights 1 and 3 by turns; the sum with the check digit is a multiple of ten. */
function withEanDigit(code: string): string {
  const sum = [...code].reduce((sum, digit, index) => sum + Number(digit) * (index % 2 === 0 ? 1 : 3), 0);
  return `${code}${(10 - (sum % 10)) % 10}`;
}

/** Weights 10 to 2; the sum with the check digit, of which ten is X, is a multiple of eleven. */
function withIsbnDigit(code: string): string {
  const sum = [...code].reduce((sum, digit, index) => sum + Number(digit) * (10 - index), 0);
  const check = (11 - (sum % 11)) % 11;
  return `${code}${check === 10 ? "X" : check}`;
}

/** From the right, every other digit counts double, less nine if that has two digits. */
function withLuhnDigit(code: string): string {
  const sum = [...code].toReversed().reduce((sum, digit, index) => {
    const value = Number(digit) * (index % 2 === 0 ? 2 : 1);
    return sum + (value > 9 ? value - 9 : value);
  }, 0);
  return `${code}${(10 - (sum % 10)) % 10}`;
}

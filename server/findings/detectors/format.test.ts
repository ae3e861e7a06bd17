import { describe, expect, test } from "vitest";
import {
  type Cell,
  databaseOf,
  dayAfter,
  type Random,
  randomOf,
  saidBy,
  tableOf,
} from "../corpus.fixture.ts";
import { confidenceOf, shownFrom } from "../judge.ts";
import { formats } from "./format.ts";

type Kind = "text" | "integer";
const said = (cells: readonly Cell[], kind: Kind = "text", name = "thing") =>
  saidBy(formats, databaseOf(tableOf("things", { [name]: [kind, cells] })));

const digits = (random: Random, length: number) => Array.from({ length }, () => random.whole(0, 9)).join("");
const letters = (random: Random, length: number, of = "ABCDEFGHJKLMNPRSTUVWXYZ") =>
  Array.from({ length }, () => random.pick([...of])).join("");
const names = [
  "Anna",
  "Boris",
  "Chidi",
  "Dora",
  "Emil",
  "Fatima",
  "Gus",
  "Hana",
  "Ines",
  "Jonas",
  "Kim",
  "O’Neil",
];

/** With the last digit that makes the weighted sum, from the right, a multiple of ten. */
function checked(body: string, weigh: (digit: number, fromRight: number) => number): string {
  let sum = 0;
  for (const [index, digit] of [...body].reverse().entries()) sum += weigh(Number(digit), index);
  return body + ((10 - (sum % 10)) % 10);
}
const ean = (random: Random) =>
  checked(`4${digits(random, 11)}`, (digit, at) => digit * (at % 2 === 0 ? 3 : 1));
const card = (random: Random) =>
  checked(`4${digits(random, 14)}`, (digit, at) =>
    at % 2 === 1 ? digit : digit > 4 ? digit * 2 - 9 : digit * 2,
  );
/** DE, two check digits and eighteen digits, by modulo 97. */
function iban(random: Random): string {
  const account = digits(random, 18);
  const rest = BigInt(`${account}131400`) % 97n;
  return `DE${String(98n - rest).padStart(2, "0")}${account}`;
}
/** ISO 6346: letters count from 10 without the multiples of 11, each place twice the one before. */
function container(random: Random): string {
  const body = `MSKU${digits(random, 6)}`;
  const worth = (sign: string) => "0123456789A?BCDEFGHIJK?LMNOPQRSTU?VWXYZ".indexOf(sign);
  const sum = [...body].reduce((total, sign, place) => total + worth(sign) * 2 ** place, 0);
  return `${body}${(sum % 11) % 10}`;
}
/** The letter is one of 23, by what is left of the number. */
const dni = (random: Random) => {
  const number = digits(random, 8);
  return number + ("TRWAGMYFPDXBNJZSQVHLCKE"[Number(number) % 23] ?? "");
};
/** ISO 3779: letters by their place in three rows, the ninth place makes the sum. */
function vin(random: Random): string {
  const [start, end] = [letters(random, 8), letters(random, 8)];
  const worth: Record<string, number> = { A: 1, B: 2, C: 3, D: 4, E: 5, F: 6, G: 7, H: 8, J: 1, K: 2, L: 3 };
  Object.assign(worth, { M: 4, N: 5, P: 7, R: 9, S: 2, T: 3, U: 4, V: 5, W: 6, X: 7, Y: 8, Z: 9 });
  const weights = [8, 7, 6, 5, 4, 3, 2, 10, 9, 8, 7, 6, 5, 4, 3, 2];
  const sum = [...(start + end)].reduce(
    (all, letter, at) => all + (worth[letter] ?? 0) * (weights[at] ?? 0),
    0,
  );
  return `${start}${"0123456789X"[sum % 11]}${end}`;
}
/** ISO 7064 with letters from 10 on: the two digits make the whole leave 1 of 97. */
function lei(random: Random): string {
  const body = `5299${letters(random, 14, "ABCDEFGHIJ0123456789")}`;
  const number = [...body].map((sign) => "0123456789ABCDEFGHIJ".indexOf(sign)).join("");
  return body + String(98n - (BigInt(`${number}00`) % 97n)).padStart(2, "0");
}
const email = (random: Random) =>
  `${letters(random, 6, "abcdefgh")}.${random.whole(1, 999)}@example.${random.pick(["com", "org"])}`;
const day = (random: Random) => dayAfter("2019-01-01", random.whole(0, 1800)).split("-");
const dayFirst = (random: Random) => day(random).toReversed().join("/");
const monthFirst = (random: Random) => {
  const [year, month, date] = day(random);
  return `${month}/${date}/${year}`;
};
const uuid = (random: Random) => {
  const hex = (length: number) => letters(random, length, "0123456789abcdef");
  return `${hex(8)}-${hex(4)}-4${hex(3)}-a${hex(3)}-${hex(12)}`;
};

const planted: readonly [string, (random: Random, row: number) => Cell, readonly string[]][] = [
  [
    "sensors that repeat",
    (r) => `S-${String(r.whole(1, 200)).padStart(4, "0")}`,
    ["S_0008", "S_0082", "S_016"],
  ],
  [
    "orders with a digit more",
    (_, row) => `SO-2023-${String(row + 1).padStart(6, "0")}`,
    ["SO-2023-0001542"],
  ],
  [
    "postal codes with a letter, or a digit less",
    (r) => `${r.whole(1, 9)}${digits(r, 4)}`,
    ["1234A", "4512", "453322"],
  ],
  [
    "postal codes of Britain",
    (r) => `${letters(r, 2)}${r.whole(1, 9)} ${r.whole(1, 9)}${letters(r, 2)}`,
    ["AB123CD", "12 AB3"],
  ],
  ["codes in small letters", (r) => `${letters(r, 2)}-${digits(r, 4)}`, ["ab-1234", "AB1234", "AB-12E4"]],
  ["codes that are padded", (r) => `P${digits(r, 5)}`, ["P123", "P1234567"]],
  ["airports", (r) => letters(r, 3), ["FRAN", "F1A"]],
  [
    "phone numbers of one country",
    (r) => `(${r.whole(200, 999)}) ${digits(r, 3)}-${digits(r, 4)}`,
    ["555-123-4567", "(555) 123-456"],
  ],
  ["phone numbers of the world", (r) => `+49 30 ${r.whole(200000, 899999)}`, ["+49 3", "0049 30 123456"]],
  [
    "times of day",
    (r) => `${r.whole(1, 12)}:${r.whole(10, 59)} ${r.pick(["a.m.", "p.m."])}`,
    ["7:45pm", "19.30"],
  ],
  ["percentages", (r) => `${r.whole(1, 99)}%`, ["12", "0.5 %"]],
  ["hexadecimal", (r) => letters(r, 12, "0123456789abcdef"), ["0123-456789a", "abc"]],
  ["email addresses", email, ["anna@example", "anna.example.com", "an na@example.com"]],
  [
    "addresses on the web",
    (r) => `https://example.com/${letters(r, 5, "abcde")}`,
    ["example.com/abc", "htps:/example.com/a"],
  ],
  ["UUIDs", uuid, ["123e4567-e89b-12d3-a456-42661417400", "not-a-uuid"]],
  [
    "IP addresses",
    (r) => `10.${r.whole(0, 255)}.${r.whole(0, 255)}.${r.whole(1, 254)}`,
    ["10.0.0.256", "10.0.1"],
  ],
  ["containers", container, ["MSKU1234566"]],
  ["IBANs", iban, ["DE00123456789012345678"]],
  ["barcodes", ean, ["4000000000000"]],
  ["Spanish identity numbers", dni, ["12345678A", "1234567Z"]],
  ["vehicles", vin, ["1M8GDM9A0KP042788"]],
  ["legal entities", lei, ["529900T8BM49AURSDO56"]],
  ["card numbers", card, ["4000000000000000"]],
  ["currencies", (r) => r.pick(["EUR", "USD", "GBP", "JPY", "CHF", "SEK"]), ["EUQ"]],
  ["days before months", dayFirst, ["12/25/2021", "2021-03-04", "31/02/2021"]],
  ["months before days", monthFirst, ["25/12/2021", "03.04.2021"]],
  ["ISO dates", (r) => day(r).join("-"), ["25/12/2021", "2021-02-30", "2021-13-01"]],
  ["names with digits", (r) => `${r.pick(names)} ${r.pick(names)}`, ["J0nas Kim", "Anna1 Kim"]],
  ["names with signs", (r) => `${r.pick(names)} ${r.pick(names)}`, ["Jonas# Kim", "Anna_Kim"]],
];

describe.each([1, 2, 3])("with seed %i", (seed) => {
  test.each(planted)("%s: what is written otherwise is found, with exactly its rows", (_, one, wrong) => {
    const random = randomOf(seed);
    const cells = Array.from({ length: 1500 }, (_, row) => one(random, row));
    const at = wrong.map((_, index) => 23 + index * 401);
    for (const [index, row] of at.entries()) cells[row] = wrong[index] ?? null;
    expect(said(cells).map(({ kind, rows }) => ({ kind, rows: [...rows] }))).toEqual([
      { kind: "Format", rows: at },
    ]);
  });
});

test("barcodes that are kept as numbers are checked, too", () => {
  const random = randomOf(1);
  const cells = Array.from({ length: 300 }, () => Number(ean(random)));
  cells[7] = 4000000000000;
  expect(said(cells, "integer").map(({ rows }) => [...rows])).toEqual([[7]]);
});

test("says what the value is not, and the pattern that the others match", () => {
  const random = randomOf(1);
  const codes: Cell[] = Array.from({ length: 99 }, () => `AB-${digits(random, 4)}`);
  const [shape] = said([...codes, "AB 1204"], "text", "code");
  expect(shape?.statement).toBe(
    `1 of 100 rows of things has a code that is not written like the others, such as “${codes[0]}”: “AB 1204”.`,
  );
  expect(shape?.rule).toEqual({
    type: "Pattern",
    configuration: { column: "code", pattern: "^[A-Z]{2}-[0-9]{4}$" },
  });
  const [barcode] = said([...Array.from({ length: 99 }, () => ean(random)), "4000000000000"], "text", "code");
  expect(barcode?.statement).toBe(
    "1 of 100 rows of things has a code whose check digit is wrong for an EAN: “4000000000000”.",
  );
  expect(barcode?.features).toMatchObject({ isKnown: 1, checks: 1 });
});

const clean: readonly [string, (random: Random, row: number) => Cell][] = [
  ["a counter that gains a digit", (_, row) => `ORD-${990 + row}`],
  ["a counter from the first on", (_, row) => `INV-${row + 1}`],
  [
    "a counter of each year",
    (_, row) => `${2020 + Math.floor(row / 1010)}-${String((row % 1010) + 1).padStart(3, "0")}`,
  ],
  [
    "countries, of which one is called by a code that ISO leaves to whoever uses it",
    (r, row) => (row === 9 ? "XP" : r.pick([..."DE FR US JP BR IN ZA NZ".split(" ")])),
  ],
  ["numbers of all lengths", (r) => r.whole(1, 99999)],
  ["durations with a tail", (r) => Math.ceil(Math.exp(4 + r.normal() * 1.1))],
  ["numbers of normal size", (r) => Math.round(500 + r.normal() * 140)],
  ["amounts with thousands", (r) => `${r.chance(0.01) ? "-" : ""}${r.whole(1, 999)},${digits(r, 3)}`],
  [
    "amounts with blanks after them, of which some are in millions",
    (r) => `${r.chance(0.01) ? "1," : ""}${r.whole(100, 999)},${digits(r, 3)}  `,
  ],
  ["carriers with a number", (r) => (r.chance(0.012) ? "Courier24" : r.pick(names))],
  [
    "names with quotes and colons",
    (r, row) => (row === 4 ? 'Jo "Bud" Hill: South' : `${r.pick(names)} ${r.pick(names)}`),
  ],
  ["names", (r) => `${r.pick(names)} ${r.chance(0.02) ? "van " : ""}${r.pick(names)}`],
  [
    "names with one Roman number and initials",
    (r, row) => (row === 3 ? "Henry VIII" : `${r.pick(names)} J. ${r.pick(names)}`),
  ],
  [
    "products with sizes",
    (r) => `${r.pick(["Hat", "Coat", "Bag"])} ${r.chance(0.3) ? `${r.whole(1, 50)} cm` : "large"}`,
  ],
  [
    "streets",
    (r) =>
      `${r.chance(0.02) ? "PO Box " : ""}${r.whole(1, 300)} ${r.pick(names)} ${r.pick(["St", "Ave", "Park Road"])}`,
  ],
  [
    "titles with numbers",
    (r) => (r.chance(0.05) ? `Part ${r.whole(1, 9)}` : r.pick(["The End", "2nd Chance", "MP3 & Me", "Why?"])),
  ],
  [
    "prose",
    (r) =>
      Array.from({ length: 12 }, () => r.pick([...names, "and", "went", "(1)", "twice;", "9"])).join(" "),
  ],
  ["email addresses", email],
  ["barcodes", ean],
  ["numbers of thirteen digits without a check digit", (r) => `4${digits(r, 12)}`],
  ["UUIDs", uuid],
  ["sizes", (r) => r.pick(["S", "M", "L", "XL", "XXL", "38", "40"])],
  ["states", (r) => r.pick(["CA", "NY", "TX", "WA", "IL", "GA", "CO", "MN", "MA", "TN", "OH", "WI"])],
  [
    "countries with one that is rare",
    (r) =>
      r.chance(0.003)
        ? "NA"
        : r.pick(["DE", "FR", "US", "SE", "PL", "DK", "NO", "FI", "IT", "ES", "PT", "GR", "CZ", "AT"]),
  ],
  ["days before months", dayFirst],
  ["days up to the twelfth", (r) => `0${r.whole(1, 9)}/0${r.whole(1, 9)}/2021`],
  [
    "codes of many kinds",
    (r) =>
      r.pick([
        `A${digits(r, 3)}`,
        letters(r, 5),
        `${digits(r, 2)}-${letters(r, 3)}`,
        digits(r, 6),
        `${letters(r, 1)}/${digits(r, 2)}`,
      ]),
  ],
  ["a code of its own that is frequent", (r) => (r.chance(0.02) ? "GENERAL" : `AB-${digits(r, 3)}`)],
  ["letters and digits by chance", (r) => letters(r, 8, "abcdefgh0123456789")],
  ["measurements with a limit", (r) => (r.chance(0.003) ? "<0.5" : `${r.whole(1, 40)}.${r.whole(0, 9)}`)],
  [
    "codes of up to five letters of a name, two of another, and a number",
    (r) => {
      // Of a hundred names, one has three letters, one four, and six five.
      const length = r.pick([3, 4, 5, 5, 5, 5, 5, 5, ...Array.from({ length: 92 }, () => 6)]);
      return `${letters(r, Math.min(length, 6) + 2, "abcdefghijklmnopqrstuvwxyz")}${digits(r, 2)}`;
    },
  ],
  [
    "codes of which a hundred, from the first row to the last, are written in another way",
    (r, row) => (row % 18 === 4 ? `${letters(r, 3)}-J${digits(r, 3)}` : `${letters(r, 5)}${digits(r, 3)}`),
  ],
  ["versions", (r) => `${r.whole(1, 9)}.${r.whole(0, 20)}.${r.whole(0, 9)}`],
];

describe.each([1, 2, 3])("nothing is said (seed %i) of", (seed) => {
  test.each(clean)("%s", (_, one) => {
    const random = randomOf(seed);
    const cells = Array.from({ length: 1500 }, (_, row) => one(random, row));
    expect(said(cells).map(({ statement }) => statement)).toEqual([]);
  });
});

test("a handful of codes that many rows have are written alike, and a rare one that is not is told", () => {
  const machines = (odd: string) =>
    Array.from({ length: 1200 }, (_, row) => (row === 500 ? odd : `M-0${1 + (row % 8)}`));
  const [found, ...others] = said(machines("M-O3"));
  expect(others).toEqual([]);
  expect([...(found?.rows ?? [])]).toEqual([500]);
  expect(found?.statement).toContain("such as “M-01”: “M-O3”");
  // The next machine is written like the others, and so is one that counts on.
  expect(said(machines("M-09"))).toEqual([]);
  // Four are no custom.
  expect(said(machines("M-O3").map((code, row) => (row === 500 ? code : `M-0${1 + (row % 4)}`)))).toEqual([]);
});

test("what the column points to has it, too, written so", () => {
  const numbers = Array.from({ length: 900 }, (_, row) =>
    row % 9 === 0 ? `1990.${row}.2` : `P ${1000 + row}`,
  );
  const shown = Array.from({ length: 2000 }, (_, row) =>
    row % 250 === 3 ? numbers[9 * (row % 50)] : `P ${1001 + (row % 7)}`,
  );
  const places = (cells: readonly (string | undefined)[]) =>
    saidBy(
      formats,
      databaseOf(
        tableOf("objects", { inventory_no: ["text", numbers] }),
        tableOf("shown", {
          id: ["integer", cells.map((_, row) => row)],
          inventory_no: ["text", cells.map((cell) => cell ?? null)],
        }),
      ),
    ).map(({ rows }) => [...rows]);
  expect(places(shown)).toEqual([]);
  expect(places(shown.with(5, "P_1004"))).toEqual([[5]]);
});

test("what is loaded may be written in each way that the table it is loaded into has", () => {
  const code = (row: number) => `DE-ABC-C${10_000_000 + row * 7919}-X`;
  const plain = (row: number) => `DEABCC${10_000_000 + row * 104_729}`;
  const staged = Array.from({ length: 700 }, (_, row) =>
    row === 99 || row === 500 ? plain(row) : code(row),
  );
  const tokens = (share: number) =>
    Array.from({ length: 1000 }, (_, row) => (row % 100 < share ? plain(row) : code(row)));
  const doubted = (share: number) =>
    saidBy(
      formats,
      databaseOf(
        tableOf("staged", { contract_id: ["text", staged] }),
        tableOf("tokens", { contract_id: ["text", tokens(share)] }),
      ),
    ).flatMap(({ table, rows }) => (table.tableName === "staged" ? [[...rows]] : []));
  expect(doubted(12)).toEqual([]);
  expect(doubted(0)).toEqual([[99, 500]]);
});

describe("shapes", () => {
  test("the usual ones stand beside the odd one, with their rows", () => {
    const codes = Array.from({ length: 400 }, (_, at) =>
      at % 4 === 0 ? `K${at + 1000}` : `AB-${String(at + 1000)}`,
    );
    const [found] = said([...codes, "AB 1999"]);
    // Each fourth of 400 is of the short shape.
    expect(found?.evidence.shapes).toEqual([
      { shape: "AA-9999", example: "AB-1001", rows: 300, isInDoubt: false },
      { shape: "A9999", example: "K1000", rows: 100, isInDoubt: false },
      { shape: "AA 9999", example: "AB 1999", rows: 1, isInDoubt: true },
    ]);
  });

  test("nothing is shown where the odd value is written like the others", () => {
    const random = randomOf(3);
    const numbers = Array.from({ length: 300 }, () => ean(random));
    const wrong = `${numbers[0]?.slice(0, 12)}${(Number(numbers[0]?.at(-1)) + 1) % 10}`;
    const [found] = said([...numbers, wrong], "text", "ean");
    expect(found?.statement).toContain("check digit");
    expect(found?.evidence.shapes).toBeUndefined();
  });
});

test("what is one slip away from how codes are written is told apart from codes of another kind", () => {
  const random = randomOf(1);
  const codes = Array.from({ length: 600 }, () => letters(random, 4));
  const otherwise = (value: string) => said([...codes, value]).map(({ features }) => features.isOtherwise);
  // A letter more, and a digit for a letter.
  expect(otherwise("ABCDE")).toEqual([0]);
  expect(otherwise("AB1D")).toEqual([0]);
  expect(otherwise("AT03")).toEqual([1]);
});

test("who is many laps behind is written like who is one behind", () => {
  const random = randomOf(1);
  const gap = (row: number) =>
    row % 3 === 0
      ? `+${(random.next() * 90).toFixed(3)}`
      : row % 40 === 1
        ? `+${random.whole(10, 40)} laps`
        : `+${random.whole(2, 9)} laps`;
  expect(said(Array.from({ length: 3000 }, (_, row) => gap(row)))).toEqual([]);
});

test("codes with another letter before them, in their own order, are another series", () => {
  const series = [
    ...Array.from({ length: 4000 }, (_, at) => `A${String(at).padStart(5, "0")}`),
    ...Array.from({ length: 90 }, (_, at) => `AR${String(at).padStart(5, "0")}`),
    ...Array.from({ length: 4000 }, (_, at) => `N${String(at).padStart(5, "0")}`),
  ];
  expect(said(series)).toEqual([]);
  const one = [...series.slice(0, 4000), "AR00001", ...series.slice(4090)];
  expect(said(one).map(({ rows }) => [...rows])).toEqual([[4000]]);
});

test("words that are counted are no words with a digit inside", () => {
  const kinds = Array.from({ length: 3000 }, (_, row) =>
    row % 600 === 1 ? `annual forb${row % 1200 === 1 ? 2 : 3}` : (names[row % names.length] ?? ""),
  );
  expect(said(kinds)).toEqual([]);
  expect(said(kinds.with(50, "Ann4a")).map(({ rows }) => [...rows])).toEqual([[50]]);
});

describe("codes that may be written in several ways", () => {
  const digits = (random: Random, count: number) => String(random.whole(10 ** (count - 1), 10 ** count - 1));
  const places = (cells: readonly string[]) => said(cells).map(({ rows }) => [...rows]);

  test("of several lengths: one is shorter still", () => {
    const random = randomOf(1);
    const diseases = Array.from({ length: 4000 }, (_, row) =>
      row % 12 === 0 ? `V${digits(random, 3 + (row % 24) / 12)}` : digits(random, 4 + (row % 2)),
    );
    expect(places(diseases.with(50, "V08"))).toEqual([]);
    expect(places(diseases.with(50, "V0-8"))).toEqual([[50]]);
    // Where all are as long, one that is shorter was cut off.
    const orders = Array.from({ length: 4000 }, () => `V${digits(random, 6)}`);
    expect(places(orders.with(50, "V12345"))).toEqual([[50]]);
  });

  test("of digits and capitals in any order", () => {
    const random = randomOf(2);
    const airfields = Array.from({ length: 3000 }, (_, row) => {
      const [letter, two] = [letters(random, 1), digits(random, 2)];
      return row % 4 > 0 ? letters(random, 3) : row % 3 === 0 ? `${two}${letter}` : `${letter}${two}`;
    });
    expect(places(airfields.with(50, "1CS"))).toEqual([]);
    expect(places(airfields.with(50, "1C-S"))).toEqual([[50]]);
  });

  test("of amounts: ranges have fractions, too", () => {
    const random = randomOf(3);
    const half = (row: number) => (row % 5 === 0 ? `${random.whole(1, 40)}.5` : String(random.whole(1, 90)));
    const doses = Array.from({ length: 4000 }, (_, row) =>
      row % 20 === 3 ? `${1 + (row % 7)}-${9 + (row % 11)}` : `${half(row)}`,
    );
    expect(places(doses.with(50, "0.2-0.5"))).toEqual([]);
    expect(places(doses.with(50, "1-2mg"))).toEqual([[50]]);
  });
});

test("numbers with their unit, and words with a year, are words", () => {
  const words = Array.from({ length: 3000 }, (_, row) => names[row % names.length] ?? "");
  expect(said(words.with(50, "70mm").with(60, "anna2006"))).toEqual([]);
  expect(said(words.with(50, "1ondon")).map(({ rows }) => [...rows])).toEqual([[50]]);
});

describe("dates in two ways", () => {
  const random = randomOf(9);
  const days = Array.from({ length: 2000 }, () =>
    dayAfter("2019-01-01", random.whole(0, 1800)).split("-").map(Number),
  );
  const american = ([year, month, date]: number[]) => `${month}/${date}/${year}`;
  /** As a spreadsheet does to whom the day comes first: what can be a month is taken for one, and shown in its own way. */
  const reformatted = (day: number[]) => {
    const [year = 0, month = 0, date = 0] = day;
    const two = (number: number) => String(number % 100).padStart(2, "0");
    return date <= 12 ? `${two(date)}-${two(month)}-${two(year)}` : american(day);
  };

  test("are told, however many there are, with the rows of the rarer one", () => {
    const [found] = said(days.map(reformatted));
    expect(found?.rows.length).toBe(days.filter(([, , date]) => (date ?? 0) <= 12).length);
    expect(found?.statement).toMatch(
      /written like “\d\d-\d\d-\d\d”, where the others are like “\d+\/\d+\/\d{4}”\.$/,
    );
    expect(found && confidenceOf(found)).toBeGreaterThan(shownFrom);
    // The rule holds for days to come as well.
    expect(found?.rule).toEqual({
      type: "Pattern",
      configuration: { column: "thing", pattern: "^[0-9]{1,2}/[0-9]{1,2}/[0-9]{4}([^0-9].*)?$" },
    });
  });

  test("are none where all are written in one, with a time or without, or only the year is known", () => {
    expect(said(days.map(american))).toEqual([]);
    expect(said(days.map((day, row) => `${american(day)}${row % 2 ? " 10:30" : ""}`))).toEqual([]);
    expect(
      said(days.map(([year = 0, month = 0], row) => (row % 3 ? `${year}` : `${year}-${month}-5`))),
    ).toEqual([]);
  });
});

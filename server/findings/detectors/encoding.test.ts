import { expect, test } from "vitest";
import { rowsAgainst } from "../condition.ts";
import { meantBy } from "../garbled.ts";
import { randomFrom } from "../random.fixture.ts";
import { aColumn, saidOf } from "../table.fixture.ts";
import { encodings } from "./encoding.ts";

const readAs = (text: string, encoding: "latin1" | "windows-1252") =>
  encoding === "latin1"
    ? Buffer.from(text, "utf8").toString("latin1")
    : new TextDecoder("windows-1252").decode(Buffer.from(text, "utf8"));

const foreign = [
  ...[
    "Müller",
    "Łódź",
    "São Paulo",
    "Ångström",
    "Þórr",
    "Škoda",
    "naïve",
    "El Niño",
    "Œuvre",
    "ČESKÁ",
    "MAÇÃ",
  ],
  ...[
    "Привет",
    "Ελλάδα",
    "東京",
    "서울",
    "שלום",
    "مرحبا",
    "می‌خواهم",
    "กรุงเทพ",
    "Zürich – 5 €",
    "“CAFÉ”",
    "¿Qué?",
  ],
  ...[
    "👨‍👩‍👧 family",
    "Rock & Roll",
    "AT&T",
    "a < b > c",
    "100%",
    "50% off",
    "Who? Me",
    "C:\\new",
    "x²",
    "½ cup",
    "Ã",
    "Â",
  ],
];

test.each(["Müller", "São Paulo", "Łódź", "naïve “quotes”", "Привет", "東京", "5 €", "Ελλάδα", "👍"])(
  "what was meant by %s when it was read as Windows-1252, as Latin-1, and twice",
  (text) => {
    expect(meantBy(readAs(text, "windows-1252"))).toBe(text);
    expect(meantBy(readAs(text, "latin1"))).toBe(text);
    expect(meantBy(readAs(readAs(text, "windows-1252"), "windows-1252"))).toBe(text);
  },
);

test.each(foreign)("%s is meant as it stands", (text) => {
  expect(meantBy(text)).toBeNull();
});

test.each([
  ["text in the wrong encoding", "MÃ¼ller"],
  ["a replacement character", "M\ufffdller"],
  ["another code page", "M├╝ller"],
  ["a control character", "Mul\u0007ler"],
  ["a zero-width space", "Mul\u200bler"],
  ["a byte order mark", "\ufeffMuller"],
  ["a lost character", "M?ller".replace("M", "Schm")],
  ["an entity", "M&uuml;ller"],
  ["a numeric entity", "M&#252;ller"],
  ["a tag", "<b>Muller</b>"],
  ["an escape sequence", "M\\u00fcller"],
  ["percent encoding", "S%C3%A3o"],
  ["a line break", "Mul\nler"],
])("%s is found, with exactly its rows", (_, planted) => {
  const { pick, some } = randomFrom(7);
  const at = some(3, 900);
  const values = Array.from({ length: 900 }, (_, row) => (at.includes(row) ? planted : pick(foreign)));
  const table = aColumn("customer", values);
  const said = saidOf(encodings, table).filter(({ rows }) => rows.length === 3);
  expect(said.map(({ kind, columns }) => ({ kind, columns }))).toEqual([
    { kind: "Encoding", columns: ["customer"] },
  ]);
  const [found] = said;
  if (!found?.condition) throw new Error("nothing found");
  expect([...found.rows]).toEqual(at);
  expect([...rowsAgainst(found.condition, table)]).toEqual(at);
});

test("says what was meant, and which pattern fails for these rows alone", () => {
  const table = aColumn("city", [...Array.from({ length: 40 }, () => "Zürich"), "ZÃ¼rich"]);
  const [found] = saidOf(encodings, table);
  expect(found?.statement).toBe(
    "1 of 41 rows of things has text that was read in the wrong encoding in city: “ZÃ¼rich” for “Zürich”.",
  );
  expect(found?.rule).toEqual({ type: "Pattern", configuration: { column: "city", pattern: "^[^Ã¼]*$" } });
});

test("a whole column in the wrong encoding is found, too", () => {
  const table = aColumn(
    "city",
    Array.from({ length: 50 }, (_, row) => readAs(`Göteborg ${row}`, "latin1")),
  );
  expect(saidOf(encodings, table)[0]?.rows.length).toBe(50);
});

test.each([1, 2, 3])(
  "nothing is said of texts in all scripts, of HTML, of addresses and of code (%i)",
  (seed) => {
    const { pick, below } = randomFrom(seed);
    const many = (one: () => string) => Array.from({ length: 500 }, one);
    const columns = [
      many(() => pick(foreign)),
      many(() => `<p>${pick(foreign)} &amp; ${below(9)}</p>`),
      many(() => `https://example.com/a%20b?c=${below(99)}&d;=${below(9)}`),
      many(() => `{"name":"\\u00e9${below(99)}"}`),
      many(() => `Dear ${pick(foreign)},\n\nthe ${below(9)} things.\n`),
      many(() => (below(3) === 0 ? "line\nbreak" : "one line")),
    ];
    for (const values of columns) expect(saidOf(encodings, aColumn("body", values))).toEqual([]);
  },
);

test("escape sequences that lost their backslash are told, and words with such letters are not", () => {
  const names = Array.from({ length: 500 }, (_, row) => `Anna Su00${row % 10}x Berg`);
  const said = (one: string) =>
    saidOf(encodings, aColumn("name", [...names, one])).map(({ rows }) => [...rows]);
  expect(said("Bju00f6rk Guu00f0mundsdottir")).toEqual([[500]]);
  expect(said("u00c9mile Zola")).toEqual([[500]]);
  expect(said("Paula Garcu00eda")).toEqual([[500]]);
  expect(said("Jiu0159u00ed")).toEqual([[500]]);
  expect(said("Model 4u00d2")).toEqual([]);
});

test("so many different texts that no list could name them are told by what they have in common", () => {
  const names = Array.from({ length: 9000 }, (_, index) =>
    index % 3 === 0
      ? `M\u00c3\u00bcller ${index}`
      : index % 3 === 1
        ? `Beyonc\u00c3\u00a9 ${index}`
        : `Smith ${index}`,
  );
  const table = aColumn("name", names);
  const [found] = saidOf(encodings, table);
  expect(found?.rows).toHaveLength(6000);
  expect(found?.condition).toEqual({ is: "has", column: "name", texts: ["\u00c3\u00a9", "\u00c3\u00bc"] });
  expect(rowsAgainst(found?.condition ?? { is: "any", of: [] }, table)).toEqual(found?.rows);
});

test("a few texts, and those that share their signs with others, are listed", () => {
  const plain = Array.from({ length: 300 }, (_, index) => `Smith ${index}`);
  const few = aColumn("name", [...plain, "M\u00c3\u00bcller", "Beyonc\u00c3\u00a9"]);
  expect(saidOf(encodings, few)[0]?.condition).toMatchObject({ is: "oneOf" });
  // A hash has the sign of a lost escape sequence as well, and is meant as it is.
  const escaped = Array.from({ length: 30 }, (_, index) => `Bju00f6rk ${index}`);
  const many = aColumn("name", [...plain, ...plain.map((name) => `${name} B`), ...escaped, "hash au00f63"]);
  expect(saidOf(encodings, many)[0]?.condition).toMatchObject({ is: "oneOf", values: escaped });
});

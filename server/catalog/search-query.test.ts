import { sql } from "drizzle-orm";
import { expect, test } from "vitest";
import { db } from "../db/client.ts";
import { searchQueryOf, wordsToLookUp } from "./search-query.ts";
import { joinedWords, typedWords } from "./search-words.ts";
import { namesOf, wordsOf } from "./service/entry-words.ts";

test("names are split into words, and words into their parts", () => {
  const words = (text: string) => typedWords(text).map(({ whole, parts }) => [whole, ...parts]);
  expect(words("customer_orders")).toEqual([
    ["customer", "customer"],
    ["orders", "orders"],
  ]);
  expect(words("public.customerOrders")).toEqual([
    ["public", "public"],
    ["customerorders", "customer", "orders"],
  ]);
  expect(words("HTMLParser2")).toEqual([["htmlparser2", "html", "parser2"]]);
  expect(words(" %&|!:*()'\\ \u{1f680} ")).toEqual([]);
});

/** Names in several scripts, with every kind of separator between words. */
const texts = [
  ..."customer_orders|CustomerOrders|HTMLParser|PostgreSQL 18|100 % sure|a.b.c|x".split("|"),
  ...[
    "Größe der Bestellung",
    "顧客注文 一覧",
    "заказы_клиента",
    "İstanbul ΟΔΟΣ",
    "ﬁles",
    "e\u0301te\u0301",
    "naïve—café",
  ],
  ...[
    "\u{1f680} launches",
    "l'été",
    "a\\b",
    'quote"d',
    "tab\tand\nline",
    "½ price",
    "µ-law",
    "no\u00a0break",
  ],
];

test.each(texts)("the database splits %j into the same words", async (text) => {
  const [row] = await db.execute<{ words: string[]; names: string[] }>(sql`
    select ${wordsOf(sql.raw("given"))} as words, tsvector_to_array(${namesOf(sql.raw("given"))}) as names
    from (select ${text}::text as given offset 0) as one`);
  const expected = new Set(typedWords(text).flatMap(({ whole, parts }) => [whole, ...parts]));
  expect(new Set(row?.words)).toEqual(expected);
  expect(row?.names).toContain(`=${joinedWords(text)}`);
});

test("the database accepts every query, whatever the input", async () => {
  const near = new Map([["orders", ["customerorders"]]]);
  const odd = [
    "orders & | ! <-> :* ( ) ' \\",
    "it's",
    "a:*b",
    "'; drop table queries; --",
    "ordersÀ\u0301",
    "x".repeat(200),
  ];
  for (const text of [...texts, ...odd, "orders ".repeat(28)]) {
    const query = searchQueryOf(text, near);
    for (const each of Object.values(query ?? {}).slice(1)) await db.execute(sql`select ${each}::tsquery`);
  }
});

test("input without words produces no query", () => {
  expect(searchQueryOf("% _ !")).toBeNull();
});

test("only a few words are looked up, and no short ones", () => {
  expect(wordsToLookUp("id of orders orders")).toEqual(["orders"]);
  expect(wordsToLookUp("alpha beta gamma delta epsilon zeta eta theta iota kappa")).toHaveLength(8);
});

import { expect } from "vitest";
import type { SignedIn } from "../../auth/principal.ts";
import type { ContractInput } from "../../data-quality/schema.ts";
import { refreshSchema } from "../../data-sources/service/read-schema.ts";
import { aContract, aRule } from "../../test/factories/contracts.ts";
import { explainRule } from "./explain-rule.ts";

const countries = ["DE", "FR", "IT", "ES", "PL"];

/**
 * Statements that make 50 customers and 5,000 orders, 100 a day from 1 October 2026:
 * - 200 orders come from `legacy`, every twenty-fifth. They lack an amount, and so do five others.
 * - Since 10 November, each code is there twice: in the last 1,000 orders.
 * - A third of the 1,000 orders of customers in ES have a status that nobody knows.
 */
export function shop(text: string): string[] {
  const quoted = (value: string | null) => (value === null ? "null" : `'${value}'`);
  const customers = Array.from({ length: 50 }, (_, index) => `(${index + 1}, '${countries[index % 5]}')`);
  const orders = Array.from({ length: 5000 }, (_, index) => {
    const id = index + 1;
    const source = id % 25 === 0 ? "legacy" : id % 2 === 0 ? "shop" : "web";
    const customer = 1 + ((id * 7) % 50);
    const placed = new Date(Date.UTC(2026, 9, 1 + Math.floor(index / 100))).toISOString().slice(0, 10);
    const amount = source === "legacy" || id % 997 === 0 ? null : String(id % 90);
    const code = id > 4000 ? `D${Math.ceil(id / 2)}` : `C${id}`;
    const isSpanish = countries[(customer - 1) % 5] === "ES";
    const status = isSpanish && id % 3 === 0 ? "lost" : id % 2 === 0 ? "open" : "paid";
    return `(${id}, ${customer}, '${source}', '${placed} 00:00:00', ${amount}, '${code}', ${quoted(status)}, 'o${id % 4}@example.com')`;
  });
  return [
    `create table customers (id int primary key, country ${text} not null)`,
    `insert into customers values ${customers.join(", ")}`,
    `create table orders (id int primary key, customer_id int not null, source ${text}, placed_at timestamp,
       amount int, code ${text}, status ${text}, contact ${text}, foreign key (customer_id) references customers (id))`,
    `insert into orders values ${orders.join(", ")}`,
  ];
}

const rules = [
  aRule("NullRate", { column: "amount", maxNullPercent: 0 }, { name: "amount" }),
  aRule("Uniqueness", { column: "code" }, { name: "code" }),
  aRule("UniqueCombination", { columns: ["code", "source"] }, { name: "combination" }),
  aRule("AllowedValues", { column: "status", values: ["open", "paid"] }, { name: "status" }),
  aRule("RowCondition", { condition: "source <> 'legacy'", whenUnknown: "Pass" }, { name: "condition" }),
  aRule(
    "NullRate",
    { column: "amount", maxNullPercent: 0, where: "source <> 'legacy'" },
    { name: "some rows" },
  ),
  aRule("Volume", { minRows: 1 }, { name: "volume" }),
  aRule("Range", { column: "amount", min: "0" }, { name: "sound" }),
  aRule("Pattern", { column: "contact", pattern: "^o[0-2]" }, { name: "contact" }),
];

/** A contract about the orders, and a function that says why one of its rules fails. */
export async function ordersContract(
  ctx: SignedIn,
  dataSourceId: number,
  given: Partial<ContractInput> = {},
) {
  await refreshSchema(ctx, dataSourceId);
  const contract = await aContract({ dataSourceId, tableName: "orders", rules, ...given }, ctx);
  const why = async (name: string) => {
    const ruleId = contract.rules.find((rule) => rule.name === name)?.id ?? 0;
    const { segments, readAt: _, ...more } = await explainRule(ctx, { id: contract.id, ruleId });
    return { ...more, said: segments.map(({ statement }) => statement) };
  };
  return { contract, why };
}

/** The same on every engine; worked out by hand from how the orders are made. */
export async function saysWhy(why: Awaited<ReturnType<typeof ordersContract>>["why"]): Promise<void> {
  expect(await why("amount")).toEqual({
    said: ["98 % of the failing rows have source = legacy; 4 % of all rows do."],
    ...{ failingRows: 205, totalRows: 5000, isExact: true, note: null },
  });
  expect(await why("code")).toEqual({
    said: ["All failing rows have placed_at since 2026-11-10; 20 % of all rows do."],
    ...{ failingRows: 1000, totalRows: 5000, isExact: true, note: null },
  });
  // Two rows in a row of a code have another source, unless one is legacy: then none repeats.
  expect((await why("combination")).failingRows).toBe(0);
  const { said, failingRows } = await why("status");
  expect(said).toEqual(["All failing rows have customers.country = ES; 20 % of all rows do."]);
  expect(failingRows).toBe(
    Array.from({ length: 5000 }, (_, index) => index + 1).filter(
      (id) => ((id * 7) % 50) % 5 === 3 && id % 3 === 0,
    ).length,
  );
  expect(await why("some rows")).toEqual({
    said: [],
    ...{ failingRows: 5, totalRows: 4800, isExact: true },
    note: "Nothing sets the failing rows apart from the others",
  });
  expect(await why("sound")).toMatchObject({ said: [], failingRows: 0, note: "No row fails any more" });
}

import { Random } from "../../../faults/random.ts";
import { type CorpusDatabase, type CorpusTable, columnsOf, type Row } from "../corpus.ts";
import {
  cents,
  dateText,
  dayMs,
  digits,
  heavyTailed,
  letters,
  maybe,
  money,
  mostlyFirst,
  some,
  weighted,
} from "../draw.ts";
import { firstName, lastName } from "./names.ts";
import { placesOf } from "./places.ts";

const now = Date.parse("2025-09-01T06:00:00Z");

/** Policies and what was claimed: a few claims are enormous, and some money came back. */
export function insurance(seed: number): CorpusDatabase {
  const random = new Random(seed * 83 + 2);
  const products = productsOf();
  const policies = policiesOf(random, products.rows);
  return { name: "insurance", now, tables: [products, policies, claimsOf(random, policies.rows)] };
}

const kinds = ["Car", "Home", "Travel", "Liability", "Pet"];

function productsOf(): CorpusTable {
  const rows = Array.from({ length: 55 }, (_, index): Row => {
    const kind = kinds[index % kinds.length] ?? "";
    return [
      `${kind.slice(0, 2).toUpperCase()}${String(100 + index)}`,
      `${kind} ${["Basic", "Plus", "Family", "Premium"][index % 4]} ${2005 + Math.floor(index / 3)}`,
      kind,
      String(kind === "Travel" ? 0.11 : 0.19),
      `${2005 + Math.floor(index / 3)}-01-01`,
      // Sold until the next one came.
      index > 45 ? null : `${2008 + Math.floor(index / 3)}-12-31`,
    ];
  });
  const columns = columnsOf({
    code: "text",
    name: "text",
    line: "text",
    tax_rate: "decimal",
    sold_from: "date",
    sold_until: "date",
  });
  return { name: "products", columns, rows };
}

function policiesOf(random: Random, products: readonly Row[]): CorpusTable {
  const places = placesOf(random, 60);
  const rows = Array.from({ length: 3600 }, (_, index): Row => {
    const product = mostlyFirst(random, products, 1.2);
    const place = mostlyFirst(random, places, 1.5);
    const begins = Date.parse("2016-01-01") + Math.floor(random.next() * 3500) * dayMs;
    const premium = cents(heavyTailed(random, product[2] === "Travel" ? 60 : 280, 0.5));
    const tax = cents(premium * Number(product[3]));
    const isEnded = random.chance(0.2);
    return [
      `${product[2]?.charAt(0)}-${2016 + Math.floor(index / 400)}-${String(index).padStart(6, "0")}`,
      product[0] ?? null,
      `${firstName(random)} ${lastName(random)}`,
      random.pick(place.codes),
      place.city,
      dateText(begins),
      isEnded ? dateText(Math.min(now, begins + random.between(30, 1500) * dayMs)) : null,
      isEnded ? weighted(random, { sold: 50, price: 30, death: 5, unpaid: 15 }) : null,
      money(premium),
      money(tax),
      money(cents(premium + tax)),
      weighted(random, { yearly: 70, monthly: 25, quarterly: 5 }),
      String(weighted(random, { "0": 50, "150": 30, "300": 18, "1000": 2 })),
      product[2] === "Car" ? `${letters(random, 2)}-${letters(random, 2)} ${digits(random, 3)}` : null,
    ];
  });
  const columns = columnsOf({
    policy_no: "text",
    product_code: "text in products.code",
    holder: "text",
    postal_code: "text",
    city: "text",
    begins_on: "date",
    ended_on: "date",
    end_reason: "text",
    premium: "decimal",
    tax: "decimal",
    total: "decimal",
    paid: "text",
    deductible: "integer",
    plate: "text",
  });
  return { name: "policies", columns, rows };
}

function claimsOf(random: Random, policies: readonly Row[]): CorpusTable {
  const rows = some(random, policies, 1300).map((policy, index): Row => {
    const begins = Date.parse(policy[5] ?? "");
    const occurred = begins + random.next() * Math.max(dayMs, now - begins);
    // Most are told of within days, a few after a year.
    const reported = Math.min(now, occurred + heavyTailed(random, 4, 1.3) * dayMs);
    const claimed = cents(heavyTailed(random, 900, 1.2));
    const isOpen = now - reported < 60 * dayMs && random.chance(0.6);
    const paid = isOpen || random.chance(0.18) ? 0 : cents(claimed * (0.5 + random.next() / 2));
    return [
      `S${String(700_000 + index * 7)}`,
      policy[0] ?? null,
      dateText(occurred),
      dateText(reported),
      weighted(random, {
        collision: 30,
        water: 25,
        theft: 15,
        storm: 12,
        glass: 12,
        fire: 4,
        vet: 1.5,
        lightning: 0.5,
      }),
      money(claimed),
      money(paid),
      money(random.chance(0.006) ? -cents(paid * 0.3) : 0),
      isOpen ? "open" : paid === 0 ? "declined" : "paid",
      maybe(random, 0.2, () => `${lastName(random)} & ${lastName(random)}`),
    ];
  });
  const columns = columnsOf({
    claim_no: "text",
    policy_no: "text in policies.policy_no",
    occurred_on: "date",
    reported_on: "date",
    cause: "text",
    claimed: "decimal",
    paid_out: "decimal",
    recovered: "decimal",
    status: "text",
    expert: "text",
  });
  return { name: "claims", columns, rows };
}

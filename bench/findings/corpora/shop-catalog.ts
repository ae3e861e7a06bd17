import type { Random } from "../../../faults/random.ts";
import { type CorpusTable, columnsOf, type Row } from "../corpus.ts";
import {
  cents,
  dateText,
  dayMs,
  heavyTailed,
  letters,
  maybe,
  money,
  mostlyFirst,
  timeText,
  weighted,
} from "../draw.ts";
import { firstName, lastName, plain } from "./names.ts";
import { phone, placesOf } from "./places.ts";

/** Who buys at the shop, and what it sells. */

export function customersOf(random: Random, now: number): CorpusTable {
  const places = placesOf(random, 160);
  const rows = Array.from({ length: 1500 }, (_, index): Row => {
    const [first, last] = [firstName(random), lastName(random)];
    const { country, city, codes } = mostlyFirst(random, places, 1.5);
    return [
      String(index * 2 + 101),
      `${plain(first)}.${plain(last)}${index}@${random.pick(["example.com", "mail.example.org", "example.net"])}`,
      first,
      last,
      maybe(
        random,
        0.3,
        () => `${lastName(random)} ${random.pick(["GmbH", "Ltd", "& Sons", "Inc.", "B.V."])}`,
      ),
      maybe(random, 0.8, () => phone(random, country)),
      country,
      city,
      random.pick(codes),
      timeText(now - (1500 - index) * dayMs * 0.8 - random.next() * dayMs),
      String(random.chance(0.4)),
    ];
  });
  const columns = columnsOf({
    id: "integer key",
    email: "text",
    first_name: "text",
    last_name: "text",
    company: "text",
    phone: "text",
    country: "text",
    city: "text",
    postal_code: "text",
    created_at: "time",
    newsletter: "other",
  });
  return { name: "customers", columns, rows };
}

export function productsOf(random: Random, now: number): CorpusTable {
  const categories = { Kitchen: 30, Garden: 25, Toys: 20, Books: 15, Lighting: 8, "Gift cards": 2 };
  const rows = Array.from({ length: 300 }, (_, index): Row => {
    const category = weighted(random, categories);
    const price = cents(heavyTailed(random, 25, 1.1) + 1);
    return [
      String(index + 1),
      `${category.slice(0, 2).toUpperCase()}-${String(1000 + index * 7).padStart(5, "0")}`,
      `${random.pick(["Classic", "Modern", "Mini", "Deluxe", "Basic"])} ${random.pick(["set", "lamp", "box", "bowl", "chair", "kit"])} ${letters(random, 2)}${index}`,
      category,
      money(price),
      money(cents(price * (0.3 + random.next() * 0.5))),
      maybe(random, 0.85, () => heavyTailed(random, 1.2, 1).toFixed(3)),
      String(Math.round(heavyTailed(random, 40, 1.2))),
      maybe(random, 0.1, () => dateText(now - random.next() * 600 * dayMs)),
    ];
  });
  const columns = columnsOf({
    id: "integer key",
    sku: "text",
    name: "text",
    category: "text",
    price: "decimal",
    cost: "decimal",
    weight_kg: "decimal",
    stock: "integer",
    discontinued_on: "date",
  });
  return { name: "products", columns, rows };
}

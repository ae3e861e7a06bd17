import { Random } from "../../../faults/random.ts";
import { type CorpusDatabase, type CorpusTable, columnsOf, type Row } from "../corpus.ts";
import {
  cents,
  dateText,
  dayMs,
  heavyTailed,
  maybe,
  money,
  mostlyFirst,
  timeText,
  weighted,
} from "../draw.ts";
import { firstName, lastName, plain } from "./names.ts";

const now = Date.parse("2025-12-03T15:00:00Z");

/** An auction house: what nobody wanted has no price, and one lot in a thousand brings a fortune. */
export function auctions(seed: number): CorpusDatabase {
  const random = new Random(seed * 59 + 31);
  const bidders = biddersOf(random);
  const lots: Row[] = [];
  const bids: Row[] = [];
  const sales = salesOf(random);
  for (const sale of sales.rows) lotsOf(random, sale, bidders.rows, lots, bids);
  return {
    name: "auctions",
    now,
    tables: [sales, bidders, { ...lotTable, rows: lots }, { ...bidTable, rows: bids }],
  };
}

function salesOf(random: Random): CorpusTable {
  const rows = Array.from({ length: 58 }, (_, index): Row => {
    const day = Date.parse("2019-03-07") + index * 42 * dayMs;
    return [
      String(300 + index),
      `${["Silver", "Prints", "Furniture", "Wine", "Watches"][index % 5]} ${new Date(day).getUTCFullYear()}/${index}`,
      dateText(day),
      index % 5 === 3 ? "online" : weighted(random, { room: 80, online: 20 }),
      random.chance(0.97) ? "25.00" : "20.00",
    ];
  });
  const columns = columnsOf({
    sale_no: "integer",
    title: "text",
    held_on: "date",
    place: "text",
    premium: "decimal",
  });
  return { name: "sales", columns, rows };
}

function biddersOf(random: Random): CorpusTable {
  const rows = Array.from({ length: 900 }, (_, index): Row => {
    const last = lastName(random);
    return [
      `P${String(5000 + index)}`,
      `${firstName(random)} ${last}`,
      `${plain(last)}${index}@${random.pick(["mail", "post", "dealer"])}.example`,
      mostlyFirst(random, ["DE", "GB", "US", "FR", "CH", "JP", "AE"], 2),
      weighted(random, { private: 80, dealer: 19, museum: 1 }),
      maybe(random, 0.35, () => String(random.pick([5, 10, 20, 50, 250]) * 1000)),
    ];
  });
  const columns = columnsOf({
    paddle: "text",
    name: "text",
    email: "text",
    country: "text",
    kind: "text",
    credit_limit: "integer",
  });
  return { name: "bidders", columns, rows };
}

const lotTable = {
  name: "lots",
  columns: columnsOf({
    lot_id: "integer key",
    sale_no: "integer in sales.sale_no",
    lot_no: "integer",
    title: "text",
    period: "text",
    low_estimate: "integer",
    high_estimate: "integer",
    hammer: "integer",
    fee: "decimal",
    total: "decimal",
    buyer: "text in bidders.paddle",
    status: "text",
  }),
};
const bidTable = {
  name: "bids",
  columns: columnsOf({
    bid_id: "integer key",
    lot_id: "integer references lots.lot_id",
    paddle: "text in bidders.paddle",
    amount: "integer",
    placed_at: "time",
    via: "text",
  }),
};

function lotsOf(random: Random, sale: Row, bidders: readonly Row[], lots: Row[], bids: Row[]): void {
  const day = Date.parse(sale[2] ?? "") + 10 * 3_600_000;
  for (let no = 1; no <= 38; no++) {
    const low = Math.max(50, Math.round(heavyTailed(random, 500, 1.1) / 50) * 50);
    const id = String(lots.length + 1);
    let [price, buyer]: [number, string | null] = [0, null];
    for (let bid = 0; bid < (random.chance(0.14) ? 0 : random.between(1, 5)); bid++) {
      const step = price === 0 ? low * 0.8 : price * (0.05 + random.next() * 0.15);
      price = Math.ceil((price + step) / 10) * 10;
      buyer = mostlyFirst(random, bidders, 1.5)[0] ?? null;
      bids.push([
        String(bids.length + 1),
        id,
        buyer,
        String(price),
        timeText(day + no * 90_000 + bid * 9_000),
        sale[3] === "online" ? "web" : weighted(random, { room: 60, phone: 25, web: 13, book: 2 }),
      ]);
    }
    const fee = cents((price * Number(sale[4])) / 100);
    lots.push([
      id,
      sale[0] ?? null,
      String(no),
      `${random.pick(["Bowl", "Clock", "Etching", "Chair", "Case", "Ring"])}, ${random.pick(["signed", "restored", "oak", "silver", "with box"])}`,
      mostlyFirst(
        random,
        ["19th century", "20th century", "18th century", "circa 1900", "17th century", "Roman"],
        2,
      ),
      String(low),
      String(Math.round(low * 1.5)),
      buyer === null ? null : String(price),
      buyer === null ? null : money(fee),
      buyer === null ? null : money(cents(price + fee)),
      buyer,
      buyer === null ? "unsold" : random.chance(0.006) ? "withdrawn after sale" : "sold",
    ]);
  }
}

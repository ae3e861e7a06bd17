import type { Random } from "../../../faults/random.ts";
import { type CorpusTable, columnsOf, type Row } from "../corpus.ts";
import { dateText, dayMs, digits, heavyTailed, money, mostlyFirst, timeText, weighted } from "../draw.ts";
import { type Batch, midnight, nextWorkday, now, today } from "./brewery-batches.ts";
import { hourMs, momentsOf } from "./calendar.ts";

/** Kegs, and where they went. */

/** What kegs did before it is in the archive. */
const kegsFrom = Date.parse("2025-01-02");

/** As of GS1: each second digit counts three times. */
export function checkDigit(body: string): number {
  const sum = [...body]
    .toReversed()
    .reduce((all, digit, index) => all + Number(digit) * (index % 2 === 0 ? 3 : 1), 0);
  return (10 - (sum % 10)) % 10;
}

type Keg = { no: string; litres: number; isOneWay: boolean; bought: number; owner: "own" | "pool" };

export function kegsOf(random: Random): Keg[] {
  let serial = 40_000;
  const kegs = Array.from({ length: 620 }, (): Keg => {
    serial += random.between(1, 23);
    const body = `400987${String(serial).padStart(6, "0")}`;
    const isOneWay = random.chance(0.12);
    return {
      no: `${body}${checkDigit(body)}`,
      litres: isOneWay ? random.pick([20, 30]) : Number(weighted(random, { 30: 46, 50: 40, 20: 13, 15: 1 })),
      isOneWay,
      // One-way kegs are bought in spring, shortly before they are filled.
      bought: isOneWay
        ? kegsFrom + random.between(0, 200) * dayMs
        : Date.parse("2009-05-04") + Math.floor(random.next() ** 0.6 * 5600) * dayMs,
      owner: !isOneWay && random.chance(0.22) ? "pool" : "own",
    };
  });
  return kegs.sort((a, b) => a.bought - b.bought);
}

type Movement = {
  keg: Keg;
  at: number;
  kind: "fill" | "ship" | "return" | "written_off" | "found" | "scrap";
  batch: Batch | null;
  customer: Customer | null;
  amount: number | null;
};

type Customer = { no: string; currency: "EUR" | "CZK" | "CHF" };
/** As much as a keg is worth there. */
const deposits = { EUR: 30, CZK: 800, CHF: 50 };

export function movementsOf(random: Random, kegs: readonly Keg[], batches: readonly Batch[]): Movement[] {
  const customers = Array.from({ length: 150 }, (_, index): Customer => {
    const currency = weighted(random, { EUR: 88, CZK: 9, CHF: 3 });
    return { no: `${currency === "EUR" ? "" : `${currency.slice(0, 2)}-`}${10_020 + index * 7}`, currency };
  });
  const filled = batches
    .filter((batch) => batch.packaged !== null && batch.filled >= kegsFrom)
    .toSorted((a, b) => a.filled - b.filled);
  const left = new Map(filled.map((batch) => [batch, (batch.packaged ?? 0) * 95]));
  const movements: Movement[] = [];
  const add = (movement: Movement): boolean => {
    if (movement.at >= now) return false;
    movements.push(movement);
    return true;
  };
  for (const keg of kegs) {
    let free = Math.max(kegsFrom, keg.bought) + random.between(0, 50) * dayMs;
    for (;;) {
      // Some kegs wait for a while, and some batches go into bottles.
      const batch = filled.find(
        (one) => one.filled >= free && (left.get(one) ?? 0) >= keg.litres && random.chance(0.4),
      );
      if (!batch) break;
      left.set(batch, (left.get(batch) ?? 0) - keg.litres);
      const at = batch.filled + random.between(7 * 60, 15 * 60) * 60_000;
      if (!add({ keg, at, kind: "fill", batch, customer: null, amount: null })) break;
      const day = nextWorkday(at + random.between(1, 18) * dayMs);
      const [shipped = day] = momentsOf(random, day, 1, [4, 14]);
      const customer = mostlyFirst(random, customers, 1.7);
      const amount = keg.isOneWay ? 0 : deposits[customer.currency];
      if (!add({ keg, at: shipped, kind: "ship", batch, customer, amount }) || keg.isOneWay) break;
      const isLost = random.chance(0.03);
      const away = isLost ? random.between(95, 130) : Math.min(90, heavyTailed(random, 24, 0.6));
      const back = nextWorkday(shipped + (1 + away) * dayMs) + random.between(6 * 60, 16 * 60) * 60_000;
      if (isLost) {
        // Its deposit stays here; when it is found after all, it is paid back.
        if (!add({ keg, at: back, kind: "written_off", batch: null, customer, amount: null })) break;
        const found = nextWorkday(back + random.between(10, 80) * dayMs) + 10 * hourMs;
        if (
          !random.chance(0.4) ||
          !add({ keg, at: found, kind: "found", batch: null, customer, amount: -amount })
        )
          break;
        free = midnight(found) + 3 * dayMs;
        continue;
      }
      if (!add({ keg, at: back, kind: "return", batch: null, customer, amount: -amount })) break;
      if (random.chance(0.012)) {
        add({ keg, at: back + 2 * hourMs, kind: "scrap", batch: null, customer: null, amount: null });
        break;
      }
      free = midnight(back) + random.between(1, 9) * dayMs;
    }
  }
  return movements.sort((a, b) => a.at - b.at);
}

export function kegTable(random: Random, kegs: readonly Keg[], movements: readonly Movement[]): CorpusTable {
  const last = new Map(movements.map((movement) => [movement.keg, movement]));
  const statuses = {
    fill: "full",
    ship: "at customer",
    return: "empty",
    found: "empty",
    written_off: "lost",
    scrap: "scrapped",
  };
  const rows = kegs.map((keg): Row => {
    const latest = last.get(keg);
    const status = !latest
      ? keg.isOneWay
        ? "new"
        : "empty"
      : keg.isOneWay && latest.kind === "ship"
        ? "used up"
        : statuses[latest.kind];
    // Steel is inspected every five years; what is not of steel, never.
    const age = Math.floor((today - keg.bought) / (5 * 365 * dayMs));
    const isMarked = keg.bought < Date.parse("2016-01-01");
    return [
      keg.no,
      String(keg.litres),
      keg.isOneWay ? "KeyKeg" : weighted(random, { S: 70, A: 22, G: 8 }),
      keg.isOneWay ? "PET" : "steel",
      keg.owner,
      dateText(keg.bought),
      keg.isOneWay || age === 0 ? null : dateText(keg.bought + age * 5 * 365 * dayMs),
      status,
      latest?.kind === "scrap" ? dateText(latest.at) : null,
      isMarked ? `MB${digits(random, 5)}` : null,
      keg.isOneWay ? null : (keg.litres * 0.19 + 3.4 + random.between(-2, 2) / 10).toFixed(1),
    ];
  });
  const columns = columnsOf({
    keg_no: "text key",
    size_l: "integer",
    fitting: "text",
    material: "text",
    owner: "text",
    bought_on: "date",
    inspected_on: "date",
    status: "text",
    scrapped_on: "date",
    stamp: "text",
    tare_kg: "decimal",
  });
  return { name: "kegs", columns, rows };
}

export function movementTable(movements: readonly Movement[]): CorpusTable {
  const rows = movements.map(
    ({ keg, at, kind, batch, customer, amount }, index): Row => [
      String(510_001 + index),
      keg.no,
      timeText(at),
      kind,
      batch?.no ?? null,
      customer?.no ?? null,
      amount === null ? null : money(amount),
      amount === null ? null : (customer?.currency ?? null),
    ],
  );
  const columns = columnsOf({
    movement_id: "integer key",
    keg_no: "text in kegs.keg_no",
    moved_at: "time",
    kind: "text",
    batch_no: "text in batches.batch_no",
    customer_no: "text",
    deposit: "decimal",
    currency: "text",
  });
  return { name: "keg_movements", columns, rows };
}

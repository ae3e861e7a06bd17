import type { Random } from "../../../faults/random.ts";
import { type CorpusTable, columnsOf, type Row } from "../corpus.ts";
import { cents, dateText, dayMs, heavyTailed, maybe, money, weighted } from "../draw.ts";
import { isHoliday, isWeekend } from "./calendar.ts";
import { type Lease, monthStart, type Rent, today } from "./hausverwaltung-bestand.ts";

/** What was due, what was paid, and what was settled at the end of the year. */

const duesFrom = Date.UTC(2024, 0, 1);
const paymentsFrom = Date.UTC(2025, 0, 1);

const isBankday = (day: number) =>
  !isWeekend(day) && !isHoliday(day) && !/-(10-03|12-24|12-31)$/.test(dateText(day));
const nextBankday = (moment: number): number => {
  let day = Math.floor(moment / dayMs) * dayMs;
  while (!isBankday(day)) day += dayMs;
  return day;
};
const lastBankday = (moment: number): number => {
  let day = Math.floor(moment / dayMs) * dayMs;
  while (!isBankday(day)) day -= dayMs;
  return day;
};

export type Due = {
  id: number;
  lease: Lease;
  month: number;
  base: number;
  running: number;
  heating: number;
  kind: string;
  reverses: Due | null;
};

export const rentAt = ({ rents }: Lease, day: number): Rent | undefined =>
  rents.findLast(({ from }) => from <= day);
const vatOf = ({ lease, base, running, heating }: Due): number =>
  cents(((base + running + heating) * lease.vat) / 100);
export const sumOf = (due: Due): number => cents(due.base + due.running + due.heating + vatOf(due));

/** How much of a month it is rented; leases end with a month. */
function shareOf({ from }: Lease, month: number): number {
  const next = monthStart(month, 1);
  return from > month ? Math.max(0, next - from) / (next - month) : 1;
}

/** What was to be paid ahead from one day to another. */
function prepaidFor(lease: Lease, from: number, to: number): number {
  let sum = 0;
  for (let month = monthStart(from); month <= to; month = monthStart(month, 1)) {
    const rent = rentAt(lease, Math.max(month, lease.from));
    const share = shareOf(lease, month);
    sum += cents((rent?.running ?? 0) * share) + cents((rent?.heating ?? 0) * share);
  }
  return cents(sum);
}

/** On the first of each month for all; who moves in later pays by the day. */
export function duesOf(random: Random, leases: readonly Lease[]): Due[] {
  const dues: Due[] = [];
  for (let month = duesFrom; month <= today; month = monthStart(month, 1)) {
    const last = monthStart(month, 1) - dayMs;
    for (const lease of leases) {
      const rent = rentAt(lease, Math.max(month, lease.from));
      const isOver = lease.to !== null && lease.to < month;
      // It was entered that they had moved out when the month was charged already.
      const isLate = isOver && lease.to !== null && monthStart(lease.to, 1) === month && random.chance(0.2);
      if (!rent || lease.from > last || (isOver && !isLate)) continue;
      const share = shareOf(lease, month);
      const due: Due = {
        id: 0,
        lease,
        month,
        base: cents(rent.base * share),
        running: cents(rent.running * share),
        heating: cents(rent.heating * share),
        kind: share < 1 ? "ANTEILIG" : "SOLL",
        reverses: null,
      };
      dues.push(due);
      if (isLate)
        dues.push({
          ...due,
          base: -due.base,
          running: -due.running,
          heating: -due.heating,
          kind: "STORNO",
          reverses: due,
        });
    }
  }
  for (const [index, due] of dues.entries()) due.id = 418_226 + index;
  return dues;
}

export function dueTable(dues: readonly Due[]): CorpusTable {
  const zero = (amount: number) => money(amount === 0 ? 0 : amount);
  const rows = dues.map(
    (due): Row => [
      String(due.id),
      due.lease.no,
      dateText(due.month),
      due.kind,
      zero(due.base),
      zero(due.running),
      zero(due.heating),
      zero(vatOf(due)),
      zero(sumOf(due)),
      due.reverses === null ? null : String(due.reverses.id),
    ],
  );
  const columns = columnsOf({
    SOLL_ID: "integer key",
    VERTRAG_NR: "text in MIETVERTRAG.VERTRAG_NR",
    FAELLIG: "date",
    ART: "text",
    GRUNDMIETE: "decimal",
    VZ_BETRIEBSKOSTEN: "decimal",
    VZ_HEIZKOSTEN: "decimal",
    UMSATZSTEUER: "decimal",
    GESAMT: "decimal",
    STORNO_ZU: "integer references SOLLSTELLUNG.SOLL_ID",
  });
  return {
    name: "SOLLSTELLUNG",
    columns,
    rows,
    loads: { column: "FAELLIG", period: "month", areAtOnce: true, areAlike: true },
  };
}

type Payment = {
  id: number;
  lease: Lease | null;
  day: number;
  value: number;
  amount: number;
  kind: string;
  text: string | null;
  returns: Payment | null;
  reason: string | null;
};

/** One payment covers the flat and the lot; offices pay ahead, for a part; some pay rounded, late, or all at once. */
export function paymentTable(random: Random, dues: readonly Due[]): CorpusTable {
  const payments: Payment[] = [];
  const add = (
    lease: Lease | null,
    day: number,
    amount: number,
    kind: string,
    text: string | null = null,
  ): Payment => {
    const booked = nextBankday(day);
    const payment: Payment = {
      id: 0,
      lease,
      day: booked,
      value: booked,
      amount,
      kind,
      text,
      returns: null,
      reason: null,
    };
    payments.push(payment);
    return payment;
  };
  const reversed = new Set(dues.flatMap(({ reverses }) => reverses ?? []));
  const valid = dues.filter(
    (due) => due.month >= paymentsFrom && due.reverses === null && !reversed.has(due),
  );
  const lots = Map.groupBy(
    valid.filter(({ lease }) => lease.main !== null),
    ({ lease, month }) => `${lease.main?.no} ${month}`,
  );
  const debts = new Map<Lease, number>();
  for (const due of valid) {
    const { lease, month } = due;
    if (lease.main !== null) continue;
    const mine = [due, ...(lots.get(`${lease.no} ${month}`) ?? [])];
    const amount = cents(mine.reduce((sum, each) => sum + sumOf(each), 0) + (debts.get(lease) ?? 0));
    debts.delete(lease);
    const label = `Miete ${dateText(month).slice(5, 7)}/${dateText(month).slice(0, 4)}`;
    const { last } = lease.person;
    const habit = Number(lease.person.no) % 23;
    if (lease.pays === "LASTSCHRIFT") {
      const debit = add(lease, month + 2 * dayMs, amount, "LASTSCHRIFT", `${lease.no} ${label}`);
      if (!random.chance(0.012)) continue;
      const returned = add(
        lease,
        debit.day + random.between(2, 9) * dayMs,
        -amount,
        "RUECKLASTSCHRIFT",
        `RUECKBUCHUNG ${lease.no}`,
      );
      // It is as if it had never been there.
      Object.assign(returned, {
        value: debit.value,
        returns: debit,
        reason: weighted(random, { AC04: 15, AM04: 60, MD06: 20, MS03: 5 }),
      });
      // The bank's fee is theirs to pay.
      add(
        lease,
        returned.day + heavyTailed(random, 12, 0.5) * dayMs,
        cents(amount + 4.1),
        "UEBERWEISUNG",
        `${label} ${last}`,
      );
    } else if (lease.pays === "JOBCENTER") {
      const part = Math.min(amount, Math.round(amount * 0.86 * 100) / 100);
      add(
        lease,
        lastBankday(month - 2 * dayMs),
        part,
        "UEBERWEISUNG",
        `BA ${lease.person.no}BG00${lease.person.no % 97} KDU ${last.toUpperCase()}`,
      );
      if (amount > part)
        add(
          lease,
          month + random.between(0, 6) * dayMs,
          cents(amount - part),
          "UEBERWEISUNG",
          random.chance(0.3) ? null : `Restmiete ${last}`,
        );
    } else if (random.chance(0.015) && !debts.has(lease)) {
      // Forgotten, and paid with the next one.
      debts.set(lease, amount);
    } else {
      const rounded = habit === 4 ? Math.ceil(amount / 5) * 5 : amount;
      const day = month + (habit === 7 ? random.between(12, 20) : random.between(-3, 3)) * dayMs;
      const payment = add(
        lease,
        day,
        rounded,
        "UEBERWEISUNG",
        habit === 9 ? "Miete" : `${random.pick(["Miete", "MIETE", label])} ${last}`,
      );
      // What came with no number is put to a contract by hand; the last ones are not yet.
      if (habit === 9 && payment.day > today - 6 * dayMs) payment.lease = null;
      if (random.chance(0.003)) Object.assign(payment, { kind: "BAR", text: "Quittung Büro" });
    }
  }
  // Suppliers that pay by mistake, and coins of the washing machine.
  for (let month = paymentsFrom; month <= today; month = monthStart(month, 1)) {
    add(
      null,
      month + random.between(9, 24) * dayMs,
      random.between(31, 118) * 1.5,
      "BAR",
      "Waschmünzen 1011",
    );
    if (random.chance(0.3))
      add(
        null,
        month + random.between(1, 27) * dayMs,
        cents(heavyTailed(random, 140, 0.8)),
        "UEBERWEISUNG",
        random.pick(["Erstattung Versicherung Sch-Nr. 25/1187", "IRRLÄUFER", "Guthaben Stadtwerke"]),
      );
  }
  const done = payments.filter(({ day }) => day < today).sort((a, b) => a.day - b.day);
  for (const [index, payment] of done.entries()) payment.id = 90_511 + index;
  const rows = done.map(
    ({ id, lease, day, value, amount, kind, text, returns, reason }): Row => [
      String(id),
      dateText(day),
      dateText(value),
      lease?.no ?? null,
      money(amount),
      kind,
      text,
      returns === null ? null : String(returns.id),
      reason,
    ],
  );
  const columns = columnsOf({
    ZAHL_ID: "integer key",
    BUCHUNGSTAG: "date",
    VALUTA: "date",
    VERTRAG_NR: "text in MIETVERTRAG.VERTRAG_NR",
    BETRAG: "decimal",
    ZAHLART: "text",
    VERWENDUNGSZWECK: "text",
    RUECKGABE_ZU: "integer references ZAHLUNG.ZAHL_ID",
    RUECKGABEGRUND: "text",
  });
  return { name: "ZAHLUNG", columns, rows, loads: { column: "BUCHUNGSTAG", period: "week" } };
}

type Settlement = {
  lease: Lease;
  year: number;
  from: number;
  to: number;
  running: number;
  heating: number | null;
  prepaid: number;
  sent: number;
  objected: number | null;
  corrects: Settlement | null;
  no: string;
};

/** Within twelve months; who objects in time may get another one, which takes the place of the first. */
export function settlementTable(random: Random, leases: readonly Lease[]): CorpusTable {
  const settlements: Settlement[] = [];
  for (const year of [2021, 2022, 2023, 2024]) {
    const [first, last] = [Date.UTC(year, 0, 1), Date.UTC(year, 11, 31)];
    for (const lease of leases) {
      const { unit } = lease;
      const from = Math.max(first, lease.from, unit.house.from);
      const to = Math.min(last, lease.to ?? last);
      // Lots have no costs of their own, and with a few days nobody bothers.
      if (unit.kind === "STP" || to - from < 13 * dayMs || unit.area === null) continue;
      const share = (to - from + dayMs) / (last - first + dayMs);
      const rent = rentAt(lease, to);
      if (!rent) continue;
      const dear = [1, 1.28, 1.32, 1.18][year - 2021] ?? 1;
      const running = cents(
        unit.area * 15.4 * share * (1 + 0.04 * (year - 2021)) * (unit.kind === "GEW" ? 1.2 : 1),
      );
      const heating =
        rent.heating === 0 ? null : cents(heavyTailed(random, unit.area * 9.6, 0.3) * share * dear);
      // Fernwärme's bill comes late.
      const sent = nextBankday(
        Date.UTC(year + 1, unit.house.heating === "Fernwärme" ? 9 : 6, 1) +
          (Number(unit.house.no) % 50) * dayMs,
      );
      const objected = maybe(random, 0.05, () => sent + random.between(9, 330) * dayMs);
      const settlement: Settlement = {
        lease,
        year,
        from,
        to,
        running,
        heating,
        prepaid: prepaidFor(lease, from, to),
        sent,
        objected: objected !== null && objected < today ? objected : null,
        corrects: null,
        no: "",
      };
      if (sent >= today) continue;
      settlements.push(settlement);
      const again = nextBankday((settlement.objected ?? 0) + random.between(20, 60) * dayMs);
      if (settlement.objected !== null && again < today && random.chance(0.5))
        settlements.push({
          ...settlement,
          running: cents(running * 0.94),
          sent: again,
          objected: null,
          corrects: settlement,
        });
    }
  }
  settlements.sort((a, b) => a.sent - b.sent);
  for (const [index, settlement] of settlements.entries())
    settlement.no = `A${settlement.year}-${String(index + 1).padStart(5, "0")}`;
  const replaced = new Set(settlements.flatMap(({ corrects }) => corrects ?? []));
  const rows = settlements.map((settlement): Row => {
    const { no, lease, year, from, to, running, heating, prepaid, sent, objected, corrects } = settlement;
    const balance = cents(prepaid - running - (heating ?? 0));
    return [
      no,
      lease.no,
      String(year),
      dateText(from),
      dateText(to),
      String(Math.round((to - from) / dayMs) + 1),
      money(running),
      heating === null ? null : money(heating),
      money(prepaid),
      money(balance),
      dateText(sent),
      objected === null ? null : dateText(objected),
      replaced.has(settlement)
        ? "ERSETZT"
        : objected !== null
          ? "WIDERSPRUCH"
          : balance >= 0
            ? "GUTHABEN"
            : "NACHZAHLUNG",
      corrects?.no ?? null,
    ];
  });
  const columns = columnsOf({
    ABR_NR: "text key",
    VERTRAG_NR: "text in MIETVERTRAG.VERTRAG_NR",
    JAHR: "integer",
    ZEITRAUM_VON: "date",
    ZEITRAUM_BIS: "date",
    TAGE: "integer",
    BETRIEBSKOSTEN: "decimal",
    HEIZKOSTEN: "decimal",
    VORAUSZAHLUNG: "decimal",
    SALDO: "decimal",
    VERSANDT: "date",
    WIDERSPRUCH: "date",
    STATUS: "text",
    KORREKTUR_ZU: "text references ABRECHNUNG.ABR_NR",
  });
  return { name: "ABRECHNUNG", columns, rows };
}

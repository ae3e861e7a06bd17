import type { Random } from "../../../faults/random.ts";
import { type CorpusTable, columnsOf, type Row } from "../corpus.ts";
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
  normal,
  some,
  timeText,
  weighted,
} from "../draw.ts";
import { isWeekend } from "./calendar.ts";
import {
  type Assignment,
  type Country,
  countries,
  isThere,
  lastDay,
  localAmount,
  nextWorkday,
  now,
  shownAt,
  today,
  type Vehicle,
} from "./fleet-vehicles.ts";

/** What they cost: fuel, fines and the workshop. */

const fuelFrom = Date.parse("2024-11-04");
const invoicesFrom = Date.parse("2021-01-01");
/** Another provider of cards: its amounts include the tax, those of the one before did not. */
const newCards = Date.parse("2025-03-01");

/** The last digit is Luhn's. */
function cardNumber(random: Random, at: number): string {
  const body = `${at < newCards ? "700678" : "7896"}${digits(random, at < newCards ? 11 : 12)}`;
  const sum = [...body].toReversed().reduce((all, digit, index) => {
    const twice = index % 2 === 0 ? Number(digit) * 2 : Number(digit);
    return all + (twice > 9 ? twice - 9 : twice);
  }, 0);
  return `${body}${(10 - (sum % 10)) % 10}`;
}

type Fuelling = {
  vehicle: Vehicle;
  at: number;
  card: string;
  product: "diesel" | "super" | "E10" | "AdBlue" | "charging" | "CNG" | "wash";
  quantity: number;
  price: number;
  discount: number;
  station: string;
  odometer: number | null;
  reverses: Fuelling | null;
  id: number;
};

const stations = ["Aral", "Shell", "Orlen", "JET", "MOL", "BP", "Esso", "Autohof Hirschberg", "EnBW HPC"];

export function fuelTable(random: Random, vehicles: readonly Vehicle[]): CorpusTable {
  const fuellings: Fuelling[] = [];
  for (const vehicle of vehicles) {
    const cards = { old: cardNumber(random, fuelFrom), new: cardNumber(random, newCards) };
    const { fuel, tank, battery } = vehicle.model;
    const { country } = vehicle;
    const use = { diesel: 6.2, petrol: 6.4, phev: 5.1, bev: 18.5, cng: 7.5 }[fuel];
    const size = tank ?? battery ?? 50;
    const charges = fuel === "bev";
    for (let day = Math.max(vehicle.from + dayMs, fuelFrom); day < today && isThere(vehicle, day); ) {
      const taken = size * (charges ? 0.45 + random.next() * 0.45 : 0.45 + random.next() * 0.47);
      day += Math.max(1, Math.round(((taken / use) * 100) / vehicle.daily)) * dayMs;
      if (isWeekend(day) && random.chance(0.4)) day += dayMs;
      if (day >= today || !isThere(vehicle, day)) break;
      const at = day + random.between(5 * 60, 21 * 60) * 60_000 + random.between(0, 59) * 1000;
      const card = at < newCards ? cards.old : cards.new;
      const level = 1 + 0.05 * Math.sin(day / dayMs / 58) + normal(random) * 0.015;
      // At home in the yard, charging costs nothing.
      const isFree = charges && random.chance(0.3);
      const base = charges ? localAmount(country, country === "HU" ? 0.5 : 0.55) : countries[country].fuel;
      const price = isFree
        ? 0
        : base * level * (fuel === "petrol" || fuel === "phev" ? 1.04 : fuel === "cng" ? 0.8 : 1);
      const stop: Fuelling = {
        vehicle,
        at,
        card,
        product: charges
          ? "charging"
          : fuel === "diesel"
            ? "diesel"
            : fuel === "cng"
              ? "CNG"
              : random.pick(["super", "E10", "E10"]),
        quantity: Math.round(taken * 100) / 100,
        price: Math.round(price * 1000) / 1000,
        discount: 0,
        station: isFree
          ? "Betriebshof"
          : charges
            ? random.pick(["EnBW HPC", "Ionity", "Shell Recharge"])
            : mostlyFirst(random, stations.slice(0, 8), 1.3),
        odometer: isFree ? null : maybe(random, 0.6, () => shownAt(vehicle, at)),
        reverses: null,
        id: 0,
      };
      stop.discount =
        !isFree && random.chance(0.3)
          ? cents(stop.quantity * (country === "HU" ? 5 : country === "PL" ? 0.1 : 0.02))
          : 0;
      fuellings.push(stop);
      if (fuel === "diesel" && random.chance(0.05))
        fuellings.push({
          ...stop,
          at: at + random.between(60, 240) * 1000,
          product: "AdBlue",
          quantity: Math.round(heavyTailed(random, 9, 0.3) * 100) / 100,
          price: localAmount(country, 0.95),
          discount: 0,
          odometer: null,
        });
      if (random.chance(0.03))
        fuellings.push({
          ...stop,
          at: at + random.between(300, 900) * 1000,
          product: "wash",
          quantity: 1,
          price: localAmount(country, random.pick([11.99, 13.99, 16.99])),
          discount: 0,
          odometer: null,
        });
      if (!isFree && random.chance(0.007)) {
        const back = at + random.between(1, 9) * dayMs + random.between(0, 200) * 60_000;
        if (back < now)
          fuellings.push({
            ...stop,
            at: back,
            quantity: -stop.quantity,
            discount: stop.discount === 0 ? 0 : -stop.discount,
            odometer: null,
            reverses: stop,
          });
      }
    }
  }
  fuellings.sort((a, b) => a.at - b.at || a.vehicle.id - b.vehicle.id);
  for (const [index, fuelling] of fuellings.entries()) fuelling.id = 9_000_001 + index;
  const rows = fuellings.map((one): Row => {
    const { currency, vat } = countries[one.vehicle.country];
    // What is booked back is as it was, even if by the next provider.
    const isNet = (one.reverses ?? one).at < newCards;
    const gross = Math.abs(one.quantity * one.price - one.discount);
    const amount = cents(isNet ? gross / (1 + vat / 100) : gross) * (one.reverses && gross > 0 ? -1 : 1);
    return [
      String(one.id),
      isNet ? "UTA" : "DKV",
      one.card,
      String(one.vehicle.id),
      timeText(one.at),
      one.vehicle.country,
      one.station,
      one.product,
      one.quantity.toFixed(2),
      one.product === "charging" ? "kWh" : one.product === "wash" ? "pc" : one.product === "CNG" ? "kg" : "L",
      one.price.toFixed(3),
      money(one.discount),
      money(amount),
      String(vat),
      currency,
      one.odometer === null ? null : String(one.odometer),
      one.reverses ? String(one.reverses.id) : null,
    ];
  });
  const columns = columnsOf({
    tx_id: "integer key",
    provider: "text",
    card_no: "text",
    vehicle_id: "integer in vehicles.vehicle_id",
    fuelled_at: "time",
    country: "text",
    station: "text",
    product: "text",
    quantity: "decimal",
    unit: "text",
    unit_price: "decimal",
    discount: "decimal",
    amount: "decimal",
    vat_percent: "integer",
    currency: "text",
    odometer: "integer",
    reverses_tx: "integer references fuel_transactions.tx_id",
  });
  return { name: "fuel_transactions", columns, rows, loads: { column: "fuelled_at", period: "day" } };
}

/** Whoever had the car then pays, if the company does not; of a pool car, the company does. */
export function fineTable(random: Random, assignments: readonly Assignment[]): CorpusTable {
  type Fine = { assignment: Assignment; at: number; received: number };
  const fines: Fine[] = [];
  for (const assignment of assignments) {
    const from = Math.max(assignment.from + dayMs, Date.parse("2020-01-01"));
    const to = assignment.to ?? today;
    const expected = ((to - from) / dayMs / 365) * (random.chance(0.08) ? 4 : 0.55);
    for (let count = Math.floor(expected + random.next()); count > 0 && to - from > 2 * dayMs; count--) {
      const at = Math.floor((from + random.next() * (to - from - 2 * dayMs)) / 60_000) * 60_000;
      const received = nextWorkday(at + (2 + Math.min(80, heavyTailed(random, 16, 0.7))) * dayMs);
      if (received < today) fines.push({ assignment, at, received });
    }
  }
  fines.sort((a, b) => a.received - b.received || a.at - b.at);
  const rows = fines.map(({ assignment, at, received }, index): Row => {
    const { vehicle, driver } = assignment;
    const kind = weighted(random, {
      speeding: 56,
      parking: 34,
      "red light": 3,
      "low emission zone": 4,
      toll: 3,
    });
    const over = kind === "speeding" ? 4 + Math.min(60, Math.round(heavyTailed(random, 8, 0.6))) : null;
    const euros =
      over === null
        ? { parking: 25, "red light": 200, "low emission zone": 100, toll: 65 }[kind as "toll"]
        : over > 40
          ? 260
          : over > 20
            ? 115
            : over > 10
              ? 60
              : 30;
    const rate =
      Math.round((euros * countries[vehicle.country].worth) / (vehicle.country === "HU" ? 1000 : 5)) *
      (vehicle.country === "HU" ? 1000 : 5);
    const due = received + 14 * dayMs;
    const isOpen = due > today;
    const status = isOpen
      ? weighted(random, { open: 50, paid: 50 })
      : weighted(random, { paid: 86, appealed: 4, "forwarded to driver": 6, cancelled: 4 });
    const paid = nextWorkday(received + random.between(1, 13) * dayMs);
    const isPaid = status === "paid" && paid < today;
    return [
      String(800_001 + index),
      fileNumber(random, vehicle.country, received),
      String(vehicle.id),
      driver ? String(assignment.id) : null,
      timeText(at),
      dateText(received),
      kind,
      over === null ? null : String(over),
      over === null ? null : vehicle.country === "GB" ? "mph" : "km/h",
      money(rate),
      countries[vehicle.country].currency,
      String(over !== null && over > 20 ? (over > 40 ? 2 : 1) : kind === "red light" ? 1 : 0),
      dateText(due),
      status === "paid" && !isPaid ? "open" : status,
      isPaid ? dateText(paid) : null,
      isPaid ? (driver && random.chance(0.8) ? "driver" : "company") : null,
    ];
  });
  const columns = columnsOf({
    fine_id: "integer key",
    authority_ref: "text",
    vehicle_id: "integer references vehicles.vehicle_id",
    assignment_id: "integer references assignments.assignment_id",
    offence_at: "time",
    received_on: "date",
    kind: "text",
    speed_over: "integer",
    speed_unit: "text",
    amount: "decimal",
    currency: "text",
    points: "integer",
    due_on: "date",
    status: "text",
    paid_on: "date",
    paid_by: "text",
  });
  return { name: "fines", columns, rows };
}

function fileNumber(random: Random, country: Country, at: number): string {
  const year = dateText(at).slice(0, 4);
  if (country === "DE")
    return `${random.pick(["505.", "111.", "82."])}${digits(random, 8)}.${digits(random, 1)}`;
  if (country === "PL") return `SM-${letters(random, 2)}.${digits(random, 5)}.${year}`;
  return country === "HU" ? `${digits(random, 8)}/${year}` : `${letters(random, 2)}${digits(random, 8)}`;
}

type Line = {
  kind: string;
  text: string;
  quantity: number;
  unit: string;
  price: number;
  vat: number;
  isWarranty: boolean;
};

type Invoice = {
  no: string;
  garage: string;
  day: number;
  vehicle: Vehicle;
  lines: Line[];
  credits: string | null;
};

const parts: [string, number, string][] = [
  ["Bremsbeläge vorne", 84, "pc"],
  ["Bremsscheibe", 71, "pc"],
  ["Wischerblatt", 14.5, "pc"],
  ["Innenraumfilter", 23.9, "pc"],
  ["Batterie 70 Ah", 139, "pc"],
  ["Klocki hamulcowe tył", 62, "pc"],
  ["Ablaktörlő", 11, "pc"],
  ["Glühlampe H7", 9.8, "pc"],
];

/** Lines with their invoice's total, as the garages send them. */
export function workshopTable(random: Random, vehicles: readonly Vehicle[]): CorpusTable {
  const garages: Record<Country, string[]> = {
    DE: ["Autohaus Kehrer", "ATU Mannheim", "Bosch Service Ö. Yıldız"],
    PL: ["Auto-Serwis Nowak", "Bosch Service Kraków"],
    HU: ["Szűcs Autó Kft."],
    GB: ["Kwik Fit Leeds"],
  };
  const invoices: Invoice[] = [];
  const counts = new Map<string, number>();
  const numberOf = (garage: string, day: number): string => {
    const count = (counts.get(garage) ?? random.between(1100, 9000)) + random.between(1, 40);
    counts.set(garage, count);
    if (garage.startsWith("ATU")) return `${dateText(day).slice(2, 4)}/${String(count).padStart(7, "0")}`;
    return garage.startsWith("Auto") ? `RE${count}` : `${dateText(day).slice(0, 4)}-${count}`;
  };
  const visits = vehicles
    .filter(({ isOrdered }) => !isOrdered)
    .flatMap((vehicle) => {
      const days: { vehicle: Vehicle; day: number; isReturn: boolean }[] = [];
      for (
        let day = vehicle.from + 150 * dayMs;
        day < lastDay(vehicle);
        day += Math.round(heavyTailed(random, 260, 0.5)) * dayMs
      ) {
        const visit = nextWorkday(day);
        if (visit >= invoicesFrom && visit < lastDay(vehicle))
          days.push({ vehicle, day: visit, isReturn: false });
      }
      // What was damaged is found after it was given back.
      const after =
        vehicle.returned === null ? null : nextWorkday(vehicle.returned + random.between(6, 35) * dayMs);
      if (
        after !== null &&
        vehicle.to !== null &&
        after >= invoicesFrom &&
        after < today &&
        random.chance(0.35)
      )
        days.push({ vehicle, day: after, isReturn: true });
      return days;
    });
  for (const { vehicle, day, isReturn } of visits.toSorted((a, b) => a.day - b.day)) {
    const garage = isReturn ? "DEKRA" : mostlyFirst(random, garages[vehicle.country], 1.3);
    const no = isReturn ? `MW${vehicle.id}${dateText(day).slice(0, 4)}` : numberOf(garage, day);
    const invoice: Invoice = {
      no,
      garage,
      day,
      vehicle,
      lines: isReturn ? damageLines(random, vehicle) : linesOf(random, vehicle, garage),
      credits: null,
    };
    invoices.push(invoice);
    const credited = nextWorkday(day + random.between(5, 60) * dayMs);
    if (!isReturn && random.chance(0.02) && credited < today) {
      const lines = invoice.lines.map((line) => ({ ...line, quantity: -line.quantity }));
      invoices.push({ ...invoice, no: `${no}-G`, day: credited, lines, credits: no });
    }
  }
  invoices.sort((a, b) => a.day - b.day);
  const rows = invoices.flatMap((invoice): Row[] => {
    const { vehicle } = invoice;
    const nets = invoice.lines.map(({ quantity, price }) => cents(quantity * price));
    const gross = cents(
      invoice.lines.reduce((sum, { vat }, index) => sum + (nets[index] ?? 0) * (1 + vat / 100), 0),
    );
    const seen = Math.min(invoice.day, lastDay(vehicle));
    return invoice.lines.map((line, index) => [
      "",
      invoice.garage,
      invoice.no,
      dateText(invoice.day),
      String(vehicle.id),
      invoice.credits === null ? String(shownAt(vehicle, seen)) : null,
      String(index + 1),
      line.kind,
      line.text,
      line.quantity.toFixed(2),
      line.unit,
      money(line.price),
      money(nets[index] ?? 0).replace(/^-0\.00$/, "0.00"),
      String(line.vat),
      money(gross),
      countries[vehicle.country].currency,
      line.isWarranty ? "true" : "false",
      invoice.credits,
    ]);
  });
  for (const [index, row] of rows.entries()) row[0] = String(40_001 + index);
  const columns = columnsOf({
    line_id: "integer key",
    garage: "text",
    invoice_no: "text",
    invoiced_on: "date",
    vehicle_id: "integer in vehicles.vehicle_id",
    odometer: "integer",
    line_no: "integer",
    kind: "text",
    description: "text",
    quantity: "decimal",
    unit: "text",
    unit_price: "decimal",
    net: "decimal",
    vat_percent: "integer",
    invoice_gross: "decimal",
    currency: "text",
    is_warranty: "other",
    credit_for: "text",
  });
  return { name: "workshop_lines", columns, rows };
}

/** Some garages count work in units of six minutes. The inspection's fee is without tax; a discount comes last. */
function linesOf(random: Random, { model, country }: Vehicle, garage: string): Line[] {
  const { vat } = countries[country];
  const line = (kind: string, text: string, quantity: number, unit: string, euros: number): Line => ({
    kind,
    text,
    quantity,
    unit,
    price: localAmount(country, euros),
    vat,
    isWarranty: false,
  });
  const isInUnits = garage.startsWith("Autohaus");
  const hours = Math.max(0.3, Math.round(heavyTailed(random, 1.3, 0.6) * 10) / 10);
  const work = isInUnits
    ? line("labour", "Arbeitslohn", Math.round(hours * 10), "AW", 11.4)
    : line("labour", "Arbeitszeit / robocizna", hours, "h", 92);
  const lines = [work];
  if (model.tank !== null && random.chance(0.55))
    lines.push(line("oil", "Öl 5W-30 LongLife", random.between(36, 62) / 10, "L", 19.8));
  for (const [text, euros, unit] of some(random, parts, random.between(0, 4)))
    lines.push(
      line(
        "part",
        text,
        text.includes("scheibe") || text.includes("lampe") ? 2 : 1,
        unit,
        euros * (0.9 + random.next() * 0.3),
      ),
    );
  if (random.chance(0.05)) for (const each of lines) Object.assign(each, { price: 0, isWarranty: true });
  if (random.chance(0.2))
    lines.push({ ...line("inspection", country === "GB" ? "MOT" : "HU/AU", 1, "pc", 129.5), vat: 0 });
  const net = lines.reduce((sum, { quantity, price }) => sum + quantity * price, 0);
  if (random.chance(0.15) && net > 0 && !lines[0]?.isWarranty)
    lines.push({
      ...line("discount", "Flottenrabatt", 1, "pc", 0),
      price: localAmount(country, (-net * 0.05) / countries[country].worth),
    });
  return lines;
}

function damageLines(random: Random, { country }: Vehicle): Line[] {
  const damages: [string, number][] = [
    ["Steinschlag Frontscheibe", 310],
    ["Kratzer Stoßfänger", 240],
    ["Delle Tür", 190],
    ["Felge zerkratzt", 150],
    ["Innenreinigung", 95],
  ];
  return some(random, damages, random.between(1, 4)).map(([text, euros]) => ({
    kind: "damage",
    text,
    quantity: 1,
    unit: "pc",
    price: localAmount(country, euros * (0.7 + random.next())),
    vat: 0,
    isWarranty: false,
  }));
}

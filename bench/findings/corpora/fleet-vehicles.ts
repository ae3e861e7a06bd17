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
  weighted,
} from "../draw.ts";
import { isWorkday } from "./calendar.ts";
import { firstName, lastName } from "./names.ts";

/** The vehicles, who drives them, and how far they went on a given day. */

export const now = Date.parse("2025-11-03T06:15:00Z");
export const today = Date.parse("2025-11-03");
/** Cost centers got longer when the company was divided. */
const divided = Date.parse("2023-01-01");
/** Until it ends; nobody knows when. */
const open = "9999-12-31";
const midnight = (moment: number): number => Math.floor(moment / dayMs) * dayMs;

export function nextWorkday(moment: number): number {
  let day = midnight(moment);
  while (!isWorkday(day)) day += dayMs;
  return day;
}

export type Country = "DE" | "PL" | "HU" | "GB";

export const countries = {
  DE: { currency: "EUR", worth: 1, vat: 19, fuel: 1.66, weight: 66 },
  PL: { currency: "PLN", worth: 4.3, vat: 23, fuel: 6.25, weight: 18 },
  HU: { currency: "HUF", worth: 395, vat: 27, fuel: 612, weight: 9 },
  GB: { currency: "GBP", worth: 0.86, vat: 20, fuel: 1.43, weight: 7 },
} as const;

const weights = Object.fromEntries(Object.entries(countries).map(([code, { weight }]) => [code, weight]));

/** Prices are drawn in euros; in forints they are round. */
export const localAmount = (country: Country, euros: number): number =>
  country === "HU"
    ? Math.round((euros * countries.HU.worth) / 5) * 5
    : cents(euros * countries[country].worth);

type Fuel = "diesel" | "petrol" | "phev" | "bev" | "cng";

type Model = {
  make: string;
  name: string;
  fuel: Fuel;
  tank: number | null;
  battery: number | null;
  co2: number;
  rate: number;
  wmi: string;
};

const models: Model[] = [
  {
    make: "Škoda",
    name: "Octavia Combi 2.0 TDI",
    fuel: "diesel",
    tank: 50,
    battery: null,
    co2: 118,
    rate: 329,
    wmi: "TMBJJ7NX",
  },
  {
    make: "VW",
    name: "Passat Variant 2.0 TDI",
    fuel: "diesel",
    tank: 66,
    battery: null,
    co2: 128,
    rate: 389,
    wmi: "WVWZZZ3C",
  },
  {
    make: "Ford",
    name: "Transit Custom L1",
    fuel: "diesel",
    tank: 70,
    battery: null,
    co2: 181,
    rate: 412,
    wmi: "WF0YXXTT",
  },
  // The same van in two lengths.
  {
    make: "Ford",
    name: "Transit Custom L2",
    fuel: "diesel",
    tank: 70,
    battery: null,
    co2: 186,
    rate: 431,
    wmi: "WF0YXXTT",
  },
  {
    make: "Škoda",
    name: "Fabia 1.0 TSI",
    fuel: "petrol",
    tank: 40,
    battery: null,
    co2: 114,
    rate: 219,
    wmi: "TMBEP6PJ",
  },
  { make: "VW", name: "ID.4 Pro", fuel: "bev", tank: null, battery: 77, co2: 0, rate: 449, wmi: "WVGZZZE2" },
  {
    make: "Renault",
    name: "Kangoo E-Tech",
    fuel: "bev",
    tank: null,
    battery: 45,
    co2: 0,
    rate: 372,
    wmi: "VF1RFK00",
  },
  {
    make: "BMW",
    name: "330e Touring",
    fuel: "phev",
    tank: 40,
    battery: 12,
    co2: 34,
    rate: 589,
    wmi: "WBA6K510",
  },
  {
    make: "Fiat",
    name: "Ducato Natural Power",
    fuel: "cng",
    tank: 36,
    battery: null,
    co2: 239,
    rate: 398,
    wmi: "ZFA25000",
  },
];

export type Vehicle = {
  id: number;
  country: Country;
  model: Model;
  plate: string | null;
  vin: string | null;
  from: number;
  /** As the contract says; none for those that the company owns. */
  to: number | null;
  returned: number | null;
  replaces: Vehicle | null;
  isOrdered: boolean;
  isPool: boolean;
  daily: number;
  start: number;
  /** When it got another instrument, which began at zero. */
  swapped: number | null;
  isAllSeason: boolean;
};

export function vehiclesOf(random: Random): Vehicle[] {
  const vehicles: Vehicle[] = [];
  const plates = new Set<string>();
  const chains = Array.from({ length: 150 }, () => ({
    begins: Date.parse("2018-03-01") + Math.floor(random.next() * 2300) * dayMs,
    country: weighted(random, weights) as Country,
    daily: Math.min(190, Math.max(6, heavyTailed(random, 52, 0.5))),
    isPool: random.chance(0.1),
  }));
  for (const chain of chains) {
    let from = nextWorkday(chain.begins);
    for (let before: Vehicle | null = null; ; ) {
      const vehicle = vehicleOf(random, { ...chain, from, before, plates });
      if (from > today + 120 * dayMs) break;
      vehicles.push(vehicle);
      if (vehicle.isOrdered || (vehicle.to === null && vehicle.returned === null)) break;
      const ends = vehicle.returned ?? vehicle.to ?? today;
      if (random.chance(0.09)) break;
      from = nextWorkday(
        Math.max(vehicle.returned === null ? today + 4 * dayMs : 0, ends + random.between(-9, 12) * dayMs),
      );
      before = vehicle;
    }
  }
  vehicles.sort((a, b) => a.from - b.from);
  let id = 1000;
  for (const vehicle of vehicles) {
    id += random.chance(0.92) ? 1 : random.between(2, 4);
    vehicle.id = id;
  }
  return vehicles;
}

type Chain = {
  country: Country;
  daily: number;
  isPool: boolean;
  from: number;
  before: Vehicle | null;
  plates: Set<string>;
};

function vehicleOf(random: Random, { country, daily, isPool, from, before, plates }: Chain): Vehicle {
  const isOrdered = from > today;
  const usable = from < Date.parse("2021-01-01") ? models.filter(({ fuel }) => fuel !== "bev") : models;
  const model = mostlyFirst(random, usable, from > Date.parse("2023-06-01") ? 0.9 : 1.5);
  const isOwn = random.chance(0.05) && !isOrdered;
  const to = isOwn ? null : from + random.pick([36, 36, 48]) * 30.4375 * dayMs;
  const end = to === null ? null : midnight(to);
  const drift = weighted(random, { "0": 55, "-200": 5, "-3": 12, "60": 20, "180": 8 });
  const back = end === null ? from + random.between(1700, 3600) * dayMs : end + Number(drift) * dayMs;
  const returned = nextWorkday(back) < today ? nextWorkday(back) : null;
  // The plate may move on to the next one, where they did not drive at the same time.
  const keeps = before?.plate && before.returned !== null && before.returned < from && random.chance(0.3);
  return {
    id: 0,
    country,
    model,
    plate: isOrdered ? null : keeps ? before.plate : plateOf(random, country, plates),
    vin: isOrdered
      ? null
      : `${model.wmi}${random.pick(["Z", "8", "4"])}${letters(random, 1)}${letters(random, 1)}${digits(random, 6)}`,
    from,
    to: end,
    returned: isOrdered ? null : returned,
    replaces: before,
    isOrdered,
    isPool,
    daily: daily * Math.exp(normal(random) * 0.1),
    start: random.between(4, 60),
    swapped: random.chance(0.012) ? from + random.between(300, 800) * dayMs : null,
    isAllSeason: model.name.startsWith("Fabia") || country === "GB",
  };
}

function plateOf(random: Random, country: Country, taken: Set<string>): string {
  for (;;) {
    const plate = plateIn(random, country);
    if (taken.has(plate)) continue;
    taken.add(plate);
    return plate;
  }
}

function plateIn(random: Random, country: Country): string {
  if (country === "DE")
    return `${random.pick(["KA", "HD", "S", "MA"])}-${letters(random, 2)} ${random.between(10, 9999)}`;
  if (country === "PL") return `${random.pick(["WX", "KR", "PO"])} ${digits(random, 4)}${letters(random, 1)}`;
  if (country === "GB")
    return `${letters(random, 2)}${random.pick(["19", "70", "22", "73"])} ${letters(random, 3)}`;
  // Newer ones have four letters.
  return random.chance(0.6)
    ? `${letters(random, 3)}-${digits(random, 3)}`
    : `AA${letters(random, 2)}-${digits(random, 3)}`;
}

export const isThere = ({ from, returned, isOrdered }: Vehicle, day: number): boolean =>
  !isOrdered && day >= from && (returned === null || day < returned);

export const lastDay = ({ returned }: Vehicle): number => returned ?? today;

/** What it has driven in all, somewhat more in summer. */
function drivenAt({ from, daily, start }: Vehicle, moment: number): number {
  const days = (moment - from) / dayMs;
  const sway =
    14 *
    (Math.sin((2 * Math.PI * (moment / dayMs - 100)) / 365.25) -
      Math.sin((2 * Math.PI * (from / dayMs - 100)) / 365.25));
  return Math.max(0, start + daily * (days + sway));
}

const isSwapped = ({ swapped }: Vehicle, moment: number): boolean => swapped !== null && moment >= swapped;

/** What the instrument was at when it was replaced. */
export const offsetAt = (vehicle: Vehicle, moment: number): number =>
  isSwapped(vehicle, moment) ? Math.floor(drivenAt(vehicle, vehicle.swapped ?? 0)) : 0;

/** What the instrument shows; in Britain in miles. */
export const shownAt = (vehicle: Vehicle, moment: number): number =>
  Math.floor(
    (drivenAt(vehicle, moment) - offsetAt(vehicle, moment)) / (vehicle.country === "GB" ? 1.609344 : 1),
  );

export const unitOf = ({ country }: Vehicle): string => (country === "GB" ? "mi" : "km");

export function vehicleTable(random: Random, vehicles: readonly Vehicle[]): CorpusTable {
  const rows = vehicles.map((vehicle): Row => {
    const { model, country, to, from } = vehicle;
    const isUnlimited = to !== null && random.chance(0.04);
    const limit = Math.max(10_000, Math.round((vehicle.daily * 380) / 5000) * 5000);
    const status = vehicle.isOrdered
      ? "ordered"
      : vehicle.returned !== null
        ? to === null
          ? "sold"
          : "returned"
        : to !== null && to < today
          ? "extended"
          : "active";
    const isOld = from < Date.parse("2021-06-01");
    return [
      String(vehicle.id),
      vehicle.plate,
      vehicle.vin,
      model.make,
      model.name,
      model.fuel,
      country,
      vehicle.isOrdered ? null : dateText(from - (random.chance(0.1) ? random.between(20, 90) : 0) * dayMs),
      dateText(from),
      to === null ? null : dateText(to),
      vehicle.returned === null ? null : dateText(vehicle.returned),
      status,
      to === null ? "own" : mostlyFirst(random, ["ALD", "Arval", "VW Leasing", "LeasePlan", "Sixt"], 1.4),
      // Nothing is paid each month for what the company owns.
      money(to === null ? 0 : localAmount(country, model.rate * (0.9 + random.next() * 0.25))),
      countries[country].currency,
      // Six nines are a contract without a limit.
      to === null ? null : String(isUnlimited ? 999_999 : limit),
      model.tank === null ? null : String(model.tank),
      model.battery === null ? null : String(model.battery),
      String(model.co2),
      vehicle.isPool ? "true" : "false",
      vehicle.replaces ? String(vehicle.replaces.id) : null,
      isOld ? `KFZ-${String(vehicle.id - 900).padStart(4, "0")}` : null,
      isOld ? maybe(random, 0.3, () => digits(random, 4)) : null,
      vehicle.swapped !== null && vehicle.swapped < lastDay(vehicle)
        ? `Kombiinstrument ersetzt am ${dateText(vehicle.swapped)}, neu ab 0`
        : maybe(random, vehicle.isOrdered ? 0 : 0.08, () =>
            random.pick([
              "Anhängerkupplung nachgerüstet",
              "dog box",
              "Delle hinten links bei Übernahme",
              "oklejony",
              "smoker!",
            ]),
          ),
    ];
  });
  const columns = columnsOf({
    vehicle_id: "integer key",
    plate: "text",
    vin: "text",
    make: "text",
    model: "text",
    fuel: "text",
    country: "text",
    first_registered: "date",
    lease_from: "date",
    lease_to: "date",
    returned_on: "date",
    status: "text",
    lessor: "text",
    monthly_rate: "decimal",
    currency: "text",
    distance_limit: "integer",
    tank_l: "integer",
    battery_kwh: "integer",
    co2_g_km: "integer",
    is_pool: "other",
    replaces_id: "integer references vehicles.vehicle_id",
    legacy_no: "text",
    radio_code: "text",
    remark: "text",
  });
  return { name: "vehicles", columns, rows };
}

type Driver = { no: string; name: string; country: Country; unit: number; freeFrom: number };

export type Assignment = {
  id: number;
  vehicle: Vehicle;
  driver: Driver | null;
  from: number;
  to: number | null;
  kind: "personal" | "pool" | "temporary";
};

/** One after the other; some days between them it stands in the yard. Nobody has two at once. */
export function assignmentsOf(random: Random, vehicles: readonly Vehicle[]): Assignment[] {
  const assignments: Assignment[] = [];
  for (const vehicle of vehicles.filter(({ isOrdered }) => !isOrdered)) {
    const end = lastDay(vehicle);
    for (let from = vehicle.from; from < end; ) {
      const isShort = !vehicle.isPool && random.chance(0.12);
      const days = isShort
        ? random.between(5, 40)
        : Math.round(heavyTailed(random, vehicle.isPool ? 1500 : 640, 0.7));
      const until = from + days * dayMs;
      const isEnd = until >= end - 10 * dayMs;
      const to = isEnd ? vehicle.returned : until;
      assignments.push({
        id: 0,
        vehicle,
        driver: null,
        from,
        to,
        kind: vehicle.isPool ? "pool" : isShort && !isEnd ? "temporary" : "personal",
      });
      if (isEnd) break;
      from = until + random.pick([1, 1, 1, 4, 11]) * dayMs;
    }
  }
  assignments.sort((a, b) => a.from - b.from);
  const drivers: Driver[] = [];
  let number = 20_110;
  for (const [index, assignment] of assignments.entries()) {
    assignment.id = 3001 + index;
    if (assignment.kind === "pool") continue;
    const { country } = assignment.vehicle;
    const free = drivers.filter((one) => one.country === country && one.freeFrom < assignment.from);
    const isNew = free.length === 0 || random.chance(0.35);
    number += random.between(1, 60);
    const driver = isNew
      ? {
          no: `P${String(number).padStart(6, "0")}`,
          name: `${lastName(random)}, ${firstName(random)}`,
          country,
          unit: random.between(1, 9),
          freeFrom: 0,
        }
      : random.pick(free);
    if (isNew) drivers.push(driver);
    driver.freeFrom = assignment.to ?? Number.POSITIVE_INFINITY;
    // Some marry, and go by another name from their next car on.
    if (!isNew && random.chance(0.03))
      driver.name = driver.name.replace(/^[^,]+/, (old) => `${lastName(random)}-${old.split("-")[0]}`);
    assignment.driver = { ...driver };
  }
  return assignments;
}

export function assignmentTable(assignments: readonly Assignment[]): CorpusTable {
  const rows = assignments.map(({ id, vehicle, driver, from, to, kind }): Row => {
    const unit = driver?.unit ?? 0;
    const center = from < divided ? `4${unit}10` : `${vehicle.country}-4${unit}10-0${(unit % 3) + 1}`;
    return [
      String(id),
      String(vehicle.id),
      driver?.no ?? null,
      driver?.name ?? null,
      kind,
      center,
      dateText(from),
      to === null ? open : dateText(to),
      String(shownAt(vehicle, from)),
      to === null ? null : String(shownAt(vehicle, to)),
      unitOf(vehicle),
    ];
  });
  const columns = columnsOf({
    assignment_id: "integer key",
    vehicle_id: "integer references vehicles.vehicle_id",
    driver_no: "text",
    driver_name: "text",
    kind: "text",
    cost_center: "text",
    valid_from: "date",
    valid_to: "date",
    odometer_out: "integer",
    odometer_in: "integer",
    unit: "text",
  });
  return { name: "assignments", columns, rows };
}

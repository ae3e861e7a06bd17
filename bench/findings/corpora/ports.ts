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
  normal,
  some,
  timeText,
  weighted,
} from "../draw.ts";
import { daysFrom, hourMs, poisson } from "./calendar.ts";

const now = Date.parse("2025-06-23T12:00:00Z");

/**
 * Ships, their calls at ports, and where they were: both sides of Greenwich and of the date line, codes for what a ship
 * does not tell (a heading of 511), some that are broken up, and a canal that was closed for days.
 */
export function ports(seed: number): CorpusDatabase {
  const random = new Random(seed * 113 + 43);
  const harbors = harborsOf(random);
  const ships = shipsOf(random);
  const calls = callsOf(random, ships.rows, harbors.rows);
  return {
    name: "ports",
    now,
    tables: [
      harbors,
      ships,
      calls,
      duesOf(random, calls.rows, ships.rows),
      positionsOf(random, ships.rows),
      transitsOf(random, ships.rows),
      registryOf(random, ships.rows),
    ],
  };
}

const countries = {
  NL: [52, 4, "EUR"],
  DE: [53.8, 9, "EUR"],
  GB: [51.5, -1, "GBP"],
  ES: [38, -3, "EUR"],
  US: [35, -80, "USD"],
  BR: [-15, -42, "BRL"],
  ZA: [-32, 25, "ZAR"],
  SG: [1.2, 103.8, "SGD"],
  JP: [34.5, 137, "JPY"],
  FJ: [-17.5, 178, "FJD"],
  NZ: [-40, 175, "NZD"],
  CL: [-35, -72, "CLP"],
} as const;
type Country = keyof typeof countries;

function harborsOf(random: Random): CorpusTable {
  const taken = new Set<string>();
  const rows: Row[] = [];
  while (rows.length < 170) {
    const country = mostlyFirst(random, Object.keys(countries) as Country[], 1.1);
    const code = `${country}${letters(random, 3)}`;
    if (taken.has(code)) continue;
    taken.add(code);
    const [latitude, longitude, currency] = countries[country];
    const at = longitude + normal(random) * 1.4;
    rows.push([
      code,
      `${random.pick(["Port", "Puerto", "New", "Saint", "Bay of", "Cape"])} ${random.pick(["Alden", "Bravo", "Corvin", "Dorn", "Esper", "Farrow", "Galt", "Hollis", "Ivar", "Jorda"])}${random.pick(["", "", "mouth", "haven", " Roads"])}`,
      country,
      (latitude + normal(random) * 1.2).toFixed(4),
      (at > 180 ? at - 360 : at).toFixed(4),
      currency,
      maybe(random, 0.9, () => heavyTailed(random, 12, 0.25).toFixed(1)),
      random.chance(0.2) ? "Y" : "N",
    ]);
  }
  const columns = columnsOf({
    locode: "text key",
    port_name: "text",
    country: "text",
    lat: "float",
    lon: "float",
    currency: "text",
    max_draught_m: "decimal",
    tidal: "text",
  });
  return { name: "ports", columns, rows };
}

/** The last digit is the sum of the others, each times its place from the right. */
function imo(random: Random): string {
  const body = `${random.pick(["7", "8", "9", "9", "9"])}${digits(random, 5)}`;
  const sum = [...body].reduce((all, digit, at) => all + Number(digit) * (7 - at), 0);
  return `${body}${sum % 10}`;
}

const flags = {
  PA: "Panama",
  LR: "Liberia",
  MH: "Marshall Islands",
  MT: "Malta",
  SG: "Singapore",
  HK: "Hong Kong",
  NL: "Netherlands",
  AG: "Antigua and Barbuda",
  NO: "Norway",
  CK: "Cook Islands",
} as const;
const types = {
  "Container Ship": 34_000,
  "Bulk Carrier": 38_000,
  "Crude Oil Tanker": 62_000,
  "General Cargo": 5200,
  "Ro-Ro": 21_000,
  Tug: 420,
  "LNG Carrier": 98_000,
} as const;

function shipsOf(random: Random): CorpusTable {
  const numbers = new Set<string>();
  const rows: Row[] = [];
  while (rows.length < 620) {
    const number = imo(random);
    if (numbers.has(number)) continue;
    numbers.add(number);
    const type = weighted(random, {
      "Container Ship": 26,
      "Bulk Carrier": 30,
      "Crude Oil Tanker": 13,
      "General Cargo": 18,
      "Ro-Ro": 6,
      Tug: 5,
      "LNG Carrier": 2,
    });
    const gross = Math.round(heavyTailed(random, types[type], 0.45));
    const built = random.between(number.startsWith("7") ? 1972 : 1986, 2024);
    const flag = mostlyFirst(random, Object.keys(flags) as (keyof typeof flags)[], 1.5);
    const isGone = built < 2000 && random.chance(0.2);
    rows.push([
      number,
      isGone ? null : `${random.between(2, 6)}${digits(random, 8)}`,
      `${random.pick(["MSC", "EVER", "NORDIC", "STAR", "OCEAN", "CMA CGM", "MV", "PACIFIC"])} ${random.pick(["AURORA", "GRACE", "TRIUMPH", "LIBRA", "VEGA", "HARMONY", "FORTUNE", "ZOË", "NO. 8", "CORAL"])}${random.chance(0.2) ? ` ${random.pick(["I", "II", "III", "V"])}` : ""}`,
      type,
      flag,
      flags[flag],
      String(gross),
      type === "Tug"
        ? String(Math.round(gross * 0.6))
        : String(Math.round(gross * (1.1 + random.next() * 0.7))),
      (6.1 * gross ** 0.33 + normal(random) * 4).toFixed(2),
      String(built),
      isGone
        ? weighted(random, { "Broken up": 80, "Total loss": 20 })
        : weighted(random, { "In service": 96, "Laid up": 4 }),
      isGone ? dateText(Date.parse("2019-01-01") + random.next() * 1500 * dayMs) : null,
      maybe(random, 0.7, () => random.pick(["LR", "DNV", "ABS", "BV", "NK", "RINA"])),
    ]);
  }
  const columns = columnsOf({
    imo: "text",
    mmsi: "text",
    ship_name: "text",
    ship_type: "text",
    flag: "text",
    flag_name: "text",
    gross_tonnage: "integer",
    deadweight_t: "integer",
    length_m: "decimal",
    year_built: "integer",
    status: "text",
    status_date: "date",
    class_society: "text",
  });
  return { name: "ships", columns, rows };
}

const afloat = (ships: readonly Row[]) => ships.filter((row) => row[1] !== null);

/** Some calls are ahead; who only takes bunkers has no cargo, and who waits at anchor never berths. */
function callsOf(random: Random, ships: readonly Row[], harbors: readonly Row[]): CorpusTable {
  const rows: Row[] = [];
  for (const day of daysFrom("2024-07-01", now + 9 * dayMs))
    for (let count = poisson(random, 13); count > 0; count--) {
      const ship = mostlyFirst(random, afloat(ships), 1.3);
      const harbor = mostlyFirst(random, harbors, 1.4);
      const expected = day + Math.floor(random.next() * 48) * hourMs * 0.5;
      const arrived = expected + normal(random) * 7 * hourMs;
      const berthed = arrived + heavyTailed(random, 3, 1) * hourMs;
      const left = berthed + heavyTailed(random, 22, 0.7) * hourMs;
      const purpose = weighted(random, { cargo: 82, bunkers: 9, crew: 4, repair: 3, orders: 2 });
      const isAtAnchor = purpose === "orders";
      const draught = 4 + heavyTailed(random, 5, 0.3);
      const cargo = purpose === "cargo" ? Math.round(Number(ship[7]) * random.next() * 0.8) : 0;
      rows.push([
        `PC${24_000_000 + rows.length * 3}`,
        ship[0] ?? null,
        harbor[0] ?? null,
        purpose,
        timeText(expected),
        arrived < now ? timeText(arrived) : null,
        berthed < now && !isAtAnchor ? timeText(berthed) : null,
        left < now ? timeText(left) : null,
        left < now ? "departed" : arrived < now ? "in port" : "expected",
        arrived < now ? draught.toFixed(1) : null,
        left < now ? Math.max(3, draught + normal(random) * 0.8).toFixed(1) : null,
        String(cargo),
        isAtAnchor ? null : `B${random.between(1, 24)}`,
        maybe(random, 0.1, () =>
          random.pick(["ISPS level 2", "pilot required", "waits for tide", "crew change 4 pax", "tba"]),
        ),
        weighted(random, { N: 97, Y: 3 }),
      ]);
    }
  const columns = columnsOf({
    call_no: "text",
    imo: "text in ships.imo",
    locode: "text in ports.locode",
    purpose: "text",
    eta: "time",
    arrived_at: "time",
    berthed_at: "time",
    departed_at: "time",
    status: "text",
    draught_in_m: "decimal",
    draught_out_m: "decimal",
    cargo_t: "integer",
    berth: "text",
    remarks: "text",
    dangerous_goods: "text",
  });
  return { name: "port_calls", columns, rows };
}

/** In the money of the port: by tonnage, with a rebate for those who come often. */
function duesOf(random: Random, calls: readonly Row[], ships: readonly Row[]): CorpusTable {
  const rates: Record<string, number> = {
    EUR: 1,
    GBP: 0.85,
    USD: 1.1,
    BRL: 6.1,
    ZAR: 20,
    SGD: 1.46,
    JPY: 163,
    FJD: 2.5,
    NZD: 1.85,
    CLP: 1040,
  };
  const byNumber = new Map(ships.map((row) => [row[0], row]));
  const rows = calls
    .filter((row) => row[8] === "departed" && row[12] !== null)
    .map((row, index): Row => {
      const currency = countries[(row[2] ?? "").slice(0, 2) as Country]?.[2] ?? "EUR";
      const rate = rates[currency] ?? 1;
      const isWhole = currency === "JPY" || currency === "CLP";
      const round = (amount: number) => (isWhole ? Math.round(amount) : cents(amount));
      const tonnage = Number(byNumber.get(row[0] === null ? "" : row[1])?.[6]);
      const port = round(tonnage * 0.21 * rate);
      const pilot = round((180 + tonnage * 0.011) * rate);
      const rebate = random.chance(0.16) ? round(port * 0.1) : 0;
      const text = (amount: number) => (isWhole ? String(amount) : money(amount));
      const issued = Date.parse(row[7] ?? "") + random.between(1, 12) * dayMs;
      const isPaid = issued < now - 30 * dayMs && random.chance(0.96);
      return [
        `${new Date(issued).getUTCFullYear()}-${String(index + 1).padStart(6, "0")}`,
        row[0] ?? null,
        currency,
        text(port),
        text(pilot),
        text(-rebate),
        text(round(port + pilot - rebate)),
        dateText(issued),
        dateText(issued + 30 * dayMs),
        isPaid ? dateText(issued + (5 + heavyTailed(random, 22, 0.5)) * dayMs) : null,
      ];
    });
  const columns = columnsOf({
    invoice_no: "text",
    call_no: "text in port_calls.call_no",
    currency: "text",
    port_dues: "decimal",
    pilotage: "decimal",
    rebate: "decimal",
    amount: "decimal",
    issued_on: "date",
    due_on: "date",
    paid_on: "date",
  });
  return { name: "dues", columns, rows };
}

/** Every three hours or so. A heading of 511 and a turn of -128 say that there is none. */
function positionsOf(random: Random, ships: readonly Row[]): CorpusTable {
  const rows: Row[] = [];
  const those = some(random, afloat(ships), 34).map((ship) => ({
    mmsi: ship[1] ?? null,
    latitude: normal(random) * 28,
    longitude: random.next() * 360 - 180,
    course: random.next() * 360,
    speed: 9 + random.next() * 9,
    hasCompass: random.chance(0.9),
  }));
  for (let at = now - 34 * dayMs; at < now; at += 3 * hourMs)
    for (const ship of those) {
      if (random.chance(0.05)) continue;
      const isMoving = random.chance(0.8);
      const speed = isMoving ? Math.max(0.4, ship.speed + normal(random)) : random.next() * 0.3;
      ship.course = (ship.course + normal(random) * 6 + 360) % 360;
      ship.latitude = Math.max(
        -58,
        Math.min(66, ship.latitude + (Math.cos((ship.course * Math.PI) / 180) * speed * 3) / 60),
      );
      ship.longitude += (Math.sin((ship.course * Math.PI) / 180) * speed * 3) / 60;
      if (Math.abs(ship.longitude) > 180) ship.longitude -= Math.sign(ship.longitude) * 360;
      rows.push([
        String(900_000 + rows.length),
        ship.mmsi,
        timeText(at + random.between(0, 600) * 1000),
        ship.latitude.toFixed(5),
        ship.longitude.toFixed(5),
        speed.toFixed(1),
        isMoving ? ship.course.toFixed(1) : "360.0",
        ship.hasCompass ? String(Math.floor(ship.course)) : "511",
        String(ship.hasCompass ? Math.round(normal(random) * 3) : -128),
        isMoving ? "0" : random.pick(["1", "5"]),
        weighted(random, { satellite: 64, terrestrial: 36 }),
      ]);
    }
  const columns = columnsOf({
    position_id: "integer",
    mmsi: "text in ships.mmsi",
    reported_at: "time",
    lat: "float",
    lon: "float",
    sog_kn: "decimal",
    cog_deg: "decimal",
    heading: "integer",
    rate_of_turn: "integer",
    nav_status: "integer",
    receiver: "text",
  });
  return { name: "positions", columns, rows, loads: { column: "reported_at", period: "day" } };
}

/** In convoys, each day; the canal was closed for six days. */
function transitsOf(random: Random, ships: readonly Row[]): CorpusTable {
  const rows: Row[] = [];
  for (const day of daysFrom("2024-09-01", now - dayMs)) {
    if (dateText(day) >= "2025-03-23" && dateText(day) <= "2025-03-28") continue;
    for (const direction of ["N", "S"])
      for (const [index, ship] of some(random, afloat(ships), 7 + poisson(random, 3)).entries()) {
        const entered =
          day + (direction === "N" ? 4 : 15) * hourMs + index * 11 * 60_000 + random.between(0, 300) * 1000;
        rows.push([
          `${dateText(day).replaceAll("-", "")}${direction}`,
          String(index + 1),
          ship[0] ?? null,
          direction,
          timeText(entered),
          timeText(entered + (11 + normal(random)) * hourMs),
          (Math.round(Number(ship[6]) * 0.9) / 1).toFixed(0),
          ship[3] ?? null,
          (6.5 + random.next() * 2).toFixed(1),
        ]);
      }
  }
  const columns = columnsOf({
    convoy: "text",
    place_in_convoy: "integer",
    imo: "text in ships.imo",
    direction: "text",
    entered_at: "time",
    left_at: "time",
    canal_tonnage: "integer",
    ship_type: "text",
    speed_kn: "decimal",
  });
  return { name: "canal_transits", columns, rows, loads: { column: "entered_at", period: "day" } };
}

/** What changed of a ship: names and flags of before, from a day to a day. */
function registryOf(random: Random, ships: readonly Row[]): CorpusTable {
  const rows: Row[] = [];
  for (const ship of ships) {
    let from = Date.UTC(Number(ship[9]), random.between(0, 11), random.between(1, 28));
    const spells = random.between(1, 3);
    for (let spell = 1; spell <= spells; spell++) {
      const isLast = spell === spells;
      const to = Math.floor((from + random.next() * (Date.parse("2024-12-01") - from)) / dayMs) * dayMs;
      if (!isLast && to <= from) continue;
      const flag = isLast ? ship[4] : mostlyFirst(random, Object.keys(flags), 1.3);
      rows.push([
        ship[0] ?? null,
        String(spell),
        isLast
          ? (ship[2] ?? null)
          : `EX ${random.pick(["LADY", "KING", "SEA", "BLUE"])} ${random.pick(["ANNE", "ROSE", "WAVE", "STAR"])}`,
        flag ?? null,
        dateText(from),
        isLast ? "9999-12-31" : dateText(to),
        isLast ? "Y" : "N",
      ]);
      from = to + dayMs;
    }
  }
  const columns = columnsOf({
    imo: "text in ships.imo",
    spell: "integer",
    name_then: "text",
    flag: "text",
    valid_from: "date",
    valid_to: "date",
    is_current: "text",
  });
  return { name: "ship_history", columns, rows };
}

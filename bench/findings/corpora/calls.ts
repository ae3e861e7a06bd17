import { Random } from "../../../faults/random.ts";
import { type CorpusDatabase, type CorpusTable, columnsOf, type Row } from "../corpus.ts";
import {
  dateText,
  dayMs,
  digits,
  heavyTailed,
  maybe,
  money,
  mostlyFirst,
  normal,
  some,
  timeText,
  weighted,
} from "../draw.ts";
import { daysFrom, isWeekend, momentsOf, poisson } from "./calendar.ts";

const now = Date.parse("2025-10-06T04:00:00Z");

/**
 * Calls of a mobile network: many are not answered, numbers are given out again, a storm in which twice as many call as
 * on other days, and 99999 stands for as many minutes as one likes.
 */
export function calls(seed: number): CorpusDatabase {
  const random = new Random(seed * 97 + 13);
  const tariffs = tariffsOf();
  const subscribers = subscribersOf(random, tariffs.rows);
  const cells = cellsOf(random);
  return {
    name: "calls",
    now,
    tables: [
      tariffs,
      subscribers,
      cells,
      callsOf(random, subscribers.rows, cells.rows),
      roamingOf(random, subscribers.rows),
      usageOf(random, subscribers.rows),
      portingsOf(random, subscribers.rows),
    ],
  };
}

function tariffsOf(): CorpusTable {
  const rows = [
    "Talk S",
    "Talk M",
    "Talk L",
    "Flex",
    "Data Only",
    "Business",
    "Kids",
    "Senior",
    "Legacy 2009",
  ].map(
    (name, index): Row => [
      `T${String(index + 1).padStart(2, "0")}`,
      name,
      money([9.99, 19.99, 34.99, 0, 14.99, 42, 4.99, 7.99, 12.5][index] ?? 0),
      String([100, 500, 99_999, 0, 0, 99_999, 60, 120, 200][index]),
      String([1, 8, 40, 0, 60, 60, 0.5, 1, 0][index]),
      index === 8 ? "2013-06-30" : null,
    ],
  );
  const columns = columnsOf({
    tariff_code: "text key",
    tariff_name: "text",
    monthly_fee: "decimal",
    included_minutes: "integer",
    included_gb: "decimal",
    closed_on: "date",
  });
  return { name: "tariffs", columns, rows };
}

function subscribersOf(random: Random, tariffs: readonly Row[]): CorpusTable {
  const since = Date.parse("2011-03-01");
  const rows: Row[] = [];
  const numbers = new Set<string>();
  for (let index = 0; index < 2600; index++) {
    const activated = since + (index / 2600) * (now - since) + random.next() * dayMs * 2;
    const isGone = random.chance(0.18);
    const left = activated + random.next() * (now - activated);
    // Half a year after a contract has ended, its number may be given out again.
    const free = random.chance(0.006)
      ? rows.filter(([, , , , , , until]) => Date.parse(until ?? "") < activated - 180 * dayMs)
      : [];
    const again = free.length > 0 ? random.pick(free)[1] : null;
    let number = again ?? `4476${digits(random, 8)}`;
    while (!again && numbers.has(number)) number = `4476${digits(random, 8)}`;
    numbers.add(number);
    const isBusiness = random.chance(0.16);
    rows.push([
      String(30_000_001 + index * 4),
      number,
      `23491${digits(random, 10)}`,
      isBusiness ? "T06" : (mostlyFirst(random, tariffs, 1.3)[0] ?? null),
      isBusiness ? "business" : "consumer",
      timeText(activated),
      isGone ? timeText(left) : null,
      isGone ? weighted(random, { PORT: 45, NONPAY: 20, REQUEST: 30, DECEASED: 3, FRAUD: 2 }) : null,
      isGone ? "N" : "Y",
      random.chance(0.3) ? "Y" : "N",
      random.chance(0.02) ? "Y" : "N",
      weighted(random, { en: 88, cy: 5, pl: 5, ur: 2 }),
      String(isBusiness ? 1000 : random.pick([50, 50, 50, 100, 250])),
      maybe(random, 0.21, () => random.pick(["EEX", "OTU", "VDF", "TMB"])),
    ]);
  }
  const columns = columnsOf({
    subscriber_id: "integer key",
    msisdn: "text",
    imsi: "text",
    tariff_code: "text in tariffs.tariff_code",
    segment: "text",
    activated_at: "time",
    deactivated_at: "time",
    reason_code: "text",
    active_flag: "text",
    paperless_flag: "text",
    barred_flag: "text",
    language: "text",
    credit_limit: "integer",
    ported_from: "text",
  });
  return { name: "subscribers", columns, rows };
}

/** Three sectors to a mast; in tunnels there is one, without a direction. */
function cellsOf(random: Random): CorpusTable {
  const rows: Row[] = [];
  for (let site = 1; site <= 150; site++) {
    const [latitude, longitude] = [51.5 + normal(random) * 0.8, -1.8 + normal(random) * 1.1];
    const isTunnel = random.chance(0.06);
    const technology = weighted(random, { LTE: 60, NR: 32, GSM: 8 });
    for (let sector = 1; sector <= (isTunnel ? 1 : 3); sector++)
      rows.push([
        `${234}-${91}-${40_000 + site * 10 + sector}`,
        `M${String(site).padStart(4, "0")}`,
        technology,
        { LTE: "B20", NR: "n78", GSM: "900" }[technology],
        latitude.toFixed(5),
        longitude.toFixed(5),
        isTunnel ? null : String((sector - 1) * 120 + (site % 4) * 10),
        String(isTunnel ? 4 : Math.round(heavyTailed(random, 28, 0.4))),
        dateText(Date.parse("2008-01-01") + random.next() * 6300 * dayMs),
      ]);
  }
  const columns = columnsOf({
    cgi: "text key",
    site: "text",
    technology: "text",
    band: "text",
    latitude: "float",
    longitude: "float",
    azimuth: "integer",
    height_m: "integer",
    on_air_since: "date",
  });
  return { name: "cells", columns, rows };
}

const causes = {
  "16": "Normal clearing",
  "17": "User busy",
  "19": "No answer",
  "31": "Unspecified",
  "38": "Network out of order",
  "41": "Temporary failure",
} as const;

function callsOf(random: Random, subscribers: readonly Row[], cells: readonly Row[]): CorpusTable {
  const rows: Row[] = [];
  const callers = subscribers.filter((row) => row[6] === null);
  for (const day of daysFrom("2025-07-28", now - dayMs)) {
    const isStorm = dateText(day) === "2025-09-13";
    for (const at of momentsOf(
      random,
      day,
      poisson(random, (isWeekend(day) ? 110 : 150) * (isStorm ? 2.2 : 1)),
      [6, 24],
    )) {
      const caller = mostlyFirst(random, callers, 1.6);
      const cause = weighted(random, {
        "16": 74,
        "17": 8,
        "19": 15,
        "31": 2,
        "38": isStorm ? 6 : 0.05,
        "41": 1,
      });
      const kind = weighted(random, {
        domestic: 84,
        mailbox: 7,
        international: 4,
        emergency: 0.5,
        premium: 0.6,
        short: 3.9,
      });
      const seconds = cause === "16" ? Math.ceil(heavyTailed(random, 85, 1.3)) : 0;
      const billed = kind === "emergency" ? 0 : Math.ceil(seconds / 60) * 60;
      const rate = { domestic: 0, mailbox: 0, international: 0.35, emergency: 0, premium: 1.5, short: 0.1 }[
        kind
      ];
      const start = Math.floor(at / 1000) * 1000;
      rows.push([
        `${dateText(day).replaceAll("-", "")}${String(rows.length + 1).padStart(8, "0")}`,
        caller[1] ?? null,
        calledOf(random, kind),
        kind,
        timeText(start),
        timeText(start + seconds * 1000),
        String(seconds),
        String(billed),
        rate.toFixed(4),
        ((billed / 60) * rate).toFixed(4),
        random.pick(cells)[0] ?? null,
        maybe(random, 0.93, () => random.pick(cells)[0] ?? ""),
        cause,
        causes[cause],
        String(random.chance(0.64)),
        dateText(day + dayMs),
      ]);
    }
  }
  const columns = columnsOf({
    record_id: "text",
    calling_number: "text in subscribers.msisdn",
    called_number: "text",
    call_type: "text",
    start_time: "time",
    end_time: "time",
    duration_s: "integer",
    billed_s: "integer",
    rate_per_min: "decimal",
    charge: "decimal",
    first_cell: "text in cells.cgi",
    last_cell: "text in cells.cgi",
    cause_code: "text",
    cause_text: "text",
    is_volte: "other",
    mediated_on: "date",
  });
  return { name: "cdr_voice", columns, rows, loads: { column: "start_time", period: "day" } };
}

/** A short code, a number of this country, or one abroad, of any length. */
function calledOf(random: Random, kind: string): string {
  if (kind === "emergency") return random.pick(["999", "112"]);
  if (kind === "mailbox") return "121";
  if (kind === "premium") return `4490${digits(random, 8)}`;
  if (kind === "short") return random.pick(["118118", "150", "155", "60300", "88222"]);
  if (kind === "international")
    return `${random.pick(["49", "33", "48", "92", "1", "353"])}${digits(random, random.between(8, 10))}`;
  return `44${random.pick(["7", "7", "1", "20"])}${digits(random, 8)}`;
}

const partners = {
  DEUD1: ["Germany", "EUR", 0.86],
  FRAF1: ["France", "EUR", 0.86],
  POLKM: ["Poland", "PLN", 0.2],
  CHEC1: ["Switzerland", "CHF", 0.92],
  USACG: ["United States", "USD", 0.74],
  JPNDO: ["Japan", "JPY", 0.005],
  NORTM: ["Norway", "NOK", 0.074],
  TURTC: ["Türkiye", "TRY", 0.018],
  AAZ11: ["Aboard ship", "SDR", 1.01],
} as const;

/** What other networks charge for, in their money. */
function roamingOf(random: Random, subscribers: readonly Row[]): CorpusTable {
  const rows: Row[] = [];
  let file = 1200;
  for (const day of daysFrom("2025-04-01", now - dayMs)) {
    file++;
    for (let count = 4 + poisson(random, isWeekend(day) ? 10 : 6); count > 0; count--) {
      const partner = mostlyFirst(random, Object.keys(partners) as (keyof typeof partners)[], 1.4);
      const [country, currency, rate] = partners[partner];
      const kind = weighted(random, { GPRS: 70, MOC: 14, MTC: 10, SMS: 6 });
      const charge = random.chance(0.2) ? 0 : heavyTailed(random, 0.4 / rate, 1.1);
      rows.push([
        `CD${partner}GBRXX${String(file % 100_000).padStart(5, "0")}`,
        String(rows.length + 1),
        mostlyFirst(random, subscribers, 1.2)[2] ?? null,
        partner,
        country,
        kind,
        kind === "GPRS" ? String(Math.round(heavyTailed(random, 900_000, 1.8))) : null,
        kind === "MOC" || kind === "MTC" ? String(Math.ceil(heavyTailed(random, 70, 1.1))) : null,
        charge.toFixed(currency === "JPY" ? 0 : 3),
        currency,
        String(rate),
        (Number(charge.toFixed(currency === "JPY" ? 0 : 3)) * rate).toFixed(4),
        dateText(day - poisson(random, 1.5) * dayMs),
        timeText(day + 3.2 * 3_600_000 + random.between(0, 400) * 1000),
      ]);
    }
  }
  const columns = columnsOf({
    tap_file: "text",
    line_no: "integer",
    imsi: "text in subscribers.imsi",
    partner: "text",
    country: "text",
    record_type: "text",
    bytes: "integer",
    seconds: "integer",
    local_charge: "decimal",
    local_currency: "text",
    exchange_rate: "decimal",
    charge_gbp: "decimal",
    used_on: "date",
    received_at: "time",
  });
  return {
    name: "roaming_tap",
    columns,
    rows,
    loads: { column: "received_at", period: "day", areAtOnce: true },
  };
}

/** By month; most use little, and who has left is in no later month. */
function usageOf(random: Random, subscribers: readonly Row[]): CorpusTable {
  const rows: Row[] = [];
  const those = some(random, subscribers, 900);
  for (const month of ["2025-03", "2025-04", "2025-05", "2025-06", "2025-07", "2025-08", "2025-09"])
    for (const row of those) {
      if (Date.parse(row[5] ?? "") > Date.parse(`${month}-01`)) continue;
      if (row[6] !== null && Date.parse(row[6] ?? "") < Date.parse(`${month}-01`)) continue;
      const [on, off] = [Math.round(heavyTailed(random, 40, 1.2)), Math.round(heavyTailed(random, 55, 1.2))];
      rows.push([
        row[0] ?? null,
        month,
        String(on),
        String(off),
        String(on + off),
        String(random.chance(0.4) ? 0 : Math.round(heavyTailed(random, 12, 1))),
        heavyTailed(random, 2.1, 1.5).toFixed(3),
        random.chance(0.9) ? "0.00" : money(heavyTailed(random, 4, 1)),
      ]);
    }
  const columns = columnsOf({
    subscriber_id: "integer in subscribers.subscriber_id",
    billing_month: "text",
    minutes_on_net: "integer",
    minutes_off_net: "integer",
    minutes_total: "integer",
    sms: "integer",
    data_gb: "decimal",
    extra_charges: "decimal",
  });
  return { name: "usage_monthly", columns, rows };
}

/** A request to take a number along may be refused and asked again. */
function portingsOf(random: Random, subscribers: readonly Row[]): CorpusTable {
  const rows = Array.from({ length: 740 }, (_, index): Row => {
    const requested = now - ((740 - index) / 740) * 300 * dayMs;
    const state = weighted(random, { completed: 82, rejected: 12, canceled: 4, pending: 2 });
    return [
      `${letterOf(random)}${letterOf(random)}${letterOf(random)}${digits(random, 6)}`,
      random.pick(subscribers)[1] ?? null,
      weighted(random, { in: 55, out: 45 }),
      random.pick(["EEX", "OTU", "VDF", "TMB"]),
      timeText(requested),
      state === "completed" ? dateText(requested + random.between(1, 3) * dayMs) : null,
      state,
      state === "rejected" ? weighted(random, { R01: 60, R02: 25, R07: 15 }) : null,
    ];
  });
  const columns = columnsOf({
    pac: "text",
    msisdn: "text in subscribers.msisdn",
    direction: "text",
    operator: "text",
    requested_at: "time",
    ported_on: "date",
    state: "text",
    reject_code: "text",
  });
  return { name: "portings", columns, rows };
}

const letterOf = (random: Random) => random.pick([..."ABCDEFGHJKLMNPRSTUVWXYZ"]);

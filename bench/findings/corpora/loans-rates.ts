import type { Random } from "../../../faults/random.ts";
import { type CorpusTable, columnsOf, type Row } from "../corpus.ts";
import { dateText, dayMs, digits, normal } from "../draw.ts";
import { isWorkday } from "./calendar.ts";

/** What is lent, at which rates, and where. */

export const now = Date.parse("2025-07-02T03:15:00Z");
export const today = Date.parse("2025-07-02");

export const yearOf = (moment: number): number => new Date(moment).getUTCFullYear();

export function nextWorkday(moment: number): number {
  let day = Math.floor(moment / dayMs) * dayMs;
  while (!isWorkday(day)) day += dayMs;
  return day;
}

/** So many months later, on that day or the last one that there is. */
export function monthsLater(moment: number, months: number, day: number): number {
  const date = new Date(moment);
  const last = Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + months + 1, 0);
  return Math.min(last, Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + months, day));
}

/** Years with the rate at their beginnings: it is a line between them. Below zero for most of a decade. */
type Curve = [number, number][];
const euribor: Curve = [
  [2003, 2.8],
  [2005, 2.15],
  [2007, 3.75],
  [2008, 4.6],
  [2009, 2.6],
  [2010, 0.69],
  [2011, 1.01],
  [2012, 1.3],
  [2013, 0.19],
  [2014, 0.28],
  [2015, 0.07],
  [2016, -0.14],
  [2017, -0.32],
  [2019, -0.31],
  [2020, -0.39],
  [2021, -0.55],
  [2022, -0.57],
  [2023, 2.16],
  [2024, 3.91],
  [2025, 2.73],
  [2026, 1.7],
];
const franc: Curve = [
  [2003, 0.6],
  [2005, 0.72],
  [2007, 2.1],
  [2008, 2.75],
  [2009, 0.6],
  [2010, 0.25],
  [2012, 0.05],
  [2015, -0.06],
  [2016, -0.75],
  [2022, -0.74],
  [2023, 0.9],
  [2024, 1.7],
  [2025, 0.45],
  [2026, 0.03],
];

function onCurve(curve: Curve, moment: number): number {
  const year = yearOf(moment);
  const at = year + (moment - Date.UTC(year, 0, 1)) / (365.25 * dayMs);
  const next = Math.max(
    1,
    curve.findIndex(([from]) => from > at),
  );
  const [[from, low], [to, high]] = [curve[next - 1] ?? [0, 0], curve[next] ?? [1, 0]];
  return low + ((high - low) * (at - from)) / (to - from);
}

/** The one that banks in London told each other ended, another took its place. */
export const libor = { ends: Date.parse("2021-12-31") };

export type Index = "EUR3M" | "CHF3M" | "SARON3M";
export const indexOf = (currency: string, moment: number): Index =>
  currency === "EUR" ? "EUR3M" : moment > libor.ends ? "SARON3M" : "CHF3M";
export const indexAt = (currency: string, moment: number): number =>
  Math.round(onCurve(currency === "EUR" ? euribor : franc, moment) * 1000) / 1000;

/** On the first workday of each month. One is no more, and one came late. */
export function indexTable(random: Random): CorpusTable {
  const rows: Row[] = [];
  const add = (code: string, day: number, rate: string, source: string | null) =>
    rows.push([code, dateText(day), rate, source]);
  let yields = 3.9;
  for (let month = 0; ; month++) {
    const day = nextWorkday(Date.UTC(2008, month, 1));
    if (day >= today) break;
    const isDelivered = day >= Date.parse("2016-01-01");
    add("EUR3M", day, indexAt("EUR", day).toFixed(3), isDelivered ? "REFINITIV" : null);
    if (day <= libor.ends)
      add("CHF3M", day, indexAt("CHF", day).toFixed(3), isDelivered ? "REFINITIV" : null);
    if (day >= Date.parse("2020-07-01"))
      add("SARON3M", day, (onCurve(franc, day) + normal(random) * 0.004).toFixed(4), "SIX");
    // The national bank stopped publishing what bonds yield.
    yields += normal(random) * 0.12 - 0.035;
    if (day < Date.parse("2015-04-01")) add("UDRB", day, Math.max(0.31, yields).toFixed(3), "OENB");
  }
  const columns = columnsOf({ IDXCD: "text", FIXDT: "text", RATE: "decimal", SRC: "text" });
  return { name: "IDXRT", columns, rows };
}

export type Product = {
  code: string;
  name: string;
  way: "ANN" | "LIN" | "BUL" | "REV";
  currency: "EUR" | "CHF";
  isVariable: boolean;
  share: number;
  amounts: [number, number, number];
  months: number[];
  from: string;
  to: string | null;
  forWhom: "P" | "B";
};

export const products: Product[] = [
  [
    "KK01",
    "Konsumkredit fix",
    "ANN",
    "EUR",
    false,
    34,
    [1500, 9000, 75000],
    [24, 36, 48, 60, 72, 84, 120],
    "1998-01-01",
    null,
    "P",
  ],
  [
    "KK02",
    "Sofortkredit online",
    "ANN",
    "EUR",
    false,
    22,
    [1000, 6000, 30000],
    [12, 24, 36, 48, 60, 84],
    "2018-10-01",
    null,
    "P",
  ],
  [
    "WB01",
    "Wohnbau variabel",
    "ANN",
    "EUR",
    true,
    16,
    [20000, 140000, 900000],
    [180, 240, 300, 300, 360],
    "1998-01-01",
    null,
    "P",
  ],
  [
    "WB02",
    "Wohnbau Fixzins",
    "ANN",
    "EUR",
    false,
    14,
    [30000, 190000, 900000],
    [180, 240, 300, 360, 420],
    "2012-03-01",
    null,
    "P",
  ],
  [
    "FW01",
    "Fremdwährung endfällig CHF",
    "BUL",
    "CHF",
    true,
    24,
    [60000, 170000, 600000],
    [240, 300, 300],
    "2003-01-01",
    "2008-10-10",
    "P",
  ],
  [
    "BI01",
    "Investitionskredit",
    "LIN",
    "EUR",
    true,
    8,
    [10000, 120000, 4500000],
    [48, 60, 84, 120, 180],
    "2001-06-01",
    null,
    "B",
  ],
  [
    "BM01",
    "Betriebsmittelrahmen",
    "REV",
    "EUR",
    true,
    5,
    [5000, 50000, 1200000],
    [0],
    "2001-06-01",
    null,
    "B",
  ],
  [
    "FO01",
    "Förderkredit Sanierung 0 %",
    "ANN",
    "EUR",
    false,
    5,
    [3000, 16000, 50000],
    [60, 84, 120],
    "2022-05-01",
    null,
    "P",
  ],
  [
    "MA01",
    "Mitarbeiterkredit",
    "ANN",
    "EUR",
    false,
    2,
    [2000, 12000, 40000],
    [24, 36, 60],
    "1998-01-01",
    null,
    "P",
  ],
  [
    "KK00",
    "Konsumkredit alt",
    "ANN",
    "EUR",
    false,
    4,
    [1500, 6000, 30000],
    [36, 60, 72],
    "1995-01-01",
    "2006-12-31",
    "P",
  ],
].map(([code, name, way, currency, isVariable, share, amounts, months, from, to, forWhom]) => ({
  code,
  name,
  way,
  currency,
  isVariable,
  share,
  amounts,
  months,
  from,
  to,
  forWhom,
})) as Product[];

export function productTable(): CorpusTable {
  const rows = products.map(
    ({ code, name, way, currency, isVariable, amounts, months, from, to }): Row => [
      code,
      name,
      way,
      currency,
      isVariable ? "V" : "F",
      String(amounts[0]),
      String(amounts[2]),
      // A credit line has no term.
      way === "REV" ? null : String(Math.min(...months)),
      way === "REV" ? null : String(Math.max(...months)),
      from,
      to ?? "9999-12-31",
    ],
  );
  const columns = columnsOf({
    PRODCD: "text key",
    DESCR: "text",
    CALC: "text",
    CCY: "text",
    RTTYP: "text",
    MINAMT: "integer",
    MAXAMT: "integer",
    MINTRM: "integer",
    MAXTRM: "integer",
    VALFR: "text",
    VALTO: "text",
  });
  return { name: "PROD", columns, rows };
}

/** What a fixed rate was in that year. */
export function fixedRate({ code }: Product, moment: number): number {
  if (code === "FO01") return 0;
  const base = Math.max(0.2, onCurve(euribor, moment) * 0.6 + 0.7);
  return base + ({ KK00: 5.2, KK01: 3.6, KK02: 4.3, WB02: 0.9, MA01: 0.5 }[code] ?? 2);
}

export type Branch = {
  no: number;
  city: string;
  zip: string;
  dial: string;
  opened: number;
  closed: number | null;
  successor: number | null;
};

const towns =
  "Graz,8010,316;Graz,8020,316;Graz,8042,316;Leibnitz,8430,3452;Weiz,8160,3172;Gleisdorf,8200,3112;Hartberg,8230,3332;Feldbach,8330,3152;Fürstenfeld,8280,3382;Mürzzuschlag,8680,3852;Bruck an der Mur,8600,3862;Leoben,8700,3842;Köflach,8580,3144;Deutschlandsberg,8530,3462;Bad Radkersburg,8490,3476;Judenburg,8750,3572;Wien,1010,1;Wien,1220,1";

export function branchesOf(random: Random): Branch[] {
  const branches = towns.split(";").map((town, index): Branch => {
    const [city = "", zip = "", dial = ""] = town.split(",");
    const isTaken = index > 11;
    return {
      no: isTaken ? 700 + index : 100 + index * 3,
      city,
      zip,
      dial,
      opened: isTaken
        ? Date.parse("2013-10-01")
        : nextWorkday(Date.UTC(random.between(1931, 2008), random.between(0, 11), 1)),
      closed: null,
      successor: null,
    };
  });
  for (const index of [2, 5, 9, 13, 14]) {
    const branch = branches[index];
    if (!branch) continue;
    branch.closed = nextWorkday(Date.UTC(random.between(2015, 2023), random.between(1, 10), 28));
    branch.successor =
      branches[index - 1]?.closed === null ? (branches[index - 1]?.no ?? null) : (branches[0]?.no ?? null);
  }
  return branches;
}

export function branchTable(random: Random, branches: readonly Branch[]): CorpusTable {
  const rows = branches.map(
    ({ no, city, zip, dial, opened, closed, successor }): Row => [
      String(no).padStart(4, "0"),
      `Filiale ${city}`,
      zip,
      city,
      dateText(opened),
      closed === null ? null : dateText(closed),
      successor === null ? null : String(successor).padStart(4, "0"),
      closed === null ? `0${dial}/${digits(random, 6)}-0` : null,
    ],
  );
  const columns = columnsOf({
    BRNO: "text key",
    NAME: "text",
    ZIP: "text",
    CITY: "text",
    OPENDT: "text",
    CLSDT: "text",
    SUCC: "text references BRNCH.BRNO",
    PHONE: "text",
  });
  return { name: "BRNCH", columns, rows };
}

import type { Random } from "../../../faults/random.ts";
import { type CorpusTable, columnsOf, type Row } from "../corpus.ts";
import { dateText, dayMs, heavyTailed, normal, timeText } from "../draw.ts";
import { daysFrom, hourMs } from "./calendar.ts";
import { now, type Person, today } from "./observatory-people.ts";

/** A night is named after the evening on which it begins, by the clocks there; all times are universal. */

export type Night = {
  day: number;
  sunset: number;
  sunrise: number;
  status: "OPEN" | "WEATHER" | "TECHNICAL" | "ENGINEER" | "CLOSED";
  /** In tenths of hours. */
  available: number;
  weather: number;
  technical: number;
  engineering: number;
  observed: number;
  moon: number;
  seeing: number;
};

const dayOfYear = (day: number) => (day - Date.UTC(new Date(day).getUTCFullYear(), 0, 1)) / dayMs;
/** More in June, which is winter. */
const winter = (day: number) => Math.cos((2 * Math.PI * (dayOfYear(day) - 172)) / 365.25);

/** The mirror is coated every other August; a strike closed the mountain in 2023. */
export const coatings = [Date.parse("2020-08-20"), Date.parse("2022-08-22"), Date.parse("2024-08-26")];
const closures: [string, string][] = [
  ["2022-08-08", "2022-08-21"],
  ["2023-11-06", "2023-11-12"],
  ["2024-08-05", "2024-08-25"],
];

const isClosed = (day: number) =>
  closures.some(([from, to]) => day >= Date.parse(from) && day <= Date.parse(to)) ||
  ["12-24", "12-31"].includes(dateText(day).slice(5));

export const sunsetOn = (day: number) => day + dayMs + (4.72 - 6 - winter(day)) * hourMs;
export const sunriseOn = (day: number) => day + dayMs + (4.72 + 6 + winter(day)) * hourMs;

export function nightsOf(random: Random): Night[] {
  let isBad = false;
  return daysFrom("2021-04-01", today - dayMs).map((day): Night => {
    const age = (day - Date.parse("2021-04-12")) / dayMs / 29.530588;
    const moon = Math.round(50 * (1 - Math.cos(2 * Math.PI * age)));
    isBad = random.chance(isBad ? 0.55 : 0.07 + 0.08 * (1 + winter(day)));
    const available = Math.round((12 + 2 * winter(day) - 1.9) * 10);
    const base = { day, sunset: sunsetOn(day), sunrise: sunriseOn(day), available, moon };
    const none = { weather: 0, technical: 0, engineering: 0, observed: 0 };
    const seeing = Math.max(0.52, heavyTailed(random, 0.92 + 0.08 * winter(day), 0.24));
    if (isClosed(day)) return { ...base, ...none, status: "CLOSED", available: 0, seeing };
    if (isBad && random.chance(0.6))
      return { ...base, ...none, status: "WEATHER", weather: available, seeing };
    if (moon === 100 && random.chance(0.6))
      return { ...base, ...none, status: "ENGINEER", engineering: available, seeing };
    if (random.chance(0.008)) return { ...base, ...none, status: "TECHNICAL", technical: available, seeing };
    const weather = isBad || random.chance(0.08) ? random.between(3, available - 20) : 0;
    const technical = random.chance(0.13) ? Math.min(30, Math.ceil(heavyTailed(random, 5, 0.8))) : 0;
    const lost = Math.min(available, weather + technical);
    return {
      ...base,
      status: "OPEN",
      weather,
      technical: lost - weather,
      engineering: 0,
      observed: available - lost,
      seeing,
    };
  });
}

const remarks = [
  "Clear throughout.",
  "Thin cirrus until 03 UT",
  "wind > 15 m/s from N, pointing restricted",
  "Dome shutter stuck, cf. ticket MHO-1187",
  "humedad alta, cerrado 2 h",
  "TOO trigger received 05:12, executed",
  "Viento fuerte al amanecer",
  "excellent seeing!!",
  "guider lost star twice",
  "Temblor leve 04:40, no damage",
];

/** Who is named observes; in service mode it is the staff, and where the dome stays closed, nobody. */
export function nightTable(random: Random, nights: readonly Night[], people: readonly Person[]): CorpusTable {
  const staff = people.filter(({ isStaff }) => isStaff);
  const rows = nights.map((night): Row => {
    const { day, status, available, observed, weather, technical, engineering } = night;
    const tenths = (value: number) => (value / 10).toFixed(1);
    const isVisited = status === "OPEN" && random.chance(0.25);
    const able = isVisited ? people.filter(({ from, leaves }) => from < day && (leaves ?? now) > day) : staff;
    const present = able.filter(({ from }) => from < day);
    return [
      dateText(day),
      timeText(Math.round(night.sunset / 60_000) * 60_000),
      timeText(Math.round(night.sunrise / 60_000) * 60_000),
      String(night.moon),
      status,
      status === "CLOSED" ? null : isVisited ? "V" : "S",
      status === "CLOSED" ? null : String(random.pick(present).id),
      tenths(available),
      tenths(observed),
      tenths(weather),
      tenths(technical),
      tenths(engineering),
      status === "TECHNICAL"
        ? random.pick(["Cooling pump failed", "Power cut, generator did not start", "M2 hexapod error"])
        : status === "OPEN" && random.chance(0.3)
          ? random.pick(remarks)
          : null,
    ];
  });
  const columns = columnsOf({
    NIGHT: "date key",
    SUNSET: "time",
    SUNRISE: "time",
    MOONILL: "integer",
    STATUS: "text",
    OBSMODE: "text",
    OBSERVER: "integer in PERSON.PERSID",
    HRSAVAIL: "decimal",
    HRSOBS: "decimal",
    HRSWEATH: "decimal",
    HRSTECH: "decimal",
    HRSENGIN: "decimal",
    REMARKS: "text",
  });
  const loads = { column: "NIGHT", period: "day", areAlike: true } as const;
  return { name: "NIGHTLOG", columns, rows, loads };
}

/** The tower with the seeing monitor was down for a month. */
const towerDown = [Date.parse("2025-02-03"), Date.parse("2025-03-04")] as const;

/** By the hour. Seeing is measured when it is dark and the dome would be open; a calm has no direction. */
export function weatherTable(random: Random, nights: readonly Night[]): CorpusTable {
  const rows: Row[] = [];
  const byDay = new Map(nights.map((night) => [night.day, night]));
  let [front, gust, dust] = [0, 0, 0];
  for (let at = Date.parse("2024-12-01"); at < now; at += hourMs) {
    const day = Math.floor((at - 16 * hourMs) / dayMs) * dayMs;
    const night = byDay.get(day);
    const isDark = night !== undefined && at > night.sunset + hourMs && at < night.sunrise - hourMs;
    const isStorm = night?.status === "WEATHER";
    front = front * 0.985 + normal(random) * 0.25;
    gust = gust * 0.9 + normal(random) * 0.35;
    dust = dust * 0.95 + normal(random) * 0.2;
    const hour = (at % dayMs) / hourMs;
    const heat = 11 - 6.5 * winter(at) + 4.2 * Math.cos((2 * Math.PI * (hour - 19)) / 24) + front * 1.4;
    const temperature = heat - (isStorm ? 9 : 0);
    const humidity = Math.round(
      Math.min(100, Math.max(2, isStorm ? 82 + normal(random) * 14 : heavyTailed(random, 21, 0.45))),
    );
    const magnus = Math.log(humidity / 100) + (17.62 * temperature) / (243.12 + temperature);
    const dew = (243.12 * magnus) / (17.62 - magnus);
    const wind = Math.max(0, Math.round((4.6 + gust * 3.4 + (isStorm ? 6 : 0)) * 10) / 10);
    const isUp = at < towerDown[0] || at >= towerDown[1];
    const isMeasured = isDark && isUp && !isStorm && humidity < 85 && wind < 17;
    const rain = isStorm && humidity > 94 ? Math.round(heavyTailed(random, 0.8, 0.9) * 10) / 10 : 0;
    rows.push([
      timeText(at),
      temperature.toFixed(1),
      String(humidity),
      Math.min(dew, temperature).toFixed(1),
      (767.4 + front * 1.1 - (isStorm ? 5 : 0)).toFixed(1),
      wind.toFixed(1),
      wind < 0.5 ? null : String(Math.floor(((isStorm ? 300 : 20) + normal(random) * 35 + 720) % 360)),
      rain.toFixed(1),
      isMeasured ? Math.max(0.41, heavyTailed(random, night.seeing * 0.86, 0.15)).toFixed(2) : null,
      isMeasured ? Math.max(0.6, heavyTailed(random, 3.4, 0.4)).toFixed(1) : null,
      // Particles are counted since April.
      at < Date.parse("2025-04-07T14:00:00Z") ? null : String(Math.round(900 * Math.exp(dust))),
    ]);
  }
  const columns = columnsOf({
    UTC: "time",
    TEMPAIR: "float",
    RELHUM: "integer",
    DEWPNT: "float",
    PRESSURE: "float",
    WINDSP: "float",
    WINDDIR: "integer",
    RAIN: "float",
    DIMMSEE: "float",
    TAU0: "float",
    DUSTCNT: "integer",
  });
  return { name: "WEATHER", columns, rows, loads: { column: "UTC", period: "hour", areAlike: true } };
}

const zeroPoints: Record<string, [zero: number, extinction: number]> = {
  u: [23.1, 0.52],
  g: [25.6, 0.19],
  r: [25.5, 0.11],
  i: [25.1, 0.07],
  z: [24.2, 0.05],
};

/** The catalog behind these was wrong in the south: they were computed again, and the first ones kept. */
const recomputed = [Date.parse("2023-05-15"), Date.parse("2023-08-01")] as const;
const newCamera = Date.parse("2022-11-21");

/** Of nights without clouds. The mirror loses some hundredths a month until it is coated again. */
export function zeroPointTable(random: Random, nights: readonly Night[]): CorpusTable {
  const rows: Row[] = [];
  for (const { day, status, weather, seeing } of nights) {
    if (status !== "OPEN" || weather > 0 || !random.chance(0.42)) continue;
    const coated = coatings.findLast((each) => each <= day) ?? day;
    const loss = ((day - coated) / dayMs / 30.4) * 0.011;
    const camera = day < newCamera ? "OLDCAM" : "HARCAM";
    for (const [filter, [zero, extinction]] of Object.entries(zeroPoints)) {
      // The old camera had no window for the ultraviolet.
      if (camera === "OLDCAM" && filter === "u") continue;
      if (!random.chance(filter === "u" || filter === "z" ? 0.35 : 0.85)) continue;
      const point = zero - loss - (camera === "OLDCAM" ? 0.62 : 0) + normal(random) * 0.012;
      const stars = Math.max(4, Math.round(heavyTailed(random, filter === "u" ? 16 : 74, 0.6)));
      const error = (0.005 + 0.09 / stars) * Math.max(1, seeing);
      const isAgain = day >= recomputed[0] && day < recomputed[1];
      const row = (value: number, version: number): Row => [
        dateText(day),
        camera,
        filter,
        String(version),
        value.toFixed(3),
        error.toFixed(4),
        (extinction * Math.exp(normal(random) * 0.08)).toFixed(3),
        String(stars),
        isAgain && version === 1 ? "Y" : "N",
        version === 2 ? "2023-09-04" : dateText(day + dayMs),
      ];
      rows.push(row(isAgain ? point + 0.034 : point, 1));
      if (isAgain) rows.push(row(point, 2));
    }
  }
  const columns = columnsOf({
    NIGHT: "date references NIGHTLOG.NIGHT",
    INSTRUME: "text in INSTRUM.INSTRUME",
    FILTER: "text",
    ZPVERS: "integer",
    ZEROPNT: "decimal",
    ZPERR: "decimal",
    EXTINCT: "decimal",
    NSTARS: "integer",
    SUPERSED: "text",
    COMPUTED: "date",
  });
  return { name: "ZEROPNT", columns, rows };
}

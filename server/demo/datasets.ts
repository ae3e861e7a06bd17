import { readFile } from "node:fs/promises";
import { createRequire } from "node:module";
import path from "node:path";
import { parse } from "csv-parse/sync";
import { packageRoot } from "../program-files.ts";

/** A warehouse row: text, and null for empty source values. */
export type Row = Record<string, string | number | null>;

/** Public domain data (see data/README.md for its origin). */
const ownFolder = () => path.join(packageRoot, "server/demo/data");

/** The data folder of the npm package vega-datasets. */
function packageFolder(): string {
  const require = createRequire(path.join(packageRoot, "package.json"));
  return path.join(path.dirname(require.resolve("vega-datasets/package.json")), "data");
}

const read = (file: string, folder = ownFolder()) => readFile(path.join(folder, file), "utf8");

async function readCsv(file: string): Promise<Record<string, string>[]> {
  return parse(await read(file), {
    columns: true,
    skip_empty_lines: true,
    relax_column_count: true,
    bom: true,
  });
}

async function readJson(file: string, folder?: string): Promise<Record<string, string | number | null>[]> {
  return JSON.parse(await read(file, folder));
}

/** Renames a source's columns and turns empty text into null. Unnamed columns are dropped. */
function renamed(rows: Record<string, string | number | null>[], names: Record<string, string>): Row[] {
  return rows.map((row) =>
    Object.fromEntries(
      Object.entries(names).map(([source, column]) => [
        column,
        row[source] === "" ? null : (row[source] ?? null),
      ]),
    ),
  );
}

const flightColumns = {
  date: "departed_at",
  origin: "origin",
  destination: "destination",
  delay: "delay_minutes",
  distance: "distance_miles",
};

/** The warehouse's tables, each read from its public source. */
export const datasets: Record<string, () => Promise<Row[]>> = {
  us_states: async () => renamed(await readJson("us-state-capitals.json"), { state: "state" }),
  airports: async () =>
    renamed(await readCsv("airports.csv"), {
      iata: "iata",
      name: "name",
      city: "city",
      state: "state",
      country: "country",
      latitude: "latitude",
      longitude: "longitude",
    }),
  flights: async () => renamed(await readJson("flights-20k.json"), flightColumns),
  movies: async () =>
    renamed(await readJson("movies.json", packageFolder()), {
      Title: "title",
      "Release Date": "release_date",
      "US Gross": "us_gross",
      "Worldwide Gross": "worldwide_gross",
      "US DVD Sales": "us_dvd_sales",
      "Production Budget": "production_budget",
      "MPAA Rating": "mpaa_rating",
      "Running Time min": "running_time_minutes",
      Distributor: "distributor",
      Source: "source",
      "Major Genre": "major_genre",
      "Creative Type": "creative_type",
      Director: "director",
      "Rotten Tomatoes Rating": "rotten_tomatoes_rating",
      "IMDB Rating": "imdb_rating",
      "IMDB Votes": "imdb_votes",
    }),
  bird_strikes: async () =>
    renamed(await readCsv("birdstrikes.csv"), {
      "Airport Name": "airport_name",
      "Aircraft Make Model": "aircraft",
      "Effect Amount of damage": "damage",
      "Flight Date": "flight_date",
      "Aircraft Airline Operator": "operator",
      "Origin State": "origin_state",
      "Phase of flight": "phase_of_flight",
      "Wildlife Size": "wildlife_size",
      "Wildlife Species": "wildlife_species",
      "Time of day": "time_of_day",
      "Cost Other": "cost_other",
      "Cost Repair": "cost_repair",
      "Cost Total $": "cost_total",
      "Speed IAS in knots": "speed_knots",
    }),
  weather: async () =>
    renamed(await readCsv("weather.csv"), {
      location: "location",
      date: "date",
      precipitation: "precipitation_mm",
      temp_max: "temp_max_c",
      temp_min: "temp_min_c",
      wind: "wind_m_s",
      weather: "weather",
    }),
};

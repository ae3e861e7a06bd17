import { readFile } from "node:fs/promises";
import { createRequire } from "node:module";
import path from "node:path";
import { parse } from "csv-parse/sync";

/** A row as the warehouse stores it: text, and null for what the source leaves empty. */
export type Row = Record<string, string | number | null>;

/** Where the package keeps its files; it exports none of them by name. */
function dataFolder(): string {
  const entry = createRequire(path.join(process.cwd(), "package.json")).resolve("vega-datasets");
  const root = entry.slice(0, entry.lastIndexOf("vega-datasets") + "vega-datasets".length);
  return path.join(root, "data");
}

const read = (file: string) => readFile(path.join(dataFolder(), file), "utf8");

async function readCsv(file: string): Promise<Record<string, string>[]> {
  return parse(await read(file), {
    columns: true,
    skip_empty_lines: true,
    relax_column_count: true,
    bom: true,
  });
}

async function readJson(file: string): Promise<Record<string, string | number | null>[]> {
  return JSON.parse(await read(file));
}

/** Renames a source's columns, and turns empty text into null. Columns that are not named are dropped. */
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

/** The tables of the warehouse, each read from its public source. */
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
    renamed(await readJson("movies.json"), {
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

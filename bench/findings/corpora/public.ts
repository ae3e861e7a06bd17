import type { CorpusDatabase } from "../corpus.ts";
import { fromCsv, fromRecords } from "./loaded.ts";
import { demoFile, fileOf } from "./packages.ts";

type Records = Readonly<Record<string, unknown>>[];
type Country = {
  name: { common: string; official: string };
  cca2: string;
  cca3: string;
  ccn3: string;
  cioc: string;
  independent: boolean;
  status: string;
  unMember: boolean;
  currencies: Record<string, { name: string; symbol: string }>;
  capital: string[];
  region: string;
  subregion: string;
  languages: Record<string, string>;
  latlng: number[];
  landlocked: boolean;
  borders: string[];
  area: number;
};

const vega = (file: string) => fileOf("vega-datasets", `data/${file}`);
const records = (file: string) => JSON.parse(vega(file)) as Records;
const now = Date.parse("2025-01-01");

/** Airports, flights between them, and birds that were struck: real, with the flaws that they came with. */
export const aviation = (): CorpusDatabase => ({
  name: "aviation",
  now,
  tables: [
    fromCsv("airports", demoFile("airports.csv")),
    fromCsv("birdstrikes", demoFile("birdstrikes.csv")),
    fromRecords("flights", JSON.parse(demoFile("flights-20k.json")), {
      references: { origin: "airports.iata", destination: "airports.iata" },
    }),
  ],
});

export const weather = (): CorpusDatabase => ({
  name: "weather",
  now,
  tables: [
    fromCsv("daily", demoFile("weather.csv"), { isText: true }),
    fromCsv("hourly_normals", vega("seattle-weather-hourly-normals.csv")),
    fromCsv("wind_vectors", vega("windvectors.csv")),
    fromCsv("disasters", vega("disasters.csv")),
  ],
});

export const movies = (): CorpusDatabase => ({
  name: "movies",
  now,
  tables: [fromRecords("movies", records("movies.json"))],
});

export const statistics = (): CorpusDatabase => ({
  name: "statistics",
  now,
  tables: [
    fromRecords("gapminder", records("gapminder.json")),
    fromRecords("jobs", records("jobs.json")),
    fromRecords("football", records("football.json"), { isText: true }),
    fromRecords("penguins", records("penguins.json")),
    fromRecords("cars", records("cars.json")),
    fromRecords("unemployment", records("unemployment-across-industries.json")),
    fromRecords("population", records("population.json")),
  ],
});

/** Every second ZIP of the United States. */
export function geography(): CorpusDatabase {
  const zips = fromCsv("zipcodes", vega("zipcodes.csv"));
  return {
    name: "geography",
    now,
    tables: [
      { ...zips, rows: zips.rows.filter((_, index) => index % 2 === 0) },
      fromCsv("species", vega("species.csv")),
    ],
  };
}

export const markets = (): CorpusDatabase => ({
  name: "markets",
  now,
  tables: [
    fromCsv("index_prices", vega("sp500-2000.csv")),
    fromCsv("stocks", vega("stocks.csv")),
    fromCsv("employment", vega("us-employment.csv")),
    fromRecords("contributions", records("political-contributions.json")),
    fromRecords("budget", records("budget.json"), { isText: true }),
  ],
});

export function world(): CorpusDatabase {
  const countries = JSON.parse(fileOf("world-countries", "countries.json")) as Country[];
  const inCountries = { references: { country: "countries.cca3", neighbor: "countries.cca3" } };
  return {
    name: "world",
    now,
    tables: [
      fromRecords(
        "countries",
        countries.map(({ name, capital, latlng, currencies, languages, borders, ...country }) => ({
          cca3: country.cca3,
          cca2: country.cca2,
          ccn3: country.ccn3,
          cioc: country.cioc,
          name: name.common,
          official_name: name.official,
          capital: capital[0],
          region: country.region,
          subregion: country.subregion,
          latitude: latlng[0],
          longitude: latlng[1],
          area: country.area,
          landlocked: country.landlocked,
          un_member: country.unMember,
        })),
      ),
      fromRecords(
        "borders",
        countries.flatMap(({ cca3, borders }) => borders.map((neighbor) => ({ country: cca3, neighbor }))),
        inCountries,
      ),
      fromRecords(
        "currencies",
        countries.flatMap(({ cca3, currencies }) =>
          Object.entries(currencies).map(([code, { name, symbol }]) => ({
            country: cca3,
            code,
            name,
            symbol,
          })),
        ),
        inCountries,
      ),
      fromRecords(
        "languages",
        countries.flatMap(({ cca3, languages }) =>
          Object.entries(languages).map(([code, language]) => ({ country: cca3, code, language })),
        ),
        inCountries,
      ),
    ],
  };
}

/** Unseen by the weights: what towns, power plants, runways and repositories leave behind. */
export const civic = (): CorpusDatabase => ({
  name: "civic",
  now,
  tables: [
    fromCsv("deaths", vega("la-riots.csv")),
    fromCsv("commits", vega("github.csv")),
    fromCsv("electricity", vega("iowa-electricity.csv")),
    fromCsv("routes", vega("flights-airport.csv")),
    fromCsv("carbon_dioxide", vega("co2-concentration.csv")),
    fromCsv("incomes", vega("gapminder-health-income.csv")),
    fromRecords("harvests", records("barley.json")),
    fromRecords("obesity", records("obesity.json")),
    fromRecords("life_expectancy", records("countries.json")),
  ],
});

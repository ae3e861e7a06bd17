import type { ContractInput } from "../data-quality/schema.ts";
import { demoContractName } from "../getting-started/demo-names.ts";

/** The demo's contracts. Each fails for a real reason in the data, except the weather, which is fine. */
export const demoContracts: Omit<ContractInput, "dataSourceId">[] = [
  {
    name: "Departures: live feed",
    description: "The replayed departures board. Evaluated every five minutes to check that it stays fresh.",
    schemaName: "public",
    tableName: "departures",
    cronExpression: "*/5 * * * *",
    failureThreshold: 90,
    rules: [
      rule("Freshness", "The board is fresh", "Critical", { column: "recorded_at", maxAgeMinutes: 5 }),
      rule("Volume", "Two days of departures", "High", { minRows: 14_000, maxRows: 15_000 }),
      rule("Referential", "Origin is a known airport", "High", {
        column: "origin",
        referenceTable: "airports",
        referenceColumn: "iata",
      }),
      rule("Referential", "Destination is a known airport", "High", {
        column: "destination",
        referenceTable: "airports",
        referenceColumn: "iata",
      }),
      rule("Range", "Delay within an hour early and five hours late", "Medium", {
        column: "delay_minutes",
        min: "-60",
        max: "300",
      }),
      rule("NullRate", "Delay is recorded", "Low", { column: "delay_minutes", maxNullPercent: 1 }),
    ],
  },
  {
    name: demoContractName,
    description: "Keys and formats that other tables rely on.",
    schemaName: "public",
    tableName: "airports",
    cronExpression: "0 6 * * *",
    rules: [
      rule("Uniqueness", "One row per code", "Critical", { column: "iata" }),
      rule("Pattern", "Code has three letters", "High", { column: "iata", pattern: "^[A-Z]{3}$" }),
      rule("Referential", "State is one of the fifty", "Medium", {
        column: "state",
        referenceTable: "us_states",
        referenceColumn: "state",
      }),
      rule("Range", "Longitude is in the Americas", "Medium", {
        column: "longitude",
        min: "-180",
        max: "-60",
      }),
      rule("Range", "Latitude is a latitude", "Low", { column: "latitude", min: "-90", max: "90" }),
      rule("CustomSql", "No airport is listed twice", "Low", {
        sql: `select count(*) = 0 as passed,
       count(*) as actual_value,
       coalesce('Listed twice: ' || string_agg(name || ', ' || state, '; '), 'Every airport is listed once') as message
from (select name, city, state from airports group by name, city, state having count(*) > 1) twice`,
      }),
    ],
  },
  {
    name: "Movies: catalog",
    description: "Completeness of the credits, and dates moved by a century because of two-digit years.",
    schemaName: "public",
    tableName: "movies",
    cronExpression: "30 6 * * 1-5",
    rules: [
      rule("Uniqueness", "Titles are unique", "Medium", { column: "title" }),
      rule("NullRate", "Director is known", "High", { column: "director", maxNullPercent: 10 }),
      rule("NullRate", "IMDB rating is there", "Medium", { column: "imdb_rating", maxNullPercent: 10 }),
      rule("Range", "Running time is that of a feature film", "Low", {
        column: "running_time_minutes",
        min: "40",
        max: "240",
      }),
      rule("CustomSql", "No film is from the future", "High", {
        sql: `select count(*) = 0 as passed,
       100.0 * (1 - count(*)::numeric / (select count(*) from movies)) as score,
       count(*) as actual_value,
       'Released after 2011, though the list was made in 2010: ' || string_agg(title, ', ' order by title) as message
from movies where release_date >= date '2012-01-01'`,
      }),
      rule("CustomSql", "Worldwide gross includes domestic gross", "Medium", {
        sql: `select count(*) = 0 as passed, count(*) as actual_value
from movies where worldwide_gross < us_gross`,
      }),
    ],
  },
  {
    name: "Bird strikes: reports",
    description: "Reports to the FAA: free text where codes are expected.",
    schemaName: "public",
    tableName: "bird_strikes",
    cronExpression: "0 7 * * *",
    timezone: "America/New_York",
    rules: [
      rule("Referential", "Airport is known", "High", {
        column: "airport_name",
        referenceTable: "airports",
        referenceColumn: "name",
      }),
      rule("Pattern", "Damage is one of four words", "High", {
        column: "damage",
        pattern: "^(None|Minor|Medium|Substantial)$",
      }),
      rule("NullRate", "Speed is reported", "Medium", { column: "speed_knots", maxNullPercent: 25 }),
      rule("Range", "Speed is plausible for an aircraft", "Low", {
        column: "speed_knots",
        min: "30",
        max: "400",
      }),
      rule("Volume", "No report is missing", "Critical", { minRows: 10_000 }),
    ],
  },
  {
    name: "Weather: daily observations",
    description: "Two stations, every day of four years.",
    schemaName: "public",
    tableName: "weather",
    cronExpression: "15 7 * * *",
    rules: [
      rule("Volume", "1,461 days at each of two stations", "High", { minRows: 2922, maxRows: 2922 }),
      rule("NullRate", "Temperature is complete", "High", { column: "temp_max_c", maxNullPercent: 0 }),
      rule("Range", "Temperature is plausible", "Medium", { column: "temp_max_c", min: "-30", max: "45" }),
      rule("Pattern", "Weather is a known value", "Medium", {
        column: "weather",
        pattern: "^(sun|rain|fog|snow|drizzle)$",
      }),
      rule("CustomSql", "The night is never warmer than the day", "Low", {
        sql: "select count(*) = 0 as passed, count(*) as actual_value from weather where temp_min_c > temp_max_c",
      }),
    ],
  },
];

type DemoRule = ContractInput["rules"][number];

function rule(
  type: DemoRule["type"],
  name: string,
  severity: DemoRule["severity"],
  configuration: DemoRule["configuration"],
): DemoRule {
  return { type, name, severity, configuration };
}

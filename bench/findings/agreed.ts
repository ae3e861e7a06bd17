import type { Candidate } from "../../server/findings/candidate.ts";
import type { FindingKind } from "../../server/findings/kinds.ts";

/** A fault in the clean copy, mostly of public data. A finding of it is not a false alarm. */
type Agreed = {
  database: string;
  table: string;
  kinds: readonly FindingKind[];
  /** A finding is agreed with if it names only these. */
  columns: readonly string[];
  why: string;
};

const missing: readonly FindingKind[] = ["MissingValue"];
const disguised: readonly FindingKind[] = ["DisguisedMissing", "Type", "Format", "Variant"];
const outOfRange: readonly FindingKind[] = ["OutOfRange"];
const inconsistent: readonly FindingKind[] = ["Inconsistent", "Variant"];
const variant: readonly FindingKind[] = ["Variant"];

const airlineColumns = ["name", "alias", "iata", "icao", "callsign", "country", "active"];

const agreed: readonly Agreed[] = [
  ...inDatabase("aviation", [
    ["airports", disguised, ["city", "state"], "NA stands for no city"],
    ["birdstrikes", disguised, ["Aircraft Airline Operator"], "UNKNOWN is no operator"],
    [
      "birdstrikes",
      inconsistent,
      ["Wildlife Species", "Wildlife Size"],
      "an animal of one size, reported once as larger",
    ],
  ]),
  ...inDatabase("movies", [
    ["movies", missing, ["Title"], "a movie has a title"],
    ["movies", missing, ["US Gross", "Worldwide Gross", "Production Budget"], "known of nearly every movie"],
  ]),
  ...inDatabase("statistics", [
    ["jobs", variant, ["job"], "a space behind the name"],
    ["football", missing, ["home_score", "away_score"], "a match without its score"],
    ["football", ["Duplicate"], ["date", "away_team"], "a team plays once a day"],
    ["penguins", disguised, ["Sex"], "a dot is no sex"],
    [
      "penguins",
      missing,
      ["Beak Length (mm)", "Beak Depth (mm)", "Flipper Length (mm)", "Body Mass (g)", "Sex"],
      "never measured",
    ],
    ["cars", missing, ["Miles_per_Gallon", "Horsepower"], "never found out"],
  ]),
  ...inDatabase("markets", [
    ["contributions", outOfRange, ["Beginning_Cash", "Ending_Cash"], "less than no cash"],
    ["contributions", variant, ["Candidate_Name"], "a space around the name"],
    ["contributions", missing, ["Incumbent_Challenger_Status"], "every candidate is one or the other"],
    ["contributions", disguised, ["Candidate_State"], "00 is no state"],
  ]),
  ...inDatabase("airlines", [
    [
      "airlines",
      [...disguised, "Encoding"],
      airlineColumns,
      "\\N, Unknown, N/A, and signs stand for nothing",
    ],
    ["airlines", ["Encoding", "Format"], ["name", "country"], "broken characters, brackets, and backslashes"],
    ["airlines", variant, airlineColumns, "a space around it, or small letters"],
    ["airlines", missing, ["country", "icao"], "every airline is from somewhere, and most have a code"],
    ["airlines", ["Format"], ["icao"], "a code of an airline has three letters"],
    ["airlines", ["Duplicate"], airlineColumns, "one airline twice"],
  ]),
  ...inDatabase("airfields", [
    ["regions", ["Encoding"], ["name", "keywords", "wikipedia_link"], "control characters"],
    ["regions", ["Format"], ["wikipedia_link"], "a space in an address"],
    ["airports", ["Format"], ["wikipedia_link", "home_link"], "two addresses in one, or a remark behind it"],
    ["regions", ["Format"], ["iso_country"], "ZZ is no country"],
    ["countries", ["Format"], ["code"], "ZZ is no country"],
  ]),
  ...inDatabase("banks", [["banks", missing, ["bic"], "every other bank has one"]]),
  ...inDatabase("stars", [
    ["stars", missing, ["bv"], "never measured"],
    ["names", ["Encoding"], ["ar", "desig"], "invisible characters and unusual spaces"],
  ]),
  ...inDatabase("almanac", [["earthquakes", missing, ["rms"], "never worked out"]]),
  ...inDatabase("mart", [
    ["fact_sales", disguised, ["product_key", "store_key"], "nobody knows what was sold, or where"],
  ]),
  ...inDatabase("hotel", [
    ["stays", ["Impossible"], ["booked_at", "canceled_at"], "canceled before it was booked"],
  ]),
  ...inDatabase("league", [
    ["matches", missing, ["home_goals_half", "away_goals_half"], "a match without its score"],
  ]),
  ...inDatabase("civic", [["deaths", missing, ["age"], "everybody has an age"]]),
  ...inDatabase("crm", [["Contact", ["Duplicate"], ["Email"], "one address of two contacts of a company"]]),
  ...inDatabase("world", [
    ["countries", [...outOfRange, "DisguisedMissing"], ["area"], "-1 stands for no area"],
    ["currencies", inconsistent, ["code", "name"], "one currency under two names"],
    ["currencies", variant, ["symbol"], "one symbol with a dot and without"],
    ["languages", inconsistent, ["code", "language"], "one language under two names"],
  ]),
];

function inDatabase(
  database: string,
  entries: readonly [table: string, kinds: readonly FindingKind[], columns: readonly string[], why: string][],
): Agreed[] {
  return entries.map(([table, kinds, columns, why]) => ({ database, table, kinds, columns, why }));
}

/** Why a person would agree with a finding on the clean copy; null for a false alarm. */
export function whyAgreed(database: string, { kind, table, columns }: Candidate): string | null {
  // Counts all columns, however many of them the detector names.
  if (
    database === "aviation" &&
    table.tableName === "birdstrikes" &&
    kind === "Duplicate" &&
    columns.length > 5
  )
    return "one strike, reported twice";
  const found = agreed.find(
    (entry) =>
      entry.database === database &&
      entry.table === table.tableName &&
      entry.kinds.includes(kind) &&
      columns.every((column) => entry.columns.includes(column)),
  );
  return found?.why ?? null;
}

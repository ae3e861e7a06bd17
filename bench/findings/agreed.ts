import type { Candidate } from "../../server/findings/candidate.ts";
import type { FindingKind } from "../../server/findings/kinds.ts";

/** A fault in the original public data. A finding of it is not a false alarm. */
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
  ]),
  ...inDatabase("hotel", [
    ["stays", ["Impossible"], ["booked_at", "canceled_at"], "canceled before it was booked"],
  ]),
  ...inDatabase("league", [
    ["matches", missing, ["home_goals_half", "away_goals_half"], "a match without its score"],
  ]),
  ...inDatabase("civic", [["deaths", missing, ["age"], "everybody has an age"]]),
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

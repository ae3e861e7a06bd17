import type { CheckKind } from "./check.ts";

/** The words that the built-in planner understands, and how it says which they are. */

export const kindWords: Record<CheckKind, RegExp> = {
  Freshness:
    /\b(fresh(ness)?|stale(ness)?|up[- ]to[- ]date|out ?dated|timel(y|iness)|late data|recency|recent|delayed data)\b/,
  Volume:
    /\b(volumes?|row ?counts?|number of rows|how many rows|(fewer|too few|lost) rows|table sizes?|truncat\w+)\b/,
  MissingValues:
    /\b(missing( values?)?|nulls?|not[- ]null|null(able)? (values?|rates?)|empty (values?|fields?|cells?)|blanks?|incomplete(ness)?|completeness)\b/,
  Duplicates: /\b(duplicat\w*|uniqu\w*|twice(?! (a|per|each|daily)\b)|doubled?|doubles|dedup\w*)\b/,
  Orphans:
    /\b(orphan\w*|referential|integrity|foreign keys?|references?|dangling|broken (links?|references?))\b/,
};

/** What kinds are called in texts. */
export const kindNames: Record<CheckKind, string> = {
  Freshness: "freshness",
  Volume: "volume",
  MissingValues: "missing values",
  Duplicates: "duplicates",
  Orphans: "orphans",
};

/** Phrases whose small words say something else than they do alone, in one word each. */
const phrases: readonly [RegExp, string][] = [
  [/\b(no|not any|without) (new|fresh|recent) (rows?|data|records?|entries)\b/g, "staleness"],
  [
    /\b(rows?|data|records?|feed|load|it)? ?(stops?|stopped|ceases?|not|never|no longer) (arriv\w+|com(es?|ing)|flow\w*|updat\w+|load\w*)\b/g,
    " staleness",
  ],
  [/\bnot[- ]null\b/g, "nulls"],
  [/\bnot (be )?(unique|null|missing|empty|duplicated?)\b/g, "$2"],
];

export const withPlainPhrases = (text: string) =>
  phrases.reduce((changed, [pattern, word]) => changed.replace(pattern, word), text);

/** Said where something was not understood, and in the documentation. */
export const understood = [
  "the kinds of checks by name: freshness (stale, up to date, no new rows), volume (row count, fewer rows), missing values (null, completeness), duplicates (unique, twice), orphans (references, integrity, foreign keys)",
  "tables, columns and its queries by name",
  '"watch", "monitor", "check", "add" or "also" with a table, kinds, or both',
  '"only …"; and "no …", "without …", "except …", "ignore …", "skip …", "do not watch …"',
  '"archive", "remove", "delete", "drop" or "stop" with a query, a table, kinds, or "everything"; "keep …" in a plan',
  '"hourly", "daily", "nightly", "weekly", "monthly", "weekdays", the days of the week, "every 15 minutes", "every 6 hours", "twice a day", "at 7:00", "at 7 pm", "noon", "midnight", for all or for what is named; time zones as in "Europe/Berlin"',
] as const;

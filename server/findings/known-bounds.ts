import type { ObservedColumn } from "../profile/observed-column.ts";
import { wordsOf } from "./names.ts";
import type { Spread } from "./outliers.ts";

type Bounds = { min: number; max: number };

const yearMs = 365.25 * 24 * 3_600_000;

const latitudes = ["latitude", "lat", "breitengrad", "latitud", "latitudine"];
const longitudes = ["longitude", "lng", "lon", "längengrad", "laengengrad", "longitud", "longitudine"];

/** Whether it tells where on Earth something is, in degrees. */
export const isNamedLikeCoordinate = (name: string): boolean =>
  [...latitudes, ...longitudes].includes(wordsOf(name).at(-1) ?? "");

const heights = [
  ...[
    "altitude",
    "elevation",
    "elev",
    "höhenlage",
    "meereshöhe",
    "seehöhe",
    "altitud",
    "elevación",
    "elevacion",
  ],
  ...["altitudine", "elevazione", "élévation", "elevação", "hoogteligging"],
];
/** The shore of the Dead Sea, which nothing on land is below, in feet and so in meters as well. */
const lowestLand = -1500;

/** Whether it is a height above the sea, in words that mean no other, and no lower than land is anywhere. */
export const isLandBelowSea = (name: string, height: number): boolean =>
  height < 0 && height >= lowestLand && wordsOf(name).some((word) => heights.includes(word));

/** What a quantity can be, by the words that name it. */
const known: readonly (Bounds & { words: readonly string[] })[] = [
  { words: latitudes, min: -90, max: 90 },
  { words: longitudes, min: -180, max: 180 },
  {
    words: ["percent", "percentage", "pct", "prozent", "porcentaje", "pourcentage", "percentuale"],
    min: 0,
    max: 100,
  },
  { words: ["age", "alter", "edad", "âge", "età", "idade", "leeftijd"], min: 0, max: 120 },
  { words: ["month"], min: 0, max: 12 },
  { words: ["weekday"], min: 0, max: 7 },
  { words: ["hour"], min: 0, max: 24 },
  { words: ["humidity"], min: 0, max: 100 },
  {
    words: [
      "price",
      "rate",
      "quantity",
      "units",
      "stock",
      "seats",
      "qty",
      "weight",
      "height",
      "width",
      "length",
      "distance",
      "duration",
      "area",
      "population",
      "salary",
      "wage",
      ...["preis", "einzelpreis", "menge", "anzahl", "gewicht", "höhe", "hoehe", "länge", "laenge", "dauer"],
      ...["fläche", "flaeche", "gehalt", "lohn", "verbrauch", "entfernung", "einwohner"],
      ...["precio", "cantidad", "unidades", "peso", "altura", "duracion", "duración", "salario", "sueldo"],
      ...["prix", "quantité", "poids", "durée", "salaire", "prezzo", "quantità", "stipendio"],
      ...["preço", "quantidade", "prijs", "aantal", "hoeveelheid"],
    ],
    min: 0,
    max: Number.POSITIVE_INFINITY,
  },
];

/** At least so much of a column lies within what its name says, or the name means something else. */
const fits = 0.97;

/**
 * Between what the values of a column must lie by what they mean: degrees, percentages, ages, years. null where the name
 * says nothing, or where the values do not keep to it. Pure.
 */
export function boundsByName(column: ObservedColumn, spread: Spread, now: number): Bounds | null {
  const words = wordsOf(column.name);
  const found = spread.isMoment
    ? momentBounds(spread, now)
    : words.some((word) => ["year", "jahr", "año", "année", "anno", "ano", "jaar"].includes(word))
      ? { min: 1500, max: new Date(now).getUTCFullYear() + 50 }
      : known.find(({ words: [...names] }) => names.some((name) => words.at(-1) === name));
  if (!found) return null;
  let within = 0;
  for (const [at, measure] of spread.measures.entries())
    if (measure >= found.min && measure <= found.max) within += rowsAt(spread, at);
  return within >= spread.rows * fits ? { min: found.min, max: found.max } : null;
}

/** What a calendar of people holds. Where nothing lies ahead, what lies years ahead is a slip. */
function momentBounds(spread: Spread, now: number): Bounds {
  const [last = 0, ahead = 0] = [spread.measures[spread.middle], now + 3 * yearMs];
  return { min: Date.UTC(1700, 0, 1), max: last < now ? ahead : Date.UTC(2200, 0, 1) };
}

const rowsAt = ({ upTo }: Spread, at: number) => (upTo[at] ?? 0) - (at === 0 ? 0 : (upTo[at - 1] ?? 0));

import type { Random } from "../../../faults/random.ts";
import { type CorpusTable, columnsOf, type Row } from "../corpus.ts";
import { dateText, dayMs, heavyTailed, maybe, mostlyFirst, normal, weighted } from "../draw.ts";
import { daysFrom, isWorkday, poisson, season } from "./calendar.ts";

/** Recipes in versions, and what was brewed by them. */

export const now = Date.parse("2025-09-18T05:20:00Z");
const first = "2019-01-07";
export const today = Date.parse("2025-09-18");
/** The second brewhouse; before it, numbers of batches named no house. */
export const secondHouse = Date.parse("2022-04-04");
export const midnight = (moment: number): number => Math.floor(moment / dayMs) * dayMs;

export function nextWorkday(moment: number): number {
  let day = midnight(moment);
  while (!isWorkday(day)) day += dayMs;
  return day;
}

type Style = {
  name: string;
  isLager: boolean;
  plato: number;
  /** The share of the extract that ferments. */
  fermented: number;
  ibu: number | null;
  ebc: number;
  yeast: string;
};

const styles: Style[] = [
  { name: "Pils", isLager: true, plato: 11.6, fermented: 0.81, ibu: 34, ebc: 6, yeast: "W-34/70" },
  { name: "Helles", isLager: true, plato: 11.8, fermented: 0.79, ibu: 19, ebc: 8, yeast: "W-34/70" },
  { name: "Hefeweizen", isLager: false, plato: 12.4, fermented: 0.77, ibu: 13, ebc: 12, yeast: "W-68" },
  { name: "Dunkel", isLager: true, plato: 12.7, fermented: 0.75, ibu: 22, ebc: 45, yeast: "W-34/70" },
  { name: "Pale Ale", isLager: false, plato: 12.8, fermented: 0.8, ibu: 38, ebc: 14, yeast: "US-05" },
  { name: "IPA", isLager: false, plato: 16.2, fermented: 0.81, ibu: 62, ebc: 16, yeast: "US-05" },
  { name: "Bock", isLager: true, plato: 16.6, fermented: 0.74, ibu: 25, ebc: 30, yeast: "W-34/70" },
  { name: "Alkoholfrei", isLager: true, plato: 7.1, fermented: 0.1, ibu: 18, ebc: 7, yeast: "LA-01" },
  // No hops are added to it: no bitterness is declared.
  { name: "Gose", isLager: false, plato: 10.8, fermented: 0.8, ibu: null, ebc: 9, yeast: "Lacto/US-05" },
  { name: "Barley Wine", isLager: false, plato: 24.5, fermented: 0.72, ibu: 70, ebc: 50, yeast: "US-05" },
];

const brands = ["Mühlbach", "St. Veit", "Torwart", "Urban", "Kellergeist", "Nr. 7"];
type Beer = { name: string; style: Style; share: number; launched: number; ended: number | null };

type Recipe = {
  id: number;
  beer: Beer;
  version: number;
  parent: number | null;
  og: number;
  from: number;
  until: number | null;
};

/** Near the same beer is sold twice: with its yeast and without. */
function beersOf(random: Random): Beer[] {
  const beers: Beer[] = [];
  for (const brand of brands)
    for (const style of styles) {
      const isCore = beers.length < 5;
      if (!isCore && random.chance(0.33)) continue;
      const share = isCore ? 9 : heavyTailed(random, 1, 0.7);
      const launched = isCore ? Date.parse("2016-03-01") : Date.parse("2017-01-01");
      const begins = launched + (isCore ? 0 : random.between(0, 2500) * dayMs);
      const ended = !isCore && random.chance(0.3) ? begins + random.between(400, 1500) * dayMs : null;
      beers.push({
        name: `${brand} ${style.name}`,
        style,
        share,
        launched: begins,
        ended: ended !== null && ended < today ? ended : null,
      });
      if (isCore || random.chance(0.1))
        beers.push({
          name: `${brand} ${style.name} naturtrüb`,
          style,
          share: share / 3,
          launched: begins + 200 * dayMs,
          ended: null,
        });
    }
  return beers;
}

/** The next version begins the day after the one before ended. */
export function recipesOf(random: Random): Recipe[] {
  const recipes: Recipe[] = [];
  const firsts = new Map<string, number>();
  let id = 100;
  for (const beer of beersOf(random)) {
    let from = beer.launched;
    const last = beer.ended ?? today;
    for (let version = 1, parent = firsts.get(beer.name.replace(" naturtrüb", "")) ?? null; ; version++) {
      id += random.chance(0.9) ? 1 : random.between(2, 6);
      const ends = from + Math.round(heavyTailed(random, 370, 0.5)) * dayMs;
      const isLast = ends >= last - 60 * dayMs;
      const og = Math.round((beer.style.plato + normal(random) * 0.15) * 10) / 10;
      recipes.push({ id, beer, version, parent, og, from, until: isLast ? beer.ended : ends });
      if (version === 1) firsts.set(beer.name, id);
      if (isLast) break;
      parent = id;
      from = ends + dayMs;
    }
  }
  return recipes.sort((a, b) => a.id - b.id);
}

const isFree = ({ style }: Beer): boolean => style.name === "Alkoholfrei";
/** By volume, from the extract before and after. */
const alcohol = (og: number, fg: number): number => Math.round((og - fg) * 5.2) / 10;

export function recipeTable(random: Random, recipes: readonly Recipe[]): CorpusTable {
  const rows = recipes.map((recipe): Row => {
    const { style, name } = recipe.beer;
    const isOld = recipe.from < Date.parse("2020-07-01");
    return [
      String(recipe.id),
      name,
      style.name,
      String(recipe.version),
      recipe.parent === null ? null : String(recipe.parent),
      recipe.og.toFixed(1),
      isFree(recipe.beer) ? "0.4" : alcohol(recipe.og, recipe.og * (1 - style.fermented)).toFixed(1),
      style.ibu === null ? null : String(style.ibu + random.between(-2, 2)),
      String(style.ebc + random.between(-1, 1)),
      style.yeast,
      String(style.name === "IPA" ? random.between(6, 12) * 50 : style.name === "Pale Ale" ? 200 : 0),
      dateText(recipe.from),
      recipe.until === null ? null : dateText(recipe.until),
      isOld ? `R${String(recipe.id).padStart(4, "0")}/${recipe.version}` : null,
      maybe(random, 0.12, () =>
        random.pick([
          "Hallertauer Tradition statt Perle (Ernte knapp)",
          "less caramel malt, see tasting 4/3",
          "neuer Lieferant Pilsner Malz",
          "Maischarbeit verkürzt: 62/72/78",
          "for export: 5 g/hl more PVPP",
        ]),
      ),
    ];
  });
  const columns = columnsOf({
    recipe_id: "integer key",
    beer: "text",
    style: "text",
    version: "integer",
    derived_from: "integer references recipes.recipe_id",
    og_target: "decimal",
    abv_label: "decimal",
    ibu: "integer",
    colour_ebc: "integer",
    yeast: "text",
    dry_hops_g_hl: "integer",
    valid_from: "date",
    valid_to: "date",
    brewhouse_code: "text",
    remark: "text",
  });
  return { name: "recipes", columns, rows };
}

export type Batch = {
  no: string;
  house: "A" | "B";
  recipe: Recipe;
  planned: number;
  brewed: number | null;
  volume: number;
  og: number;
  fg: number;
  /** When it left the fermenter, and when it was filled; both may lie ahead. */
  moved: number;
  filled: number;
  status: "planned" | "cancelled" | "fermenting" | "lagering" | "packaged" | "blended" | "dumped";
  /** What came from others. */
  added: number;
  blendedInto: Batch | null;
  packaged: number | null;
};

export function batchesOf(random: Random, recipes: readonly Recipe[]): Batch[] {
  const batches: Batch[] = [];
  const counts = new Map<string, number>();
  for (const day of daysFrom(first, today + 16 * dayMs).filter(isWorkday))
    for (const house of day < secondHouse ? (["A"] as const) : (["A", "B"] as const)) {
      const usual = (house === "A" ? 0.72 : 0.48) * season(day - 45 * dayMs, -0.3);
      const valid = recipes.filter(({ from, until }) => from <= day && (until === null || until >= day));
      for (let count = poisson(random, usual); count > 0; count--) {
        const year = dateText(day).slice(2, 4);
        const series = day < secondHouse ? `${year}-` : `${house}${year}-`;
        const number = (counts.get(series) ?? 0) + 1;
        counts.set(series, number);
        const recipe = byShare(random, valid);
        const no = `${series}${String(number).padStart(4, "0")}`;
        batches.push(batchOf(random, { no, house, recipe, planned: day }));
      }
    }
  blend(random, batches);
  for (const batch of batches)
    if (batch.status === "packaged")
      batch.packaged = Math.round((batch.volume + batch.added) * (0.985 - random.next() * 0.07) * 10) / 10;
  return batches;
}

function byShare(random: Random, recipes: readonly Recipe[]): Recipe {
  const all = recipes.reduce((sum, { beer }) => sum + beer.share, 0);
  let rest = random.next() * all;
  for (const recipe of recipes) {
    rest -= recipe.beer.share;
    if (rest < 0) return recipe;
  }
  return recipes.at(-1) as Recipe;
}

function batchOf(random: Random, start: Pick<Batch, "no" | "house" | "recipe" | "planned">): Batch {
  const { recipe, planned, house } = start;
  const { isLager, fermented } = recipe.beer.style;
  const isCancelled = random.chance(0.01);
  const isBrewed = planned < today && !isCancelled;
  const og = Math.round((recipe.og + normal(random) * 0.12) * 10) / 10;
  const fg = isFree(recipe.beer)
    ? og - random.pick([0, 0.5, 0.6, 0.7])
    : og * (1 - fermented + normal(random) * 0.012);
  const moved = planned + (isLager ? random.between(7, 10) : random.between(4, 7)) * dayMs;
  const rests = isLager ? random.between(18, 40) : random.between(6, 16);
  const filled = nextWorkday(moved + rests * (recipe.og > 20 ? 5 : 1) * dayMs);
  const isDumped = random.chance(0.008) && moved < today;
  const brews = weighted(random, { 1: 30, 2: 60, 3: 10 });
  return {
    ...start,
    brewed: isBrewed ? planned : null,
    volume: Math.round(Number(brews) * (house === "A" ? 21 : 38) * (1 + normal(random) * 0.02) * 10) / 10,
    og,
    fg: Math.round(fg * 10) / 10,
    moved,
    filled,
    status: isCancelled
      ? "cancelled"
      : !isBrewed
        ? "planned"
        : isDumped
          ? "dumped"
          : filled < today
            ? "packaged"
            : moved < today
              ? "lagering"
              : "fermenting",
    added: 0,
    blendedInto: null,
    packaged: null,
  };
}

/** A small rest goes into another batch of the same recipe. */
function blend(random: Random, batches: readonly Batch[]): void {
  for (const batch of batches.filter(({ status }) => status === "packaged")) {
    if (batch.added > 0 || !random.chance(0.05)) continue;
    const into = batches.find(
      (other) =>
        other.recipe === batch.recipe &&
        other.house === batch.house &&
        other.status === "packaged" &&
        other !== batch &&
        other.planned >= batch.planned &&
        other.moved >= batch.moved &&
        other.moved <= batch.moved + 7 * dayMs,
    );
    if (!into) continue;
    into.added += batch.volume;
    batch.status = "blended";
    batch.blendedInto = into;
  }
}

export function batchTable(random: Random, batches: readonly Batch[]): CorpusTable {
  const rows = batches.map((batch): Row => {
    const isBrewed = batch.brewed !== null;
    const isFermented = isBrewed && batch.status !== "fermenting";
    const isPackaged = batch.packaged !== null;
    const loss =
      batch.status === "dumped"
        ? batch.volume
        : batch.packaged === null
          ? null
          : batch.volume + batch.added - batch.packaged;
    return [
      batch.no,
      batch.house,
      String(batch.recipe.id),
      dateText(batch.planned),
      isBrewed ? dateText(batch.planned) : null,
      isBrewed ? batch.volume.toFixed(1) : null,
      isBrewed ? batch.og.toFixed(1) : null,
      isFermented ? batch.fg.toFixed(1) : null,
      isFermented ? alcohol(batch.og, batch.fg).toFixed(1) : null,
      batch.status,
      batch.blendedInto?.no ?? null,
      isPackaged ? dateText(batch.filled) : null,
      batch.packaged?.toFixed(1) ?? null,
      loss === null ? null : loss.toFixed(1),
      isPackaged && batch.filled >= Date.parse("2020-01-01")
        ? dateText(
            batch.filled +
              (batch.recipe.og > 20 ? 1825 : batch.recipe.beer.style.isLager ? 270 : 180) * dayMs,
          )
        : null,
      mostlyFirst(random, batch.house === "A" ? ["JH", "MK", "ET", "azubi"] : ["SB", "LW", "MK"], 1.3),
      remarkOf(random, batch),
    ];
  });
  const columns = columnsOf({
    batch_no: "text key",
    house: "text",
    recipe_id: "integer references recipes.recipe_id",
    planned_for: "date",
    brewed_on: "date",
    volume_hl: "decimal",
    og_plato: "decimal",
    fg_plato: "decimal",
    abv: "decimal",
    status: "text",
    blended_into: "text references batches.batch_no",
    packaged_on: "date",
    packaged_hl: "decimal",
    loss_hl: "decimal",
    best_before: "date",
    brewer: "text",
    remark: "text",
  });
  return { name: "batches", columns, rows };
}

function remarkOf(random: Random, { status }: Batch): string | null {
  if (status === "dumped")
    return random.pick(["Diacetyl, verworfen", "infected (Pediococcus)", "Kühlung ausgefallen"]);
  if (status === "cancelled")
    return random.pick(["Malz nicht geliefert", "boiler inspection", "kein Tank frei"]);
  if (status === "planned") return null;
  return maybe(random, 0.08, () =>
    random.pick([
      "Läutern langsam",
      "Hefe 3. Führung",
      "whirlpool 10 min longer",
      "pH mit Milchsäure",
      "o.k.",
      "Besuch Zoll",
    ]),
  );
}

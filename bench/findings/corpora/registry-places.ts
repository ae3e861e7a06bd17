import type { Random } from "../../../faults/random.ts";
import { type CorpusTable, columnsOf, type Row } from "../corpus.ts";
import { dateText, dayMs, digits, heavyTailed, maybe, weighted } from "../draw.ts";
import type { Language } from "./registry-words.ts";

/** Places under their names, and the registers that were kept there. */

export const firstYear = 1742;
export const yearOf = (moment: number): number => new Date(moment).getUTCFullYear();
/** Which state a place was in says how it was called. */
type Rule = "prussia" | "russia" | "austria";

type Name = {
  id: number;
  name: string;
  language: Language;
  state: string;
  from: number | null;
  to: number | null;
};

export type Site = {
  no: number;
  rule: Rule;
  names: Name[];
  kind: string;
  parish: string;
  seat: Site | null;
  at: [number, number];
};

/** In Polish, what is new or small has the gender of its noun. */
const pairs: [string, string, "y" | "a" | "e"][] = [
  ["Lipno", "Linde", "e"],
  ["Dąbrowa", "Eichdorf", "a"],
  ["Brzeźno", "Birkenau", "e"],
  ["Kamień", "Stein", "y"],
  ["Jezioro", "Seedorf", "e"],
  ["Górka", "Bergen", "a"],
  ["Łąka", "Wiesenthal", "a"],
  ["Młyn", "Mühlhagen", "y"],
  ["Wola", "Freienwald", "a"],
  ["Wilcze", "Wolfshagen", "e"],
  ["Olszewo", "Erlengrund", "e"],
  ["Piaski", "Sandberg", "e"],
  ["Borek", "Heidchen", "y"],
  ["Ostrów", "Werder", "y"],
];

const sizes: [string, string][] = [
  ["", ""],
  ["", ""],
  ["Now", "Neu "],
  ["Star", "Alt "],
  ["Mał", "Klein "],
];

const periods: Record<Rule, [number | null, number | null, Language, string][]> = {
  prussia: [
    [null, 1792, "pl", "Rzeczpospolita"],
    [1793, 1919, "de", "Preußen"],
    [1920, 1938, "pl", "Polska"],
    [1939, 1944, "de", "Deutsches Reich"],
    [1945, null, "pl", "Polska"],
  ],
  russia: [
    [null, 1914, "pl", "Królestwo Polskie"],
    [1915, null, "pl", "Polska"],
  ],
  austria: [
    [null, 1918, "de", "Galizien"],
    [1919, null, "pl", "Polska"],
  ],
};

const corners: Record<Rule, [number, number]> = {
  prussia: [52.4, 16.9],
  russia: [52.0, 20.1],
  austria: [50.0, 20.9],
};

/** A parish has its seat and villages; some villages are called alike, and some that are gone have no place on a map. */
export function placesOf(random: Random): Site[] {
  const sites: Site[] = [];
  let id = 0;
  const nameFor = (near: readonly Site[]): [string, string] => {
    const [noun, german, ending] = random.pick(pairs);
    const [bigger, other] = random.pick(sizes);
    const polish = bigger === "" ? noun : `${bigger}${ending} ${noun}`;
    const isTaken = near.some(({ names }) => names.some(({ name }) => name === polish));
    return isTaken ? nameFor(near) : [polish, `${other}${german}`];
  };
  const site = (rule: Rule, kind: string, parish: string, seat: Site | null): Site => {
    const [polish, german] = nameFor(sites.filter((other) => other.parish === parish));
    const [north, east] = corners[rule];
    const made: Site = {
      no: 500 + sites.length,
      rule,
      kind,
      parish,
      seat,
      at: [north + random.next() * 0.9, east + random.next() * 0.9],
      names: periods[rule].map(([from, to, language, state]) => {
        id += 1;
        return {
          id,
          name: language === "de" ? german : polish,
          language,
          state,
          from,
          to,
        };
      }),
    };
    sites.push(made);
    return made;
  };
  for (const rule of ["prussia", "prussia", "russia", "austria"] as const)
    for (let count = 0; count < 6; count++) {
      const parish = parishCode(random, sites);
      const seat = site(rule, random.chance(0.25) ? "town" : "village", parish, null);
      for (let village = random.between(2, 4); village > 0; village--)
        site(rule, weighted(random, { village: 76, manor: 14, colony: 8, "lost village": 2 }), parish, seat);
    }
  return sites;
}

/** Four digits and one that checks them. */
function parishCode(random: Random, sites: readonly Site[]): string {
  for (;;) {
    const body = digits(random, 4);
    const check = [...body].reduce((sum, digit, index) => sum + Number(digit) * (index + 2), 0) % 10;
    const code = `P${body}-${check}`;
    if (sites.every(({ parish }) => parish !== code)) return code;
  }
}

export const nameIn = ({ names }: Site, year: number): Name =>
  names.find(({ to }) => to === null || year <= to) ?? (names[0] as Name);

export function placeTable(sites: readonly Site[]): CorpusTable {
  const rows = sites.flatMap((site) =>
    site.names.map((name, index): Row => {
      const isLost = site.kind === "lost village";
      return [
        String(name.id),
        String(site.no),
        name.name,
        name.language,
        site.kind,
        name.state,
        name.from === null ? null : String(name.from),
        name.to === null ? null : String(name.to),
        index === 0 ? null : String(site.names[index - 1]?.id),
        site.parish,
        site.seat ? String(site.seat.names[index]?.id) : null,
        isLost ? null : site.at[0].toFixed(4),
        isLost ? null : site.at[1].toFixed(4),
      ];
    }),
  );
  const columns = columnsOf({
    place_id: "integer key",
    site_no: "integer",
    name: "text",
    language: "text",
    kind: "text",
    state: "text",
    valid_from: "integer",
    valid_to: "integer",
    previous_id: "integer references places.place_id",
    parish_code: "text",
    seat_id: "integer references places.place_id",
    latitude: "decimal",
    longitude: "decimal",
  });
  return { name: "places", columns, rows };
}

export type Kind = "B" | "M" | "D";
export type Parish = { sites: Site[]; rule: Rule; confession: "rk" | "ev" | "civil" };

export type Register = {
  id: string;
  parish: Parish;
  kind: Kind;
  from: number;
  to: number;
  language: Language;
  folios: number;
  isCopy: boolean;
};

/** What was written when; under the tsars, in Russian. */
export function languageIn(rule: Rule, confession: Parish["confession"], year: number): Language {
  if (rule === "russia") return year < 1808 ? "la" : year < 1868 || year > 1915 ? "pl" : "ru";
  if (rule === "austria") return year < 1919 ? "la" : "pl";
  if (year >= 1939 && year <= 1944) return "de";
  return year > 1919 ? "pl" : confession === "rk" && year < 1830 ? "la" : "de";
}

/** A book ends where another language begins. */
const turns = [1808, 1830, 1868, 1916, 1919, 1920, 1939, 1945];

export function registersOf(random: Random, sites: readonly Site[]): Register[] {
  const parishes = sites
    .filter(({ seat }) => seat === null)
    .map(
      (seat, index): Parish => ({
        sites: sites.filter(({ parish }) => parish === seat.parish),
        rule: seat.rule,
        confession:
          seat.rule === "prussia" && index % 3 === 1
            ? "ev"
            : seat.rule === "prussia" && index % 6 === 2
              ? "civil"
              : "rk",
      }),
    );
  const registers: Register[] = [];
  for (const parish of parishes)
    for (const kind of ["B", "M", "D"] as const) {
      const last = { B: 1924, M: 1944, D: 1994 }[kind];
      // Registrars began in the autumn of 1874.
      let from = parish.confession === "civil" ? 1875 : firstYear + random.between(0, 40);
      while (from <= last) {
        const turn = turns.find((year) => year > from) ?? last + 1;
        const to = Math.min(from + random.between(9, 38), turn - 1, last);
        const register = {
          id: "",
          parish,
          kind,
          from,
          to,
          language: languageIn(parish.rule, parish.confession, from),
          folios: foliosOf(random, to - from + 1),
        };
        registers.push({ ...register, isCopy: false });
        // Of some, the copy for the bishop was kept, too.
        if (parish.confession === "rk" && kind === "B" && random.chance(0.25))
          registers.push({ ...register, folios: foliosOf(random, to - from + 1), isCopy: true });
        from = to + 1;
      }
    }
  for (const [index, register] of registers.entries()) register.id = `R${String(index + 1).padStart(4, "0")}`;
  return registers;
}

const foliosOf = (random: Random, years: number): number =>
  Math.max(4, Math.round(years * heavyTailed(random, 5, 0.4)));

export function registerTable(random: Random, registers: readonly Register[]): CorpusTable {
  const rows = registers.map((register): Row => {
    const { parish, kind, from, to } = register;
    const seat = parish.sites[0] as Site;
    const scanned = Date.parse("2011-04-01") + Math.floor(random.next() * 4900) * dayMs;
    return [
      register.id,
      String(nameIn(seat, from).id),
      kind,
      String(from),
      String(to),
      register.language,
      parish.confession,
      register.isCopy ? "copy" : "original",
      maybe(random, 0.62, () => `${random.pick(["0", "1", "2"])}${digits(random, 6)}`),
      `${{ prussia: "APP", russia: "APW", austria: "ANK" }[parish.rule]} ${random.between(50, 70)}/${random.between(1, 2400)}/0/${kind === "B" ? "1" : kind === "M" ? "2" : "3"}`,
      String(register.folios),
      maybe(random, 0.78, () => dateText(scanned)),
      maybe(random, 0.14, () =>
        random.pick([
          `f. ${random.between(2, Math.min(20, register.folios))} uszkodzona`,
          "Wasserschaden",
          "index at the end",
          "manca la coperta",
          "sehr blaß",
          "loose leaf at the back",
        ]),
      ),
    ];
  });
  const columns = columnsOf({
    register_id: "text key",
    seat_id: "integer references places.place_id",
    kind: "text",
    year_from: "integer",
    year_to: "integer",
    language: "text",
    confession: "text",
    copy: "text",
    film_no: "text",
    shelfmark: "text",
    folios: "integer",
    scanned_on: "date",
    note: "text",
  });
  return { name: "registers", columns, rows };
}

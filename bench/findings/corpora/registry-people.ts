import type { Random } from "../../../faults/random.ts";
import { dateText, dayMs, heavyTailed, mostlyFirst, weighted } from "../draw.ts";
import { firstYear, type Kind, type Parish, type Register, type Site, yearOf } from "./registry-places.ts";
import { given, type Surname, surnames, trades } from "./registry-words.ts";

/** Who was born, married and died, as far as registers tell. */

/** Nobody who may be alive is shown: born a hundred years ago, married eighty, dead thirty. */
const lastBirth = Date.parse("1924-12-31");
const lastWedding = Date.parse("1944-12-31");
const lastDeath = Date.parse("1994-12-31");
const dayIn = (random: Random, year: number): number => Date.UTC(year, 0, 1) + random.between(0, 364) * dayMs;

/** Whole years between two days. */
export function ageAt(born: number, at: number): number {
  const [from, to] = [dateText(born), dateText(at)];
  return yearOf(at) - yearOf(born) - (to.slice(5) < from.slice(5) ? 1 : 0);
}

export type Person = {
  given: number;
  sex: "M" | "F";
  surname: Surname;
  born: number;
  parish: Parish;
  /** The last day on which they surely lived. */
  seen: number;
  died: number | null;
  isMarried: boolean;
  birth: Birth | null;
};

type Dating = "exact" | "dual" | "month" | "about" | "before" | "between";

export type Entry = {
  id: number;
  register: Register | null;
  site: Site;
  at: number;
  recorded: number;
  no: number | null;
  dating: Dating;
};

export type Birth = Entry & {
  kind: "B";
  child: Person;
  father: Person | null;
  mother: Person;
  twin: "A" | "B" | null;
  home: Home;
  copyOf: Birth | null;
};
/** Where a family lives, by what, and its latest entry. */
type Home = { site: Site; house: number; trade: number; entry: Entry | null };

export type Wedding = Entry & { kind: "M"; groom: Person; bride: Person; status: [string, string] };
export type Death = Entry & { kind: "D"; who: Person; isStillborn: boolean; spouse: Person | null };

/** Over the years, in the order of their weddings: whoever was born in a family may be found again in another. */
export function peopleOf(random: Random, registers: readonly Register[]) {
  const births: Birth[] = [];
  const weddings: Wedding[] = [];
  const deaths: Death[] = [];
  const spouses = new Map<Person, Person>();
  const homes = new Map<Person, Home>();
  const parishes = [...new Set(registers.map(({ parish }) => parish))];
  const find = (parish: Parish, kind: Kind, at: number) =>
    registers.find(
      (each) =>
        each.parish === parish &&
        each.kind === kind &&
        !each.isCopy &&
        each.from <= yearOf(at) &&
        yearOf(at) <= each.to,
    );
  const entryOf = (parish: Parish, kind: Kind, at: number, recorded = at, site?: Site): Entry | null => {
    // Registrars number by the year of what happened, the church by that of its rite.
    const isCivil = parish.confession === "civil" && yearOf(recorded) !== yearOf(at);
    const entered = isCivil ? at : recorded;
    const register = find(parish, kind, entered);
    if (!register) return null;
    const dating = register.language === "ru" ? "dual" : random.chance(0.015) ? "month" : "exact";
    return {
      id: 0,
      register,
      site: site ?? mostlyFirst(random, parish.sites, 1.3),
      at,
      recorded: entered,
      no: null,
      dating,
    };
  };
  const stranger = (sex: "M" | "F", parish: Parish, at: number, age: number): Person => ({
    given: mostlyFirst(
      random,
      given[sex].map((_, index) => index),
      1.7,
    ),
    sex,
    surname: mostlyFirst(random, surnames, 1.3),
    born: at - Math.round(age * 365.25 + random.between(0, 300)) * dayMs,
    parish,
    seen: at,
    died: null,
    isMarried: false,
    birth: null,
  });
  const partner = (sex: "M" | "F", parish: Parish, at: number, other: Person | null): Person => {
    const known = births.filter(
      ({ child, mother }) =>
        mother !== other?.birth?.mother &&
        child.sex === sex &&
        child.parish === parish &&
        !child.isMarried &&
        child.died === null &&
        child.born < at - 20 * 365.25 * dayMs &&
        child.born > at - 36 * 365.25 * dayMs,
    );
    if (known.length > 0 && random.chance(0.45)) return random.pick(known).child;
    return stranger(sex, parish, at, 20 + Math.min(30, heavyTailed(random, sex === "M" ? 6 : 3, 0.8)));
  };
  const dates = Array.from({ length: 1350 }, () => weddingDay(random)).sort((a, b) => a - b);
  for (const at of dates) {
    const parish = random.pick(parishes);
    const entry = entryOf(parish, "M", at);
    if (!entry) continue;
    const groom = partner("M", parish, at, null);
    const bride = partner("F", parish, at, groom);
    const isAgain = (person: Person) =>
      person.birth === null && ageAt(person.born, at) > 28 && random.chance(0.4);
    weddings.push({
      ...entry,
      kind: "M",
      groom,
      bride,
      status: [isAgain(groom) ? "widower" : "bachelor", isAgain(bride) ? "widow" : "maiden"],
    });
    for (const person of [groom, bride]) Object.assign(person, { isMarried: true, seen: at });
    spouses.set(groom, bride).set(bride, groom);
    let day = at + random.between(200, 700) * dayMs;
    for (
      let left = random.between(0, 6);
      left > 0 && ageAt(bride.born, day) < 44 && day < lastBirth;
      left--
    ) {
      const isTwin = random.chance(0.015);
      const names = new Set<number>();
      for (const twin of isTwin ? (["A", "B"] as const) : [null]) {
        const child = childOf(random, groom, bride, day, names);
        addBirth(child, groom, bride, twin);
        names.add(child.given);
      }
      day += random.between(420, 1300) * dayMs;
    }
  }
  // Who is not told is the father: the child has the mother's name.
  for (let count = 0; count < 150; count++) {
    const at = dayIn(random, yearOf(weddingDay(random)));
    const mother = stranger("F", random.pick(parishes), at, random.between(18, 34));
    if (at < lastBirth) addBirth(childOf(random, mother, mother, at, new Set()), null, mother, null);
  }
  for (const { child } of births)
    if (child.died === null && random.chance(0.4)) addDeath(child, child.seen, 88);
  for (const { groom, bride } of weddings)
    for (const person of [groom, bride])
      if (person.birth === null && random.chance(0.3)) addDeath(person, person.seen, 84);
  for (let count = 0; count < 45; count++) {
    const at = dayIn(random, yearOf(weddingDay(random)));
    const parish = random.pick(parishes);
    const entry = entryOf(parish, "D", at);
    const parent = stranger(random.pick(["M", "F"]), parish, at, 0);
    if (entry)
      deaths.push({ ...entry, kind: "D", who: { ...parent, born: at }, isStillborn: true, spouse: null });
  }
  return { births, weddings, deaths };

  function addBirth(child: Person, father: Person | null, mother: Person, twin: Birth["twin"]): void {
    // Children are baptized within days; what registrars enter is not.
    const waits =
      child.parish.confession === "civil"
        ? random.between(1, 5)
        : Math.min(40, Math.round(heavyTailed(random, 2, 0.8)));
    const home = homeOf(mother, twin);
    // Twins are entered together.
    const entry =
      twin === "B"
        ? home.entry
        : entryOf(child.parish, "B", child.born, child.born + waits * dayMs, home.site);
    home.entry = entry;
    if (!entry || child.born > lastBirth) return;
    const isInferred = twin === null && child.born < Date.UTC(1915, 0) && random.chance(0.04);
    const dating = isInferred ? weighted(random, { about: 70, before: 12, between: 18 }) : entry.dating;
    const birth: Birth = {
      ...entry,
      dating,
      register: isInferred ? null : entry.register,
      kind: "B",
      child,
      father,
      mother,
      twin,
      home: { ...home },
      copyOf: null,
    };
    births.push(birth);
    child.birth = birth;
    for (const parent of [father, mother]) if (parent) parent.seen = Math.max(parent.seen, child.born);
    if (!isInferred && random.chance(child.born < Date.UTC(1880, 0) ? 0.24 : 0.13)) {
      const lived = Math.round(365 * 9 * random.next() ** 3);
      const died = entry.recorded + lived * dayMs;
      const death = entryOf(child.parish, "D", died, died + dayMs);
      if (death) deaths.push({ ...death, kind: "D", who: child, isStillborn: false, spouse: null });
      if (death) child.died = died;
    }
  }

  /** Some move between two children. */
  function homeOf(mother: Person, twin: Birth["twin"]): Home {
    const before = homes.get(mother);
    if (before && (twin === "B" || random.chance(0.88))) return before;
    const home: Home = {
      site: mostlyFirst(random, mother.parish.sites, 1.3),
      house: Math.round(heavyTailed(random, 18, 0.7)) + 1,
      trade: Math.floor(trades.length * random.next() ** 2),
      entry: null,
    };
    homes.set(mother, home);
    return home;
  }

  function addDeath(who: Person, seen: number, most: number): void {
    const oldest = who.born + (most + 10 * random.next()) * 365.25 * dayMs;
    const from = Math.max(seen, who.born + 14 * 365.25 * dayMs) + 5 * dayMs;
    const at = Math.floor((from + (oldest - from) * (1 - random.next() ** 1.6)) / dayMs) * dayMs;
    const entry =
      at > from && at < lastDeath - 3 * dayMs
        ? entryOf(who.parish, "D", at, at + random.between(1, 3) * dayMs)
        : null;
    if (!entry || (who.birth && who.birth.register === null)) return;
    deaths.push({ ...entry, kind: "D", who, isStillborn: false, spouse: spouses.get(who) ?? null });
    who.died = at;
  }
}

/** In the country, before Lent and after the harvest; and more from decade to decade. */
function weddingDay(random: Random): number {
  const year = firstYear + Math.floor((yearOf(lastWedding) - firstYear + 1) * random.next() ** 0.75);
  const month = random.pick([0, 1, 1, 1, 3, 4, 5, 8, 9, 9, 10, 10, 10]);
  return Date.UTC(year, month, random.between(1, 28));
}

function childOf(
  random: Random,
  father: Person,
  mother: Person,
  day: number,
  not: ReadonlySet<number>,
): Person {
  const sex = random.chance(0.512) ? "M" : "F";
  const names = given[sex].map((_, index) => index).filter((index) => !not.has(index));
  const { parish, surname } = father;
  return {
    given: mostlyFirst(random, names, 1.6),
    sex,
    surname,
    born: day,
    parish: mother.parish ?? parish,
    seen: day,
    died: null,
    isMarried: false,
    birth: null,
  };
}

/** What both copies of a register have was entered from both, and merged then. */
export function birthsOf(random: Random, births: readonly Birth[], registers: readonly Register[]): Birth[] {
  const copies = births.flatMap((birth): Birth[] => {
    const { register } = birth;
    const other = registers.find(
      (each) =>
        each.isCopy && each.parish === register?.parish && each.from === register.from && each.kind === "B",
    );
    return other && register && random.chance(0.06) ? [{ ...birth, register: other, copyOf: birth }] : [];
  });
  return [...births, ...copies];
}

/** Entries have numbers in each year since the end of the 18th century; of those between, nobody made an index. */
export function numbered<T extends Entry & { twin?: Birth["twin"] }>(
  random: Random,
  entries: readonly T[],
): T[] {
  const sorted = entries.toSorted((a, b) => a.recorded - b.recorded || a.at - b.at);
  const counts = new Map<string, number>();
  for (const [index, entry] of sorted.entries()) {
    entry.id = 10_001 + index;
    const year = yearOf(entry.recorded);
    if (!entry.register || year < 1794) continue;
    const key = `${entry.register.id} ${year}`;
    entry.no = (counts.get(key) ?? 0) + (entry.twin === "B" ? 1 : random.between(1, 14));
    counts.set(key, entry.no);
  }
  return sorted;
}

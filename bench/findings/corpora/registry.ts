import { Random } from "../../../faults/random.ts";
import { type CorpusDatabase, type CorpusTable, columnsOf, type Row } from "../corpus.ts";
import { dateText, dayMs, heavyTailed, maybe, mostlyFirst, weighted } from "../draw.ts";
import {
  ageAt,
  type Birth,
  birthsOf,
  type Death,
  type Entry,
  numbered,
  type Person,
  peopleOf,
  type Wedding,
} from "./registry-people.ts";
import { nameIn, placesOf, placeTable, registersOf, registerTable, yearOf } from "./registry-places.ts";
import { ageText, givenText, languageOf, now, surnameText, transcriptionTable } from "./registry-texts.ts";
import { given, type Language, languages, surnames, trades, written } from "./registry-words.ts";

/**
 * A society's index of parish registers: places whose names changed with the border, entries in four languages, days
 * of two calendars, years that are only about right, children named after one who died, parents who are not told,
 * ages of zero, and a second copy of a register whose entries were merged.
 */
export function registry(seed: number): CorpusDatabase {
  const random = new Random(seed * 163 + 127);
  const places = placesOf(random);
  const registers = registersOf(random, places);
  const people = peopleOf(random, registers);
  const births = numbered(random, birthsOf(random, people.births, registers));
  const weddings = numbered(random, people.weddings);
  const deaths = numbered(random, people.deaths);
  const records = [...births, ...weddings, ...deaths];
  return {
    name: "registry",
    now,
    tables: [
      placeTable(places),
      registerTable(random, registers),
      birthTable(random, births),
      marriageTable(random, weddings),
      deathTable(random, deaths),
      witnessTable(random, births, weddings),
      transcriptionTable(random, records),
    ],
  };
}

const months = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"];

const dayText = (moment: number): string =>
  `${new Date(moment).getUTCDate()} ${months[new Date(moment).getUTCMonth()]}`;

/** The date as a calendar has it, as it is written, how sure it is, and the years that it may be. */
function datingOf(random: Random, { at, dating }: Entry): Row {
  const year = yearOf(at);
  const whole = (text: string, spread = 0): Row => [
    null,
    text,
    dating,
    String(year - spread),
    String(year + spread),
  ];
  if (dating === "month") return whole(`${months[new Date(at).getUTCMonth()]} ${year}`);
  if (dating === "about") return whole(`abt ${year}`, 2);
  if (dating === "before") return [null, `bef ${year}`, dating, null, String(year)];
  if (dating === "between") {
    const spread = random.between(1, 3);
    return whole(`bet ${year - spread} and ${year + spread}`, spread);
  }
  const both = [dateText(at), dating === "dual" ? dualText(at) : `${dayText(at)} ${year}`];
  return [...both, dating, String(year), String(year)];
}

/** `3/15 Feb 1871`, and `28 Dec 1870/9 Jan 1871` where month and year differ. */
function dualText(at: number): string {
  const julian = at - (at < Date.UTC(1900, 2, 13) ? 12 : 13) * dayMs;
  const [old, late] = [new Date(julian), new Date(at)];
  if (old.getUTCFullYear() !== late.getUTCFullYear())
    return `${dayText(julian)} ${old.getUTCFullYear()}/${dayText(at)} ${late.getUTCFullYear()}`;
  if (old.getUTCMonth() !== late.getUTCMonth())
    return `${dayText(julian)}/${dayText(at)} ${late.getUTCFullYear()}`;
  return `${old.getUTCDate()}/${dayText(at)} ${late.getUTCFullYear()}`;
}

const dateColumns = (name: string) => ({
  [name]: "date",
  date_text: "text",
  dating: "text",
  year_from: "integer",
  year_to: "integer",
});

const placeId = ({ site, at }: Entry): string => String(nameIn(site, yearOf(at)).id);

/** A book is filled from its first leaf to its last; each has a back. */
function folio({ register, recorded }: Entry): string | null {
  if (!register) return null;
  const [from, to] = [Date.UTC(register.from, 0), Date.UTC(register.to + 1, 0)];
  const side = Math.floor(((recorded - from) / (to - from)) * register.folios * 2);
  return `${Math.floor(side / 2) + 1}${side % 2 === 0 ? "" : "v"}`;
}

const trade = (random: Random, language: Language): string =>
  mostlyFirst(random, trades, 2)[languages.indexOf(language)] ?? "";

/** Only the long records of the kingdom tell how old everybody is. */
const tellsAges = (entry: Entry): boolean => entry.site.rule === "russia" && yearOf(entry.recorded) >= 1808;

function birthTable(random: Random, births: readonly Birth[]): CorpusTable {
  const ages = (entry: Birth, person: Person | null) =>
    person && tellsAges(entry) && entry.register ? String(ageAt(person.born, entry.at)) : null;
  const rows = births.map((birth): Row => {
    const { child, father, mother, register } = birth;
    const language = languageOf(birth);
    const isBaptized = register !== null && register.parish.confession !== "civil";
    return [
      String(birth.id),
      register?.id ?? null,
      birth.no === null ? null : String(birth.no),
      folio(birth),
      givenText(child, language),
      surnameText(child, language),
      child.surname.standard,
      child.sex,
      ...datingOf(random, birth),
      isBaptized ? dateText(birth.recorded) : null,
      placeId(birth),
      yearOf(birth.at) > 1785 && birth.site.kind === "village" ? String(birth.home.house) : null,
      father ? givenText(father, language) : null,
      father ? ages(birth, father) : null,
      father ? (trades[birth.home.trade]?.[languages.indexOf(language)] ?? null) : null,
      givenText(mother, language),
      surnameText(mother, language),
      ages(birth, mother),
      father ? "1" : "0",
      birth.twin,
      register ? null : random.pick(["age at marriage", "age at death", "children's records"]),
      birth.copyOf ? String(birth.copyOf.id) : null,
      register ? remarkOf(random, birth) : null,
    ];
  });
  const columns = columnsOf({
    birth_id: "integer key",
    register_id: "text in registers.register_id",
    entry_no: "integer",
    folio: "text",
    given_names: "text",
    surname: "text",
    surname_std: "text",
    sex: "text",
    ...dateColumns("born_on"),
    baptized_on: "date",
    place_id: "integer references places.place_id",
    house_no: "text",
    father_given: "text",
    father_age: "integer",
    father_occupation: "text",
    mother_given: "text",
    mother_maiden: "text",
    mother_age: "integer",
    legitimate: "integer",
    twin: "text",
    inferred_from: "text",
    merged_into: "integer references births.birth_id",
    remark: "text",
  });
  return { name: "births", columns, rows };
}

const remarkOf = (random: Random, { father, child }: Birth): string | null =>
  father
    ? maybe(random, 0.07, () =>
        random.pick([
          "ojciec nieobecny, w wojsku",
          "Nottaufe durch die Hebamme",
          "baptizatus domi ex periculo",
          "имя исправлено",
          "margin: emigrated",
          child.died === null ? "ink blot over the day" : "obiit",
        ]),
      )
    : maybe(random, 0.3, () =>
        random.pick(["illegitimus", "pater ignotus", "Vater nicht angegeben", "ojciec niewiadomy"]),
      );

function marriageTable(random: Random, weddings: readonly Wedding[]): CorpusTable {
  const linked = ({ birth }: Person) => (birth ? String(birth.id) : null);
  const rows = weddings.map((wedding): Row => {
    const { groom, bride, status, register } = wedding;
    const language = languageOf(wedding);
    const hasAges = tellsAges(wedding) || yearOf(wedding.at) > 1840;
    return [
      String(wedding.id),
      register?.id ?? null,
      wedding.no === null ? null : String(wedding.no),
      ...datingOf(random, wedding),
      placeId(wedding),
      givenText(groom, language),
      surnameText(groom, language),
      hasAges ? String(ageAt(groom.born, wedding.at)) : null,
      status[0],
      maybe(random, 0.8, () => trade(random, language)),
      linked(groom),
      givenText(bride, language),
      surnameText(bride, language),
      hasAges ? String(ageAt(bride.born, wedding.at)) : null,
      status[1],
      linked(bride),
      // Banns are called three times, if nobody is freed from it.
      register?.parish.confession === "civil" ? null : weighted(random, { "3": 88, "2": 6, "1": 3, "0": 3 }),
      yearOf(wedding.at) < 1800 ? null : weighted(random, { marks: 60, groom: 22, both: 18 }),
    ];
  });
  const columns = columnsOf({
    marriage_id: "integer key",
    register_id: "text in registers.register_id",
    entry_no: "integer",
    ...dateColumns("married_on"),
    place_id: "integer references places.place_id",
    groom_given: "text",
    groom_surname: "text",
    groom_age: "integer",
    groom_status: "text",
    groom_occupation: "text",
    groom_birth_id: "integer references births.birth_id",
    bride_given: "text",
    bride_surname: "text",
    bride_age: "integer",
    bride_status: "text",
    bride_birth_id: "integer references births.birth_id",
    banns: "integer",
    signed: "text",
  });
  return { name: "marriages", columns, rows };
}

const causes: Record<Language, string[]> = {
  la: ["phthisis", "febris", "variola", "senectus", "hydrops", "ordinaria", "cholera"],
  de: ["Auszehrung", "Altersschwäche", "Krämpfe", "Nervenfieber", "Cholera", "unbekannt", "ertrunken"],
  pl: ["suchoty", "starość", "ospa", "koklusz", "gruźlica", "uwiąd starczy", "zapalenie płuc"],
  ru: ["чахотка", "старость", "скарлатина", "тиф"],
};

function deathTable(random: Random, deaths: readonly Death[]): CorpusTable {
  const rows = deaths.map((death): Row => {
    const { who, spouse, isStillborn, register } = death;
    const language = languageOf(death);
    const isInfant = death.at - who.born < 730 * dayMs;
    const widowed = spouse !== null && spouse.died !== null && spouse.died < death.at;
    const isKnown = isStillborn || who.birth !== null || isInfant || random.chance(0.85);
    return [
      String(death.id),
      register?.id ?? null,
      death.no === null ? null : String(death.no),
      isStillborn ? null : givenText(who, language),
      surnameText(who, language),
      who.surname.standard,
      who.sex,
      ...datingOf(random, death),
      register?.parish.confession === "civil"
        ? null
        : dateText(death.recorded + (death.recorded === death.at ? dayMs : 0)),
      placeId(death),
      isKnown ? String(ageAt(who.born, death.at)) : null,
      isKnown ? ageText(death, language) : null,
      spouse ? (widowed ? "widowed" : "married") : ageAt(who.born, death.at) < 16 ? null : "single",
      spouse ? givenText(spouse, language) : null,
      yearOf(death.at) < 1785
        ? null
        : maybe(random, language === "pl" ? 0.35 : 0.7, () =>
            mostlyFirst(
              random,
              causes[language].filter(
                (cause) => ageAt(who.born, death.at) > 60 || !/sene|Alter|star|стар/.test(cause),
              ),
              1.3,
            ),
          ),
      who.birth ? String(who.birth.id) : null,
    ];
  });
  const columns = columnsOf({
    death_id: "integer key",
    register_id: "text in registers.register_id",
    entry_no: "integer",
    given_names: "text",
    surname: "text",
    surname_std: "text",
    sex: "text",
    ...dateColumns("died_on"),
    buried_on: "date",
    place_id: "integer references places.place_id",
    age_years: "integer",
    age_text: "text",
    marital_status: "text",
    spouse_given: "text",
    cause: "text",
    birth_id: "integer in births.birth_id",
  });
  return { name: "deaths", columns, rows };
}

/** Godparents stand at one font after the other: the same people come again. */
function witnessTable(random: Random, births: readonly Birth[], weddings: readonly Wedding[]): CorpusTable {
  const rows: Row[] = [];
  const add = (entry: Entry, type: string, roles: ["M" | "F", string][]) => {
    const language = languageOf(entry);
    for (const [index, [sex, role]] of roles.entries()) {
      const name = mostlyFirst(random, given[sex], 1.4)[languages.indexOf(language)] ?? "";
      const site = mostlyFirst(random, entry.register?.parish.sites ?? [entry.site], 1.2);
      rows.push([
        String(rows.length + 1),
        type,
        String(entry.id),
        String(index + 1),
        role,
        name,
        written(mostlyFirst(random, surnames, 1.3), sex, language),
        tellsAges(entry) ? String(Math.round(21 + Math.min(50, heavyTailed(random, 14, 0.6)))) : null,
        sex === "M" ? maybe(random, 0.6, () => trade(random, language)) : null,
        maybe(random, 0.5, () => String(nameIn(site, yearOf(entry.at)).id)),
        yearOf(entry.at) < 1800 ? null : random.chance(0.35) ? "true" : "false",
      ]);
    }
  };
  for (const birth of births)
    if (birth.register && birth.register.parish.confession !== "civil" && random.chance(0.55))
      add(
        birth,
        "B",
        random.chance(0.06)
          ? [
              ["M", "godparent"],
              ["F", "godparent"],
              ["M", "godparent"],
              ["F", "godparent"],
            ]
          : [
              ["M", "godparent"],
              ["F", "godparent"],
            ],
      );
  for (const wedding of weddings)
    add(
      wedding,
      "M",
      random.chance(0.1)
        ? [
            ["M", "witness"],
            ["M", "witness"],
            ["M", "witness"],
          ]
        : [
            ["M", "witness"],
            ["M", "witness"],
          ],
    );
  const columns = columnsOf({
    witness_id: "integer key",
    record_type: "text",
    record_id: "integer",
    position: "integer",
    role: "text",
    given_names: "text",
    surname: "text",
    age: "integer",
    occupation: "text",
    residence_id: "integer in places.place_id",
    can_sign: "other",
  });
  return { name: "witnesses", columns, rows };
}

import type { Random } from "../../../faults/random.ts";
import { type CorpusTable, columnsOf, type Row } from "../corpus.ts";
import { dayMs, mostlyFirst, normal, timeText, weighted } from "../draw.ts";
import { ageAt, type Birth, type Death, type Entry, type Person, type Wedding } from "./registry-people.ts";
import { languageIn, nameIn, yearOf } from "./registry-places.ts";
import { given, type Language, languages, written } from "./registry-words.ts";

export const now = Date.parse("2025-02-20T09:00:00Z");
/** From one to five before, in percent since then. */
const newConfidence = Date.parse("2018-06-01");
const machinesFrom = Date.parse("2021-03-01");

export const languageOf = ({ register, site, at }: Entry): Language =>
  register?.language ?? languageIn(site.rule, "rk", yearOf(at));

export const givenText = (person: Person, language: Language): string =>
  given[person.sex][person.given]?.[languages.indexOf(language)] ?? "";

export const surnameText = (person: Person, language: Language): string =>
  written(person.surname, person.sex, language);

/** Less than a month is told in days, less than two years in months. */
export function ageText({ who, at, isStillborn }: Death, language: Language): string {
  const [d, m, y] = {
    la: ["dierum", "mensium", "annorum"],
    de: ["Tage", "Monate", "Jahre"],
    pl: ["dni", "mies.", "lat"],
    ru: ["дней", "мес.", "лет"],
  }[language];
  if (isStillborn)
    return { la: "mortuus natus", de: "totgeboren", pl: "martwo urodz.", ru: "мертворожд." }[language];
  const days = Math.round((at - who.born) / dayMs);
  return days < 30
    ? `${days} ${d}`
    : days < 730
      ? `${Math.max(1, Math.floor(days / 30.44))} ${m}`
      : `${ageAt(who.born, at)} ${y}`;
}

type Indexed = Birth | Wedding | Death;

export function transcriptionTable(random: Random, records: readonly Indexed[]): CorpusTable {
  type Transcription = {
    id: number;
    record: Indexed;
    version: number;
    at: number;
    by: string;
    isMachine: boolean;
    status: string;
    text: string;
    before: Transcription | null;
  };
  const all: Transcription[] = [];
  const start = Date.parse("2009-10-01");
  for (const record of records) {
    if (!record.register || !random.chance(0.55)) continue;
    // Most is done on winter evenings.
    const day = start + Math.floor(random.next() ** 0.7 * 5500) * dayMs;
    const isWinter = [0, 1, 2, 9, 10, 11].includes(new Date(day).getUTCMonth());
    let at =
      day +
      (isWinter ? 0 : weighted(random, { 0: 40, 150: 60 }) === "150" ? 150 * dayMs : 0) +
      random.between(16 * 60, 23 * 60) * 60_000;
    let before: Transcription | null = null;
    for (let version = 1; at < now; version++) {
      const isMachine =
        version === 1 && at >= machinesFrom && record.register.language !== "ru" && random.chance(0.4);
      const isLast = !isMachine && random.chance(0.88);
      const by = isMachine ? "htr-model-3" : mostlyFirst(random, volunteers, 1.5);
      const made: Transcription = {
        id: 0,
        record,
        version,
        at,
        by,
        isMachine,
        status: isMachine ? "draft" : weighted(random, { accepted: 82, reviewed: 14, draft: 4 }),
        text: textOf(random, record),
        before,
      };
      if (before) before.status = "superseded";
      all.push(made);
      if (isLast) break;
      before = made;
      at += random.between(2, 500) * dayMs + random.between(0, 600) * 60_000;
    }
  }
  all.sort((a, b) => a.at - b.at);
  for (const [index, each] of all.entries()) each.id = 30_001 + index;
  const rows = all.map(({ id, record, version, at, by, isMachine, status, text, before }): Row => {
    const sure = Math.min(0.99, Math.max(0.2, (isMachine ? 0.7 : 0.9) + normal(random) * 0.1));
    const isReviewed = status === "accepted" || status === "reviewed";
    const language = languageOf(record);
    return [
      String(id),
      record.kind,
      String(record.id),
      String(version),
      language,
      language === "ru" ? "cyrillic" : language === "de" ? "kurrent" : "latin",
      text,
      by,
      timeText(at),
      String(at < newConfidence ? Math.ceil(sure * 5) : Math.round(sure * 100)),
      status,
      isReviewed ? random.pick(volunteers.slice(0, 4).filter((name) => name !== by)) : null,
      before ? String(before.id) : null,
    ];
  });
  const columns = columnsOf({
    transcription_id: "integer key",
    record_type: "text",
    record_id: "integer",
    version: "integer",
    language: "text",
    script: "text",
    text: "text",
    transcribed_by: "text",
    transcribed_at: "time",
    confidence: "integer",
    status: "text",
    reviewed_by: "text",
    replaces_id: "integer references transcriptions.transcription_id",
  });
  return {
    name: "transcriptions",
    columns,
    rows,
    loads: { column: "transcribed_at", period: "month" },
  };
}

const volunteers = [
  "e.wrobel",
  "h.kramer",
  "t_nowicki",
  "Babcia Zosia",
  "m.lewandowska",
  "svetlana.k",
  "john.pulaski",
  "guest17",
];

/** As it stands there, in short. */
function textOf(random: Random, record: Indexed): string {
  const language = languageOf(record);
  const name = (person: Person) => `${givenText(person, language)} ${surnameText(person, language)}`;
  const place = nameIn(record.site, yearOf(record.at)).name;
  const year = yearOf(record.at);
  const end = random.chance(0.12) ? random.pick([" [...]", " [?]", " etc."]) : "";
  const open = {
    la: `Anno Domini ${year}, ${place}:`,
    de: `${place}, am ${new Date(record.at).getUTCDate()}. des Monats ${year}:`,
    pl: `Działo się we wsi ${place} roku ${year}.`,
    ru: `Состоялось в деревне ${place} ${year} года.`,
  }[language];
  if (record.kind === "M")
    return `${open} ${name(record.groom)} ${{ la: "cum", de: "und", pl: "i", ru: "и" }[language]} ${name(record.bride)}${end}`;
  if (record.kind === "D")
    return `${open} ${{ la: "obiit", de: "verstarb", pl: "umarł(a)", ru: "умер(ла)" }[language]} ${record.isStillborn ? surnameText(record.who, language) : name(record.who)}, ${ageText(record, language)}${end}`;
  const { child, father, mother } = record;
  const parents = father ? `${name(father)}, ${givenText(mother, language)}` : name(mother);
  return `${open} ${{ la: "natus/a est", de: "geboren", pl: "urodzone dziecię", ru: "родился/лась" }[language]} ${givenText(child, language)}; ${parents}${end}`;
}

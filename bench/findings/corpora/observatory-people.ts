import type { Random } from "../../../faults/random.ts";
import { type CorpusTable, columnsOf, type Row } from "../corpus.ts";
import { dateText, dayMs, digits, mostlyFirst, weighted } from "../draw.ts";
import { firstName, lastName, plain } from "./names.ts";

/** Who asks for time at the telescope, and what became of the request. */

export const now = Date.parse("2025-09-14T18:00:00Z");
export const today = Date.parse("2025-09-14");

type Institute = [code: string, name: string, country: string, share: number | null, into: string | null];

/** Four have a share of the telescope; two became one in 2023. */
const institutes: Institute[] = [
  ["MHO", "Mount Harrow Observatory", "CL", 10, null],
  ["UCN", "Universidad Católica del Norte", "CL", 10, null],
  ["IAG", "Institut für Astrophysik Göttingen", "DE", 35, null],
  ["OCA", "Observatoire de la Côte d'Azur", "FR", 25, null],
  ["NBI", "Niels Bohr Institutet", "DK", 20, null],
  ["PUC", "Pontificia Universidad Católica de Chile", "CL", null, null],
  ["UDC", "Universidad de Concepción", "CL", null, null],
  ["ULS", "Universidad de La Serena", "CL", null, null],
  ["TLS", "Thüringer Landessternwarte Tautenburg", "DE", null, null],
  ["LSW", "Landessternwarte Königstuhl", "DE", null, "ZAH"],
  ["ARI", "Astronomisches Rechen-Institut", "DE", null, "ZAH"],
  ["ZAH", "Zentrum für Astronomie Heidelberg", "DE", null, null],
  ["IAP", "Institut d'Astrophysique de Paris", "FR", null, null],
  ["LAM", "Laboratoire d'Astrophysique de Marseille", "FR", null, null],
  ["AAU", "Aarhus Universitet", "DK", null, null],
  ["LUO", "Lunds observatorium", "SE", null, null],
  ["CAMK", "Centrum Astronomiczne im. Mikołaja Kopernika", "PL", null, null],
  ["ASU", "Astronomický ústav AV ČR", "CZ", null, null],
  ["OAPD", "INAF - Osservatorio Astronomico di Padova", "IT", null, null],
  ["IAC", "Instituto de Astrofísica de Canarias", "ES", null, null],
  ["STSCI", "Space Telescope Science Institute", "US", null, null],
  ["MPE", "Max-Planck-Institut für extraterrestrische Physik", "DE", null, null],
  ["QUB", "Queen's University Belfast", "GB", null, null],
  ["NAOJ", "国立天文台", "JP", null, null],
];
const merged = Date.parse("2023-04-01");

export function instituteTable(): CorpusTable {
  const rows = institutes.map(([code, name, country, share, into]): Row => {
    const ends = into === null ? null : dateText(merged - dayMs);
    return [code, name, country, share === null ? null : share.toFixed(1), ends, into];
  });
  const columns = columnsOf({
    INSTCODE: "text key",
    INSTNAME: "text",
    COUNTRY: "text",
    SHAREPCT: "decimal",
    ENDED: "date",
    MERGEDTO: "text references INSTITUT.INSTCODE",
  });
  return { name: "INSTITUT", columns, rows };
}

export type Person = {
  id: number;
  surname: string;
  given: string;
  institute: string;
  from: number;
  leaves: number | null;
  isStaff: boolean;
};

/** They are different people, and each of them is used to being asked. */
const alike = [
  ["Petersen", "Lars"],
  ["Peterson", "Laura"],
  ["Hoffmann", "Clara"],
  ["Hoffman", "Clara"],
  ["Jensen", "Maria"],
  ["Jenssen", "Maria"],
  ["Rojas", "Felipe"],
  ["Rojas", "Felipe"],
] as const;

export function peopleOf(random: Random): Person[] {
  const people: Person[] = [];
  const joins = () => Date.parse("2009-03-01") + Math.round(random.next() ** 0.6 * 5900) * dayMs;
  for (let id = 1; id <= 310; id++) {
    const [surname, given] = alike[id % 37] ?? [lastName(random), firstName(random)];
    const from = joins();
    const leaves = random.chance(0.12) ? from + random.between(500, 5000) * dayMs : null;
    const isStaff = id % 16 === 3;
    const [institute] = isStaff ? ["MHO"] : mostlyFirst(random, institutes, 1.3);
    people.push({
      id,
      surname: id < 75 ? surname : lastName(random),
      given: id < 75 ? given : firstName(random),
      // Nobody is at the older two any more.
      institute: institute === "LSW" || institute === "ARI" ? "ZAH" : institute,
      from,
      leaves: leaves !== null && leaves < today && !isStaff ? leaves : null,
      isStaff,
    });
  }
  people.sort((a, b) => a.from - b.from);
  for (const [index, person] of people.entries()) person.id = index + 1001;
  return people;
}

/** ISO 7064, modulo 11: the last may be an X. */
function orcid(random: Random): string {
  const body = `0000000${random.pick(["1", "2", "3"])}${digits(random, 7)}`;
  const total = [...body].reduce((sum, digit) => (sum + Number(digit)) * 2, 0);
  const check = (12 - (total % 11)) % 11;
  const all = `${body}${check === 10 ? "X" : check}`;
  return all.match(/.{4}/g)?.join("-") ?? all;
}

export function personTable(random: Random, people: readonly Person[]): CorpusTable {
  const taken = new Map<string, number>();
  const rows = people.map(({ id, surname, given, institute, from, leaves, isStaff }): Row => {
    const short = `${plain(given).charAt(0)}${plain(surname)}`;
    const before = taken.get(short) ?? 0;
    const mail = `${short}${before === 0 ? "" : before + 1}@${institute.toLowerCase()}.example`;
    taken.set(short, before + 1);
    return [
      String(id),
      surname,
      given,
      institute,
      leaves === null ? mail : null,
      // It was asked for from 2016 on.
      from > Date.parse("2016-01-01") || random.chance(0.5) ? orcid(random) : null,
      dateText(from),
      leaves === null ? null : dateText(leaves),
      isStaff ? "Y" : "N",
    ];
  });
  const columns = columnsOf({
    PERSID: "integer key",
    SURNAME: "text",
    GIVEN: "text",
    INSTCODE: "text references INSTITUT.INSTCODE",
    EMAIL: "text",
    ORCID: "text",
    REGISTRD: "date",
    INACTIVE: "date",
    STAFF: "text",
  });
  return { name: "PERSON", columns, rows };
}

export type Semester = { name: string; from: number; to: number; number: number };

/** From April, and from October to March of the next year. */
export const semesters: Semester[] = Array.from({ length: 10 }, (_, index) => {
  const year = 2021 + Math.floor(index / 2);
  const isA = index % 2 === 0;
  return {
    name: `${year}${isA ? "A" : "B"}`,
    from: Date.UTC(year, isA ? 3 : 9, 1),
    to: isA ? Date.UTC(year, 9, 1) : Date.UTC(year + 1, 3, 1),
    number: 107 + index,
  };
});

export type Proposal = {
  id: string;
  semester: Semester;
  kind: "NORMAL" | "LONG" | "THESIS" | "SURVEY" | "TOO" | "DDT" | "GTO";
  pi: Person;
  rank: string | null;
  score: number | null;
  asked: number;
  given: number;
  months: number;
  status: string;
  parent: Proposal | null;
  submitted: number;
};

const renamed = Date.parse("2023-10-01");
const months = { NORMAL: 12, LONG: 12, THESIS: 24, SURVEY: 0, TOO: 12, DDT: 6, GTO: 12 };

/** Old numbers tell the period and the panel; new ones the semester and a serial number. */
export function proposalsOf(random: Random, people: readonly Person[]): Proposal[] {
  const proposals: Proposal[] = [];
  for (const semester of semesters) {
    const able = people.filter(
      ({ from, leaves }) => from < semester.from - 200 * dayMs && (leaves ?? Infinity) > semester.to,
    );
    const old = proposals.filter(
      (each) => each.kind === "LONG" && each.given > 0 && each.semester.number === semester.number - 1,
    );
    const count = 52 + random.between(-6, 9) + old.length;
    for (let at = 1; at <= count; at++) {
      const parent = old.find((each) => !proposals.some((other) => other.parent === each)) ?? null;
      const isFollowing = parent !== null && parent.parent?.parent == null && random.chance(0.9);
      const kind = isFollowing
        ? "LONG"
        : weighted(random, { NORMAL: 66, LONG: 6, THESIS: 8, SURVEY: 3, TOO: 5, DDT: 7, GTO: 5 });
      // The director decides in days; guaranteed time is not graded.
      const isGraded = kind !== "DDT" && kind !== "GTO";
      const score = isGraded ? 1 + Math.round((random.next() + random.next()) * 200) / 100 : null;
      const rank = score === null ? null : score < 1.9 ? "A" : score < 2.6 ? "B" : score < 3.2 ? "C" : null;
      const isAccepted = !isGraded || rank !== null || isFollowing;
      const isWithdrawn = !isFollowing && random.chance(0.02);
      const asked =
        kind === "DDT" ? random.between(1, 8) / 4 : kind === "SURVEY" ? 24 : random.between(2, 14) / 2;
      const given = isWithdrawn || !isAccepted ? 0 : rank === "C" ? Math.max(0.5, asked / 2) : asked;
      const isOver = semester.to < today;
      const submitted =
        kind === "DDT"
          ? semester.from + random.between(3, 150) * dayMs
          : semester.from - random.between(181, 196) * dayMs;
      if (submitted > today) continue;
      proposals.push({
        id:
          semester.from < renamed
            ? `${semester.number}.${kind === "DDT" ? "Z" : random.pick(["A", "B", "C", "D"])}-${String(at).padStart(4, "0")}`
            : `${semester.name}-${String(at).padStart(3, "0")}`,
        semester,
        kind,
        pi: isFollowing ? parent.pi : random.pick(able),
        // What goes on is not graded again.
        rank: isFollowing ? parent.rank : rank,
        score: isFollowing ? null : score,
        asked,
        given,
        months: months[kind],
        status: isWithdrawn
          ? "Withdrawn"
          : given === 0
            ? "Rejected"
            : !isOver
              ? "Scheduled"
              : weighted(
                  random,
                  rank === "C" ? { Completed: 3, Terminated: 7 } : { Completed: 9, Terminated: 1 },
                ),
        parent: isFollowing ? parent : null,
        submitted,
      });
    }
  }
  return proposals;
}

const topics = [
  "Spectroscopy of candidate cataclysmic variables",
  "The halo of a nearby dwarf galaxy",
  "Radial velocities of giants in open clusters",
  "Follow-up of transiting planets around M dwarfs",
  "Rotation curves of low-surface-brightness galaxies",
  "Light curves of type Ia supernovae",
  "Outgassing of long-period comets",
  "Monitoring of blazars at high redshift",
  "Metal-poor stars of the southern sky",
  "Shapes of near-Earth asteroids",
];

export function proposalTable(random: Random, proposals: readonly Proposal[]): CorpusTable {
  const rows = proposals.map((each): Row => {
    const { id, semester, kind, pi, rank, score, asked, given, status, parent, submitted } = each;
    return [
      id,
      semester.name,
      String(pi.id),
      kind,
      `${random.pick(topics)}${parent ? " (continued)" : random.pick(["", "", ": a pilot study", " II", " with HARCAM"])}`,
      rank,
      score === null ? null : score.toFixed(2),
      asked.toFixed(2),
      given.toFixed(2),
      String(each.months),
      kind === "TOO" ? "Y" : "N",
      parent?.id ?? null,
      dateText(submitted),
      status,
      random.chance(0.07) ? sentenceOf(random, kind) : null,
    ];
  });
  const columns = columnsOf({
    PROPID: "text key",
    SEMESTER: "text",
    PIPERSID: "integer in PERSON.PERSID",
    PROPTYPE: "text",
    TITLE: "text",
    RANK: "text",
    SCORE: "decimal",
    NTSASKED: "decimal",
    NTSALLOC: "decimal",
    PROPRIET: "integer",
    TOOFLAG: "text",
    CONTINUE: "text references PROPOSAL.PROPID",
    SUBMITTD: "date",
    STATUS: "text",
    COMMENTS: "text",
  });
  return { name: "PROPOSAL", columns, rows };
}

const sentenceOf = (random: Random, kind: string): string =>
  kind === "TOO"
    ? "Trigger by phone; max. 2 h per event"
    : random.pick([
        "dark time only",
        "PI asks for remote observing",
        'seeing < 1.0"',
        "no observations before transit (moon!)",
        "Cambio de fechas solicitado por el PI",
        "see referee report, p. 2",
      ]);

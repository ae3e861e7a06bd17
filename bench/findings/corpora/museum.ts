import { Random } from "../../../faults/random.ts";
import { type CorpusDatabase, type CorpusTable, columnsOf, type Row } from "../corpus.ts";
import {
  cents,
  dateText,
  dayMs,
  heavyTailed,
  maybe,
  money,
  mostlyFirst,
  normal,
  some,
  timeText,
  weighted,
} from "../draw.ts";
import { daysFrom, hourMs, isHoliday, season, weekdayOf } from "./calendar.ts";
import { firstName, lastName } from "./names.ts";

const now = Date.parse("2025-11-11T09:00:00Z");

/**
 * A collection of three centuries: numbers as each time wrote them, things made before Christ or nobody knows when, makers
 * who are unknown, and a house that is closed on Mondays.
 */
export function museum(seed: number): CorpusDatabase {
  const random = new Random(seed * 109 + 41);
  const makers = makersOf(random);
  const rooms = roomsOf(random);
  const objects = objectsOf(random, makers.rows, rooms.rows);
  const exhibitions = exhibitionsOf(random);
  return {
    name: "museum",
    now,
    tables: [
      makers,
      rooms,
      objects,
      exhibitions,
      shownOf(random, exhibitions.rows, objects.rows),
      loansOf(random, objects.rows),
      reportsOf(random, objects.rows),
      admissionsOf(random),
    ],
  };
}

/** One stands for all who are unknown; of workshops, nobody knows when they were born. */
function makersOf(random: Random): CorpusTable {
  const rows: Row[] = [["1", "Unknown", null, null, null, null, "unknown"]];
  while (rows.length < 940) {
    const isWorkshop = random.chance(0.08);
    const born = Math.round(1500 + 470 * Math.sqrt(random.next()));
    const isOld = born < 1940;
    const died = born + random.between(24, 91);
    rows.push([
      String(rows.length + 1),
      isWorkshop
        ? `${random.pick(["Workshop of", "Circle of", "After"])} ${lastName(random)}`
        : `${lastName(random)}, ${firstName(random)}`,
      isWorkshop || random.chance(0.07) ? null : String(born),
      isWorkshop || random.chance(0.1) || (!isOld && died > 2025) ? null : String(Math.min(2025, died)),
      maybe(random, 0.9, () =>
        mostlyFirst(
          random,
          [
            "Dutch",
            "German",
            "French",
            "British",
            "Italian",
            "Polish",
            "Japanese",
            "Flemish",
            "Danish",
            "American",
            "Persian",
          ],
          1.6,
        ),
      ),
      maybe(random, 0.55, () => String(500_000_000 + random.between(1000, 130_000))),
      isWorkshop ? "workshop" : "person",
    ]);
  }
  const columns = columnsOf({
    maker_id: "integer key",
    display_name: "text",
    born: "integer",
    died: "integer",
    nationality: "text",
    ulan: "text",
    maker_type: "text",
  });
  return { name: "makers", columns, rows };
}

function roomsOf(random: Random): CorpusTable {
  const rows: Row[] = [];
  for (const [building, floors] of [
    ["M", 3],
    ["D", 2],
    ["X", 1],
  ] as const)
    for (let floor = 0; floor < floors; floor++)
      for (let room = 1; room <= 13; room++)
        rows.push([
          `${building}${floor}.${String(room).padStart(2, "0")}`,
          { M: "Main building", D: "Depot", X: "External store" }[building],
          String(floor),
          building === "M" ? (room > 10 ? "office" : "gallery") : "storage",
          String(building === "M" ? 21 : 18),
          String(building === "X" ? 45 : 50),
          heavyTailed(random, 70, 0.4).toFixed(1),
        ]);
  const columns = columnsOf({
    location_code: "text key",
    building: "text",
    floor: "integer",
    room_type: "text",
    target_temp_c: "integer",
    target_rh_pct: "integer",
    area_m2: "decimal",
  });
  return { name: "locations", columns, rows };
}

const types = {
  painting: ["oil on canvas", "oil on panel", "tempera on panel"],
  print: ["etching", "woodcut", "engraving on laid paper", "lithograph"],
  drawing: ["pen and brown ink", "chalk", "graphite"],
  ceramic: ["porcelain", "faience", "terracotta"],
  coin: ["silver", "gold", "bronze"],
  textile: ["silk", "wool; silk", "linen"],
  sculpture: ["marble", "bronze", "limewood; polychromed"],
  photograph: ["gelatin silver print", "albumen print"],
} as const;
const departments = {
  painting: "PNT",
  print: "PRT",
  drawing: "PRT",
  ceramic: "DEC",
  coin: "NUM",
  textile: "DEC",
  sculpture: "SCU",
  photograph: "PHO",
} as const;

function objectsOf(random: Random, makers: readonly Row[], rooms: readonly Row[]): CorpusTable {
  const counts = new Map<number, number>();
  const rows = Array.from({ length: 4200 }, (_, index): Row => {
    const acquired = Math.floor(1822 + (index / 4200) * 203);
    const nth = (counts.get(acquired) ?? 0) + 1;
    counts.set(acquired, nth);
    const type = weighted(random, {
      print: 38,
      photograph: 16,
      painting: 11,
      coin: 12,
      ceramic: 10,
      drawing: 8,
      textile: 3,
      sculpture: 2,
    });
    const isAncient = type === "coin" || (type === "ceramic" && random.chance(0.25));
    const from = isAncient
      ? random.between(-420, 380)
      : type === "photograph"
        ? random.between(1845, Math.max(1850, Math.min(1990, acquired)))
        : random.between(1480, 1900);
    const [year, until, text] = datingOf(random, from);
    const isFlat = ["print", "drawing", "photograph", "painting", "textile"].includes(type);
    const [height, width] = [
      heavyTailed(random, type === "coin" ? 2.1 : 31, type === "coin" ? 0.15 : 0.6),
      heavyTailed(random, type === "coin" ? 2.1 : 27, type === "coin" ? 0.15 : 0.6),
    ];
    const isLost = random.chance(0.006);
    const room = random.pick(rooms);
    return [
      String(index + 1),
      // Until 1900 a number and a letter, then year and number, and parts of a set have a third.
      acquired < 1900
        ? `${departments[type].charAt(0)} ${index + 1}`
        : acquired < 1985
          ? `${acquired}.${nth}`
          : `${acquired}.${String(nth).padStart(3, "0")}${random.chance(0.1) ? `.${random.between(1, 6)}` : ""}`,
      titleOf(random, type),
      type,
      departments[type],
      random.pick(types[type]),
      text,
      year === null ? null : String(year),
      until === null ? null : String(until),
      isAncient || random.chance(0.25) ? "1" : (mostlyFirst(random, makers.slice(1), 1.5)[0] ?? null),
      random.chance(0.97) ? height.toFixed(1) : null,
      random.chance(0.97) ? width.toFixed(1) : null,
      isFlat ? null : heavyTailed(random, type === "coin" ? 0.2 : 12, 0.4).toFixed(1),
      acquired < 1900
        ? null
        : `${acquired}${random.chance(0.7) ? `-${String(random.between(1, 12)).padStart(2, "0")}` : ""}`,
      weighted(random, { gift: 44, purchase: 36, bequest: 14, transfer: 5, "found in collection": 1 }),
      maybe(
        random,
        0.6,
        () => `${random.pick(["Gift of", "Bequest of", "Purchased from"])} ${lastName(random)}`,
      ),
      isLost ? null : (room[0] ?? null),
      String(!isLost && room[3] === "gallery"),
      String(isLost),
      maybe(random, 0.35, () =>
        String(Math.round(heavyTailed(random, type === "painting" ? 40_000 : 900, 1.7) / 50) * 50),
      ),
      timeText(Date.parse("2009-04-01") + random.next() * 6000 * dayMs),
    ];
  });
  const columns = columnsOf({
    object_id: "integer key",
    inventory_no: "text",
    title: "text",
    object_type: "text",
    department: "text",
    medium: "text",
    date_text: "text",
    year_from: "integer",
    year_to: "integer",
    maker_id: "integer in makers.maker_id",
    height_cm: "decimal",
    width_cm: "decimal",
    depth_cm: "decimal",
    acquired: "text",
    acquisition: "text",
    credit_line: "text",
    location_code: "text in locations.location_code",
    on_view: "other",
    is_lost: "other",
    insured_value_eur: "integer",
    catalogued_at: "time",
  });
  return { name: "objects", columns, rows };
}

/** What is written, and between which years that is. */
function datingOf(random: Random, from: number): [number | null, number | null, string] {
  if (from < 0) return random.chance(0.5) ? [from, from + 40, `c. ${-from} BC`] : [from, from, `${-from} BC`];
  const century = Math.floor(from / 100);
  const way = weighted(random, { exact: 46, about: 30, range: 14, century: 7, undated: 3 });
  if (way === "exact") return [from, from, String(from)];
  if (way === "about") return [from - 5, from + 5, `c. ${from}`];
  const until = from + random.between(2, 18);
  if (way === "range") return [from, until, `${from}–${until}`];
  const ordinal = `${century + 1}${["st", "nd", "rd"][century] ?? "th"}`;
  if (way === "century") return [century * 100, century * 100 + 99, `${ordinal} century`];
  return [null, null, "undated"];
}

const subjects = [
  "View of a Harbor",
  "Portrait of a Man",
  "Portrait of a Woman",
  "Still Life",
  "Landscape",
  "Untitled",
  "The Mill",
  "Saint Jerome",
  "Study of Hands",
  "Winter",
  "Fragment",
  "Street, Evening",
  "Market Day",
];
const titleOf = (random: Random, type: string) =>
  type === "coin"
    ? random.pick(["Denarius", "Drachm", "As", "Solidus", "Tetradrachm"])
    : type === "ceramic"
      ? random.pick(["Plate", "Bowl", "Vase", "Jug", "Teapot with lid"])
      : `${random.pick(subjects)}${random.chance(0.2) ? ` (${random.pick(["recto", "verso", "II", "after Rembrandt", "?"])})` : ""}`;

function exhibitionsOf(random: Random): CorpusTable {
  const rows = Array.from({ length: 66 }, (_, index): Row => {
    const opens = Date.parse("2009-03-07") + index * 91 * dayMs + random.between(0, 9) * dayMs;
    return [
      `EX${String(index + 1).padStart(3, "0")}`,
      `${random.pick(["Light", "Silence", "The North", "Gold", "Journeys", "Women", "Paper"])} ${random.pick(["and Shadow", "in Print", "1600–1700", "of the East", "Revisited"])}`,
      dateText(opens),
      dateText(opens + random.between(9, 20) * 7 * dayMs),
      String(Math.round(heavyTailed(random, 21_000, 0.6))),
      weighted(random, { own: 70, guest: 30 }),
    ];
  });
  const columns = columnsOf({
    exhibition_code: "text",
    title: "text",
    opens_on: "date",
    closes_on: "date",
    visitors: "integer",
    origin: "text",
  });
  return { name: "exhibitions", columns, rows };
}

function shownOf(random: Random, exhibitions: readonly Row[], objects: readonly Row[]): CorpusTable {
  const rows = exhibitions.flatMap((exhibition) =>
    some(
      random,
      objects.filter((row) => row[18] === "false").slice(random.between(0, 1500), random.between(2600, 4100)),
      random.between(18, 60),
    ).map(
      (object, index): Row => [
        exhibition[0] ?? null,
        String(index + 1),
        object[0] ?? null,
        object[1] ?? null,
        random.chance(0.85) ? "shown" : weighted(random, { withdrawn: 70, "facsimile only": 30 }),
        String(object[3] === "print" || object[3] === "drawing" ? 50 : 150),
      ],
    ),
  );
  const columns = columnsOf({
    exhibition_code: "text in exhibitions.exhibition_code",
    catalog_no: "integer",
    object_id: "integer in objects.object_id",
    inventory_no: "text in objects.inventory_no",
    status: "text",
    max_lux: "integer",
  });
  return { name: "exhibition_objects", columns, rows };
}

/** A few are lent for good, and some come back late. */
function loansOf(random: Random, objects: readonly Row[]): CorpusTable {
  const borrowers = {
    "Rijksmuseum Twenthe": "NL",
    "Kunsthalle Kiel": "DE",
    "Musée de la Ville": "FR",
    "City Hall": null,
    "Muzeum Narodowe": "PL",
    "The Whitworth": "GB",
    "Museo Civico": "IT",
  } as const;
  const rows = Array.from({ length: 860 }, (_, index): Row => {
    const out = Date.parse("2012-01-15") + Math.floor((index / 860) * 5040 + random.next() * 9) * dayMs;
    const isLong = random.chance(0.04);
    const due = isLong ? null : out + random.between(90, 400) * dayMs;
    const back = due === null ? null : due + Math.round(normal(random) * 12) * dayMs;
    const borrower = mostlyFirst(random, Object.keys(borrowers) as (keyof typeof borrowers)[], 1.3);
    const isBack = back !== null && back < now;
    return [
      `L${new Date(out).getUTCFullYear()}/${String(index + 1).padStart(4, "0")}`,
      random.pick(objects)[0] ?? null,
      borrower,
      borrowers[borrower],
      dateText(out),
      due === null ? null : dateText(due),
      isBack ? dateText(back) : null,
      isBack ? "returned" : due === null ? "permanent" : "out",
      String(Math.round(heavyTailed(random, 12_000, 1.4) / 100) * 100),
      borrowers[borrower] === null ? "0.00" : money(cents(heavyTailed(random, 450, 0.6))),
    ];
  });
  const columns = columnsOf({
    loan_no: "text",
    object_id: "integer in objects.object_id",
    borrower: "text",
    borrower_country: "text",
    out_on: "date",
    due_on: "date",
    returned_on: "date",
    status: "text",
    insured_eur: "integer",
    handling_fee: "decimal",
  });
  return { name: "loans", columns, rows };
}

function reportsOf(random: Random, objects: readonly Row[]): CorpusTable {
  const rows = Array.from({ length: 2700 }, (_, index): Row => {
    const grade = weighted(random, { "1": 30, "2": 46, "3": 19, "4": 4.6, "5": 0.4 });
    const at = Date.parse("2013-02-01") + ((index / 2700) * 4660 + random.next() * 6) * dayMs;
    const hours = Number(grade) > 2 ? heavyTailed(random, 5, 1) : null;
    return [
      String(index + 1),
      random.pick(objects)[0] ?? null,
      dateText(at),
      grade,
      { "1": "excellent", "2": "good", "3": "fair", "4": "poor", "5": "unstable" }[grade],
      random.chance(0.5)
        ? null
        : random.pick([
            "Slight foxing",
            "Crack lower left",
            "Frame loose.",
            "no change",
            "Old retouching; UV checked",
            "s.o.",
            "Pest? see photo 3",
          ]),
      hours === null ? null : (Math.round(hours * 4) / 4).toFixed(2),
      random.pick(["hb", "mk", "ext", "jl"]),
      Number(grade) > 3 ? dateText(at + random.between(20, 120) * dayMs) : null,
    ];
  });
  const columns = columnsOf({
    report_id: "integer",
    object_id: "integer in objects.object_id",
    examined_on: "date",
    grade: "integer",
    condition: "text",
    remarks: "text",
    treatment_hours: "decimal",
    examiner: "text",
    review_on: "date",
  });
  return { name: "condition_reports", columns, rows };
}

/** By the day; on the first Sunday of a month nobody pays, and once a year the house is open all night. */
function admissionsOf(random: Random): CorpusTable {
  const rows: Row[] = [];
  for (const day of daysFrom("2022-04-01", now - dayMs)) {
    if (weekdayOf(day) === 1 || isHoliday(day) || dateText(day).endsWith("12-24")) continue;
    const isFree = weekdayOf(day) === 0 && new Date(day).getUTCDate() <= 7;
    const isNight = weekdayOf(day) === 6 && /-05-1[4-9]|-05-20/.test(dateText(day));
    const mean =
      240 *
      season(day, -0.2) *
      (weekdayOf(day) % 6 === 0 ? 1.7 : 1) *
      (isFree ? 2.1 : 1) *
      (isNight ? 11 : 1);
    const full = isFree ? 0 : Math.round(mean * (0.5 + random.next() * 0.25));
    const reduced = isFree ? 0 : Math.round(mean * (0.15 + random.next() * 0.1));
    const free = Math.round(mean * (isFree ? 0.8 + random.next() * 0.4 : 0.1 + random.next() * 0.08));
    rows.push([
      dateText(day),
      String(full),
      String(reduced),
      String(free),
      String(full + reduced + free),
      money(full * 12 + reduced * 8),
      isNight ? "10:00-02:00" : weekdayOf(day) === 4 ? "10:00-21:00" : "10:00-18:00",
      isFree ? "free Sunday" : isNight ? "long night" : null,
      timeText(day + 20 * hourMs + random.between(0, 900) * 1000),
    ]);
  }
  const columns = columnsOf({
    day: "date",
    full_price: "integer",
    reduced: "integer",
    free: "integer",
    visitors: "integer",
    revenue: "decimal",
    opening_hours: "text",
    note: "text",
    closed_out_at: "time",
  });
  return { name: "admissions", columns, rows };
}

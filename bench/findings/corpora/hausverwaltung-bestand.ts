import type { Random } from "../../../faults/random.ts";
import { type CorpusTable, columnsOf, type Row } from "../corpus.ts";
import { dateText, dayMs, digits, heavyTailed, maybe, mostlyFirst, normal, weighted } from "../draw.ts";
import { iban } from "./codes.ts";
import { plain } from "./names.ts";

/** Houses, what is in them, who rents it, and for how much since when. */

export const now = Date.parse("2025-11-06T05:00:00Z");
export const today = Date.parse("2025-11-06");
/** From the system before only came what was rented then, each with the rent of that day. */
const migrated = Date.UTC(2016, 0, 1);

export const monthStart = (moment: number, months = 0): number => {
  const date = new Date(moment);
  return Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + months, 1);
};

export type House = {
  no: string;
  street: string;
  number: string;
  postcode: string;
  town: string;
  built: number;
  heating: string | null;
  /** Warm water from the cellar, and so by meter. */
  hasWarmWater: boolean;
  kind: "MIET" | "SEV" | "WEG";
  from: number;
  to: number | null;
  flats: number;
  shops: number;
  lots: number;
  perMeter: number;
};

/** One was sold, one is a garage yard without a year, and one has the year of the town's first map. */
export const houses: House[] =
  `1001|Lindenstraße|12-14|04177|Leipzig|1904|Fernwärme|1|MIET|2004-07-01||22|2|0|7.1
1002|Gießerstr.|7a|04229|Leipzig|1912|Gas-Zentralheizung|1|MIET|2004-07-01||12|1|0|7.4
1003|Karl-Heine-Straße|101|04229|Leipzig|1898|Gas-Etagenheizung|0|MIET|2009-01-01||10|2|0|7.9
1007|Am Anger|3|04416|Markkleeberg|1996|Gas-Zentralheizung|1|SEV|2012-04-01||16|0|16|9.2
1008|Garagenhof Seestraße|o. Nr.|04416|Markkleeberg|||0|MIET|2012-04-01||0|0|24|0
1011|Bürgermeister-Müller-Str.|2/4/6|06110|Halle (Saale)|1928|Fernwärme|1|MIET|2014-10-01||30|0|4|6.3
1012|Große Ulrichstraße|51|06108|Halle (Saale)|1583|Gas-Zentralheizung|0|MIET|2015-01-01||5|2|0|8.6
1015|Straße des 18. Oktober|33|04103|Leipzig|1974|Fernwärme|1|MIET|2017-01-01|2024-06-30|18|0|0|6.2
1019|Prager Str.|200|04299|Leipzig|2019|Wärmepumpe|1|SEV|2019-11-01||20|1|22|12.4
1020|Kurze Straße|1|04509|Delitzsch|1936|Ofen|0|MIET|2021-05-01||4|0|0|4.9
1022|Zschochersche Straße|88|04229|Leipzig|2022|Fernwärme|1|MIET|2022-09-01||14|2|10|13.1`
    .split("\n")
    .map((line) => {
      const [
        no = "",
        street = "",
        number = "",
        postcode = "",
        town = "",
        built,
        heating,
        warm,
        kind,
        from = "",
        to,
        ...counts
      ] = line.split("|");
      const [flats = 0, shops = 0, lots = 0, perMeter = 0] = counts.map(Number);
      return {
        no,
        street,
        number,
        postcode,
        town,
        built: Number(built),
        heating: heating || null,
        hasWarmWater: warm === "1",
        kind: kind as House["kind"],
        from: Date.parse(from),
        to: to ? Date.parse(to) : null,
        flats,
        shops,
        lots,
        perMeter,
      };
    });

export function houseTable(): CorpusTable {
  const rows = houses.map(
    ({ no, street, number, postcode, town, built, heating, kind, from, to }): Row => [
      no,
      street,
      number,
      postcode,
      town,
      built === 0 ? null : String(built),
      heating,
      kind,
      dateText(from),
      to === null ? null : dateText(to),
    ],
  );
  const columns = columnsOf({
    WE_NR: "text key",
    STRASSE: "text",
    HAUSNR: "text",
    PLZ: "text",
    ORT: "text",
    BAUJAHR: "integer",
    HEIZUNG: "text",
    VERW_ART: "text",
    VERW_BEGINN: "date",
    VERW_ENDE: "date",
  });
  return { name: "WIRTSCHAFTSEINHEIT", columns, rows };
}

export type Unit = {
  id: string;
  house: House;
  kind: "WHG" | "GEW" | "STP";
  floor: string | null;
  area: number | null;
  rooms: number | null;
  isMerged: boolean;
};

const sides = ["links", "rechts", "Mitte"];

/** Flats count from 1, shops from 501, lots from 901; of two that became one, the other stays without area. */
export function unitsOf(random: Random): Unit[] {
  return houses.flatMap((house) => {
    const unit = (
      number: number,
      kind: Unit["kind"],
      floor: string | null,
      area: number | null,
      rooms: number | null,
    ): Unit => ({
      id: `${house.no}.${String(number).padStart(4, "0")}`,
      house,
      kind,
      floor,
      area,
      rooms,
      isMerged: false,
    });
    const perFloor = house.flats > 15 ? 3 : 2;
    const flats = Array.from({ length: house.flats }, (_, index) => {
      const level = Math.floor(index / perFloor);
      const isTop = index === house.flats - 1;
      const area = Math.round(heavyTailed(random, isTop ? 94 : 61, 0.24) * 100) / 100;
      const floor = level === 0 ? "EG" : isTop ? "DG" : `${Math.min(level, 6)}. OG`;
      const rooms = Math.max(
        1,
        Math.round(area / 25) - Number(random.chance(0.15)) + (random.chance(0.12) ? 0.5 : 0),
      );
      return unit(index + 1, "WHG", isTop ? floor : `${floor} ${sides[index % perFloor]}`, area, rooms);
    });
    const absorbed = flats[9];
    const next = flats[8];
    if (absorbed && next && house.built < 1950) {
      next.area = Math.round(((next.area ?? 0) + (absorbed.area ?? 0)) * 100) / 100;
      next.rooms = (next.rooms ?? 0) + (absorbed.rooms ?? 0);
      Object.assign(absorbed, { area: 0, rooms: null, isMerged: true });
    }
    const shops = Array.from({ length: house.shops }, (_, index) =>
      unit(
        501 + index,
        "GEW",
        index === 0 ? "EG" : "EG/UG",
        Math.round(heavyTailed(random, 105, 0.5) * 10) / 10,
        null,
      ),
    );
    const lots = Array.from({ length: house.lots }, (_, index) =>
      unit(
        901 + index,
        "STP",
        house.flats === 0 ? `Garage ${index + 1}` : index % 4 === 3 || house.built < 1990 ? "Hof" : "TG",
        null,
        null,
      ),
    );
    return [...flats, ...shops, ...lots];
  });
}

export function unitTable(units: readonly Unit[]): CorpusTable {
  const rows = units.map(
    ({ id, house, kind, floor, area, rooms, isMerged }): Row => [
      id,
      house.no,
      kind,
      floor,
      area === null ? null : area.toFixed(2),
      rooms === null ? null : rooms.toFixed(1),
      isMerged ? "zusammengelegt mit vorheriger VE" : null,
    ],
  );
  const columns = columnsOf({
    VE_ID: "text key",
    WE_NR: "text references WIRTSCHAFTSEINHEIT.WE_NR",
    ART: "text",
    LAGE: "text",
    FLAECHE_QM: "decimal",
    ZIMMER: "decimal",
    BEMERKUNG: "text",
  });
  return { name: "VERWALTUNGSEINHEIT", columns, rows };
}

export type Person = {
  no: number;
  title: string;
  last: string;
  first: string | null;
  mail: string | null;
  phone: string | null;
  iban: string | null;
  locked: number | null;
};

const lasts =
  "Müller,Schmidt,Schneider,Böhme,Richter,Köhler,Yılmaz,Nguyen,Krause,Großmann,von der Heide,Al-Hassan,Kowalczyk,Zimmermann,Weiß,Lehmann,Jäger,Hoang,Petrov,Meyer-Schulze,Graf,Süß,Preuß,Demir,Haase,Ö".split(
    ",",
  );
const firsts =
  "Anna,Jürgen,Sabine,Mehmet,Thi Mai,Uwe,Katrin,Jörg,Heike,Björn,Franziska,Günter,Ayşe,René,Zoë,Karl-Heinz,Ingrid,Omar,Łukasz,Mandy".split(
    ",",
  );
const women = "Anna,Sabine,Thi Mai,Katrin,Heike,Franziska,Ayşe,Zoë,Ingrid,Mandy".split(",");
const firms =
  "Bäckerei Süß GmbH,Physiotherapie am Kanal,Spätkauf 24,Zahnarztpraxis Dr. Haase,Café Glücklich GbR,Yoga & mehr UG (haftungsbeschränkt),Anwaltskanzlei Graf PartG mbB,Nagelstudio Hoang".split(
    ",",
  );

export type Rent = {
  from: number;
  to: number | null;
  base: number;
  running: number;
  heating: number;
  why: string;
};

export type Lease = {
  no: string;
  unit: Unit;
  person: Person;
  from: number;
  to: number | null;
  noticed: number | null;
  by: string | null;
  kind: "STANDARD" | "INDEX" | "STAFFEL";
  deposit: number;
  depositKind: string;
  pays: "LASTSCHRIFT" | "DAUERAUFTRAG" | "JOBCENTER";
  vat: number;
  main: Lease | null;
  rents: Rent[];
};

/** One after the other; in between it stands empty, for weeks or for a renovation. */
export function leasesOf(random: Random, units: readonly Unit[]): { leases: Lease[]; persons: Person[] } {
  const persons: Person[] = [];
  const leases: Lease[] = [];
  let number = 30_000;
  const personOf = (isFirm: boolean): Person => {
    number += random.between(1, 9);
    const [last, first] = [mostlyFirst(random, lasts, 1.1), mostlyFirst(random, firsts, 1.1)];
    const title = isFirm
      ? "Firma"
      : weighted(random, { [women.includes(first) ? "Frau" : "Herr"]: 85, Eheleute: 12, WG: 3 });
    const person: Person = {
      no: number,
      title,
      last: isFirm ? random.pick(firms) : last,
      first: isFirm
        ? null
        : title === "Eheleute" || title === "WG"
          ? `${first} und ${random.pick(firsts.filter((other) => other !== first))}`
          : first,
      mail: maybe(
        random,
        0.63,
        () =>
          `${plain(first).slice(0, 1)}.${plain(last)}${random.between(1, 99)}@${mostlyFirst(random, ["web.example", "gmx.example", "t-online.example", "gmail.example"], 1.4)}`,
      ),
      phone: maybe(random, 0.8, () =>
        random.chance(0.7)
          ? `01${random.pick(["51", "60", "70", "76"])} ${digits(random, random.between(7, 8))}`
          : `0341/${digits(random, random.between(5, 7))}`,
      ),
      iban: maybe(random, 0.9, () => iban(random, random.chance(0.96) ? "DE" : "PL")),
      locked: null,
    };
    persons.push(person);
    return person;
  };
  for (const unit of units.filter(({ isMerged }) => !isMerged)) {
    const { house } = unit;
    let count = house.from < migrated ? random.between(0, 4) : 0;
    // New houses fill in the first months.
    let from = monthStart(house.from + (house.built > 2015 ? random.between(0, 120) * dayMs : 0));
    if (house.from < migrated)
      from = Math.max(
        Date.UTC(house.built, 0, 1),
        monthStart(migrated - Math.min(random.between(6000, 12_500), heavyTailed(random, 1900, 1)) * dayMs),
      );
    while (from < today + 60 * dayMs && (house.to === null || from < house.to)) {
      count += 1;
      const years = unit.kind === "STP" ? 3.4 : unit.kind === "GEW" ? 7 : 5.2;
      const wished = monthStart(from + heavyTailed(random, years * 365, 0.85) * dayMs) - dayMs;
      const isOver = wished < today + 90 * dayMs && wished > Math.max(from, migrated);
      const end = house.to !== null && (wished > house.to || !isOver) ? house.to : isOver ? wished : null;
      const noticed =
        end === null || end === house.to ? null : monthStart(end, -2) - random.between(1, 27) * dayMs;
      const isFirm = unit.kind === "GEW" || (unit.kind === "WHG" && random.chance(0.02));
      // Now and then in the middle of a month.
      const starts = from > migrated && random.chance(0.2) ? from + 14 * dayMs : from;
      const isNoticed = noticed !== null && noticed < today && noticed > starts;
      const to = end !== null && end > today && !isNoticed ? null : end;
      // Who rents a lot mostly has a flat in the house.
      const main =
        unit.kind === "STP"
          ? (leases.findLast(
              (each) =>
                each.unit.house === house &&
                each.unit.kind === "WHG" &&
                each.from <= from &&
                (each.to ?? Infinity) >= (to ?? Infinity) &&
                !leases.some((other) => other.main === each),
            ) ?? null)
          : null;
      const lease: Lease = {
        no: `${unit.id}.${String(count).padStart(2, "0")}`,
        unit,
        person: main?.person ?? personOf(isFirm),
        from: starts,
        to,
        noticed: isNoticed ? noticed : null,
        by: isNoticed
          ? weighted(random, { Mieter: 88, Aufhebung: 7, "Vermieter (Zahlungsverzug)": 3, Tod: 2 })
          : null,
        kind:
          unit.kind === "STP"
            ? "STANDARD"
            : unit.kind === "GEW"
              ? "INDEX"
              : weighted(random, { STANDARD: 70, INDEX: 18, STAFFEL: 12 }),
        deposit: 0,
        depositKind: "",
        pays:
          main?.pays ??
          (isFirm
            ? "DAUERAUFTRAG"
            : weighted(random, {
                LASTSCHRIFT: 58,
                DAUERAUFTRAG: 33,
                JOBCENTER: unit.kind === "WHG" ? 9 : 0,
              })),
        vat: unit.kind === "GEW" && random.chance(0.6) ? 19 : 0,
        main,
        rents: [],
      };
      if (lease.pays === "LASTSCHRIFT") lease.person.iban ??= iban(random, "DE");
      lease.rents = rentsOf(random, lease);
      const months = unit.kind === "STP" ? 0 : random.chance(0.07) ? 0 : random.chance(0.85) ? 3 : 2;
      lease.deposit = Math.round((lease.rents[0]?.base ?? 0) * months * 100) / 100;
      lease.depositKind =
        lease.deposit === 0
          ? "keine"
          : weighted(random, { Barkaution: 60, Sparbuch: 20, Bürgschaft: 15, Kautionsversicherung: 5 });
      leases.push(lease);
      if (to === null) break;
      const empty = Math.ceil(heavyTailed(random, 1.6, 0.9)) + (random.chance(0.15) ? 13 : 0);
      from = monthStart(to + dayMs, random.chance(0.45) ? 0 : empty);
    }
  }
  for (const person of persons) {
    const mine = leases.filter((lease) => lease.person === person);
    const last = Math.max(...mine.map(({ to }) => to ?? Infinity));
    // Ten years are for the taxes, three for everything else.
    if (last < today - 3.2 * 365 * dayMs)
      person.locked = Date.UTC(new Date(last).getUTCFullYear() + 4, 0, 15);
    if (person.locked !== null && person.locked >= today) person.locked = null;
  }
  return { leases, persons: persons.filter((person) => leases.some((lease) => lease.person === person)) };
}

/** Rents rise for four reasons; where water came in, they fall for some months. */
function rentsOf(random: Random, { unit, from, to, kind }: Lease): Rent[] {
  const { house, area } = unit;
  const since = Math.max(from, migrated);
  const market =
    house.perMeter * (0.78 + 0.024 * ((since - migrated) / dayMs / 365)) * Math.exp(normal(random) * 0.07);
  const round = (amount: number) => Math.round(amount * 100) / 100;
  const base =
    unit.kind === "STP"
      ? house.flats === 0
        ? random.pick([40, 45, 45, 50])
        : random.pick([55, 60, 70])
      : round(market * (area ?? 0) * (unit.kind === "GEW" ? 1.35 : 1));
  const hasOwnHeat = house.heating === null || /Etage|Ofen/.test(house.heating);
  const first: Rent = {
    from: since,
    to: null,
    base,
    running: unit.kind === "STP" ? 0 : Math.round(((area ?? 0) * 1.35) / 5) * 5,
    heating: unit.kind === "STP" || hasOwnHeat ? 0 : Math.round(((area ?? 0) * 0.95) / 5) * 5,
    why: from < migrated ? "Übernahme Altsystem" : "Erstmiete",
  };
  const rents = [first];
  const change = (at: number, changes: Partial<Rent>) => {
    const last = rents.at(-1);
    if (!last || at <= last.from || at > Math.min(today + 30 * dayMs, to ?? Infinity)) return;
    last.to = at - dayMs;
    rents.push({ ...last, from: at, to: null, ...changes });
  };
  const end = Math.min(today, to ?? today);
  for (let year = 1; ; year++) {
    const at = monthStart(since, 12 * year + (kind === "STAFFEL" ? 0 : random.between(0, 5)));
    if (at > end) break;
    const before = rents.at(-1)?.base ?? 0;
    if (kind === "STAFFEL") change(at, { base: round(before + (area ?? 0) * 0.2), why: `Staffel ${year}` });
    else if (kind === "INDEX" && random.chance(0.4))
      change(at, {
        base: round(before * (at > Date.UTC(2022, 5, 1) ? 1.062 : 1.021)),
        why: "Indexanpassung",
      });
    else if (kind === "STANDARD" && unit.kind === "WHG" && random.chance(0.22))
      change(at, { base: round(before * (1.04 + random.next() * 0.11)), why: "§ 558 BGB Mietspiegel" });
    const flowed = monthStart(at, 2);
    const was = rents.at(-1)?.base ?? 0;
    if (unit.kind === "WHG" && random.chance(0.01) && monthStart(flowed, 3) < end) {
      change(flowed, { base: round(was * 0.8), why: "Minderung 20 % (Wasserschaden)" });
      change(monthStart(flowed, random.between(1, 2)), { base: was, why: "Ende Minderung" });
    }
    // When gas got dear, all prepayments rose at once.
    const dear = Date.UTC(2022, 9, 1);
    const isDear = at <= dear && monthStart(at, 12) > dear && dear <= end;
    const { running = 0, heating = 0 } = rents.at(-1) ?? {};
    if (unit.kind !== "STP" && (isDear || random.chance(0.3)))
      change(isDear ? dear : monthStart(at, 6), {
        running: running + 5 * random.between(1, 3),
        heating: heating === 0 ? 0 : Math.round((heating * (isDear ? 1.6 : 1.06)) / 5) * 5,
        why: "VZ-Anpassung",
      });
  }
  return rents.filter((rent) => rent.from <= (to ?? Infinity));
}

import { Random } from "../../../faults/random.ts";
import { type CorpusDatabase, type CorpusTable, columnsOf, type Row } from "../corpus.ts";
import { cents, dateText, dayMs, digits, heavyTailed, money } from "../draw.ts";
import { season } from "./calendar.ts";
import {
  houseTable,
  type Lease,
  leasesOf,
  now,
  type Person,
  today,
  type Unit,
  unitsOf,
  unitTable,
} from "./hausverwaltung-bestand.ts";
import { duesOf, dueTable, paymentTable, settlementTable } from "./hausverwaltung-konten.ts";

/**
 * A German property manager: keys that tell house, unit and tenant, flats that stand empty, rents that fall while there
 * is water in the wall, one payment for two contracts, debits that came back, meters that begin at 0 each year or that
 * were exchanged, and settlements that were corrected.
 */
export function hausverwaltung(seed: number): CorpusDatabase {
  const random = new Random(seed * 193 + 157);
  const units = unitsOf(random);
  const { leases, persons } = leasesOf(random, units);
  const dues = duesOf(random, leases);
  return {
    name: "hausverwaltung",
    now,
    tables: [
      houseTable(),
      unitTable(units),
      personTable(persons),
      leaseTable(random, leases),
      rentTable(leases),
      dueTable(dues),
      paymentTable(random, dues),
      readingTable(random, units, leases),
      settlementTable(random, leases),
    ],
  };
}

/** Of those who left long ago only the name stays. */
function personTable(persons: readonly Person[]): CorpusTable {
  const rows = persons.map(({ no, title, last, first, mail, phone, iban, locked }): Row => {
    const isLocked = locked !== null;
    return [
      String(no),
      title,
      last,
      first,
      isLocked ? null : mail,
      isLocked ? null : phone,
      isLocked ? null : iban,
      locked === null ? null : dateText(locked),
    ];
  });
  const columns = columnsOf({
    PERS_NR: "integer key",
    ANREDE: "text",
    NAME: "text",
    VORNAME: "text",
    EMAIL: "text",
    TELEFON: "text",
    IBAN: "text",
    GESPERRT_AM: "date",
  });
  return { name: "PERSON", columns, rows };
}

function leaseTable(random: Random, leases: readonly Lease[]): CorpusTable {
  const rows = leases.map((lease): Row => {
    const { no, unit, person, from, to, noticed, by, kind, deposit, depositKind, pays, vat, main } = lease;
    return [
      no,
      unit.id,
      String(person.no),
      dateText(from),
      to === null ? null : dateText(to),
      noticed === null ? null : dateText(noticed),
      by,
      kind,
      money(deposit),
      depositKind,
      pays,
      // A lot is debited with its flat.
      pays === "LASTSCHRIFT" && main === null ? `WE${unit.house.no}-${digits(random, 6)}` : null,
      vat === 0 ? null : String(vat),
      main?.no ?? null,
      to === null ? "LAUFEND" : to < today ? "BEENDET" : "GEKUENDIGT",
    ];
  });
  const columns = columnsOf({
    VERTRAG_NR: "text key",
    VE_ID: "text references VERWALTUNGSEINHEIT.VE_ID",
    PERS_NR: "integer in PERSON.PERS_NR",
    BEGINN: "date",
    ENDE: "date",
    KUENDIGUNG_VOM: "date",
    KUENDIGUNG_DURCH: "text",
    MIETART: "text",
    KAUTION: "decimal",
    KAUTION_ART: "text",
    ZAHLWEG: "text",
    SEPA_MANDAT: "text",
    UST_SATZ: "integer",
    HAUPTVERTRAG: "text references MIETVERTRAG.VERTRAG_NR",
    STATUS: "text",
  });
  return { name: "MIETVERTRAG", columns, rows };
}

function rentTable(leases: readonly Lease[]): CorpusTable {
  const rows = leases.flatMap(({ no, rents, to }) =>
    rents.map((rent, index): Row => {
      const until = rents[index + 1] ? rent.to : to;
      return [
        no,
        String(index + 1),
        dateText(rent.from),
        until === null ? null : dateText(until),
        money(rent.base),
        money(rent.running),
        money(rent.heating),
        money(cents(rent.base + rent.running + rent.heating)),
        rent.why,
      ];
    }),
  );
  const columns = columnsOf({
    VERTRAG_NR: "text references MIETVERTRAG.VERTRAG_NR",
    LFD_NR: "integer",
    GUELTIG_AB: "date",
    GUELTIG_BIS: "date",
    GRUNDMIETE: "decimal",
    VZ_BK: "decimal",
    VZ_HK: "decimal",
    BRUTTOMIETE: "decimal",
    GRUND: "text",
  });
  return { name: "KONDITION", columns, rows };
}

type Meter = { no: string; kind: "KW" | "WW" | "HKV"; place: string; installed: number; stand: number };
type Reading = {
  meter: Meter;
  unit: Unit;
  day: number;
  stand: number;
  used: number | null;
  how: string;
  remark: string | null;
};

const calibrated = 6;

/** Each winter; water goes on counting, heat cost allocators count from 0 each year, in units that are no unit. */
function readingTable(random: Random, units: readonly Unit[], leases: readonly Lease[]): CorpusTable {
  const readings: Reading[] = [];
  const meterOf = (kind: Meter["kind"], place: string, year: number): Meter => ({
    no:
      kind === "HKV"
        ? digits(random, 8)
        : `8${kind === "KW" ? "SEN" : "LOR"}${String(year).slice(2)}${digits(random, 7)}`,
    kind,
    place,
    installed: year,
    stand: 0,
  });
  for (const unit of units.filter(
    ({ kind, isMerged, house }) => kind === "WHG" && !isMerged && house.heating !== "Ofen",
  )) {
    const { house } = unit;
    const first = Math.max(new Date(house.from).getUTCFullYear() + 1, 2021);
    const hasHeat = house.heating !== "Gas-Etagenheizung" && house.built < 2015;
    const places = ["Wohnzimmer", "Schlafzimmer", "Kinderzimmer"].slice(
      0,
      Math.max(1, Math.floor(unit.rooms ?? 1)),
    );
    const start = first - random.between(0, calibrated - 1);
    const meters: Meter[] = [
      meterOf("KW", "Bad", start),
      ...(house.hasWarmWater ? [meterOf("WW", "Bad", start)] : []),
      ...(hasHeat ? places.map((place) => meterOf("HKV", place, 2018)) : []),
    ];
    // What it showed when the first year began.
    for (const meter of meters)
      if (meter.kind !== "HKV")
        meter.stand = Math.round(Math.max(0, first - 0.5 - start) * 28_000 * random.next()) / 1000;
    for (let year = first; year <= 2024; year++) {
      const day = Date.UTC(year + 1, 0, 4 + (Number(house.no) % 9));
      if (house.to !== null && day > house.to) break;
      const lived =
        leases
          .filter((lease) => lease.unit === unit)
          .reduce(
            (sum, { from, to }) =>
              sum + Math.max(0, Math.min(day, to ?? day) - Math.max(from, day - 365 * dayMs)),
            0,
          ) /
        (365 * dayMs);
      const isShut = random.chance(0.05);
      for (const [index, meter] of meters.entries()) {
        const usual =
          meter.kind === "KW"
            ? 32
            : meter.kind === "WW"
              ? 15
              : heavyTailed(random, (unit.area ?? 60) * 14, 0.55) / meters.length;
        const used = lived < 0.02 ? 0 : heavyTailed(random, usual, 0.4) * Math.min(1, lived);
        const rounded = meter.kind === "HKV" ? Math.round(used) : Math.round(used * 1000) / 1000;
        const stand = meter.kind === "HKV" ? rounded : cents(meter.stand * 10) / 10 + rounded;
        meter.stand = Math.round(stand * 1000) / 1000;
        const how =
          isShut && meter.kind !== "HKV" ? "SCHAETZUNG" : meter.kind === "HKV" ? "FUNK" : "ABLESUNG";
        readings.push({
          meter,
          unit,
          day,
          stand: meter.stand,
          used: rounded,
          how,
          remark:
            how === "SCHAETZUNG"
              ? random.pick(["niemand angetroffen", "2x angemahnt", null])
              : rounded === 0
                ? random.pick(["Leerstand", null])
                : null,
        });
        // After six years the law wants another one.
        const isDue = meter.kind !== "HKV" && year - meter.installed >= calibrated - 1 && year < 2024;
        if (!isDue) continue;
        const swapped = day + random.between(20, 200) * dayMs;
        const rest = Math.round(rounded * 0.3 * season(swapped, 0.05) * 1000) / 1000;
        const next = meterOf(meter.kind, meter.place, year + 1);
        next.stand = random.chance(0.7) ? 0 : random.between(1, 40) / 1000;
        readings.push(
          {
            meter,
            unit,
            day: swapped,
            stand: Math.round((meter.stand + rest) * 1000) / 1000,
            used: rest,
            how: "AUSBAU",
            remark: "Eichfrist",
          },
          { meter: next, unit, day: swapped, stand: next.stand, used: null, how: "EINBAU", remark: null },
        );
        meters[index] = next;
      }
    }
  }
  readings.sort((a, b) => a.day - b.day);
  const rows = readings
    .filter(({ day }) => day < today)
    .map(
      ({ meter, unit, day, stand, used, how, remark }): Row => [
        meter.no,
        unit.id,
        unit.house.no,
        meter.kind,
        meter.place,
        dateText(day),
        stand.toFixed(3),
        used === null ? null : used.toFixed(3),
        meter.kind === "HKV" ? null : "m³",
        how,
        remark,
      ],
    );
  const columns = columnsOf({
    ZAEHLER_NR: "text",
    VE_ID: "text in VERWALTUNGSEINHEIT.VE_ID",
    WE_NR: "text in WIRTSCHAFTSEINHEIT.WE_NR",
    MEDIUM: "text",
    EINBAUORT: "text",
    ABLESEDATUM: "date",
    STAND: "decimal",
    VERBRAUCH: "decimal",
    EINHEIT: "text",
    ABLESEART: "text",
    BEMERKUNG: "text",
  });
  return { name: "ABLESUNG", columns, rows };
}

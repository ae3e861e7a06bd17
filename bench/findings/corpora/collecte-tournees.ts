import type { Random } from "../../../faults/random.ts";
import { type CorpusTable, columnsOf, type Row } from "../corpus.ts";
import {
  dateText,
  dayMs,
  digits,
  heavyTailed,
  letters,
  mostlyFirst,
  normal,
  timeText,
  weighted,
} from "../draw.ts";
import { hourMs, isHoliday, isWeekend, season, weekdayOf } from "./calendar.ts";
import { nextWorkday, now, today } from "./collecte-usagers.ts";

/** Trucks, their rounds, and what they tip. */

const toursFrom = Date.parse("2023-10-02");

export type Flow = "OM" | "TRI" | "BIO" | "VERRE";

export type Truck = {
  plate: string;
  flow: Flow;
  tare: number;
  most: number;
  hasScale: boolean;
  energy: string;
  from: number;
  until: number | null;
  odometer: number;
};

/** Two of the old plates are still on the road. */
export function trucksOf(random: Random): Truck[] {
  const flows: Flow[] = [
    "OM",
    "OM",
    "OM",
    "OM",
    "OM",
    "TRI",
    "TRI",
    "TRI",
    "BIO",
    "BIO",
    "VERRE",
    "OM",
    "TRI",
  ];
  return flows.map((flow, index): Truck => {
    const isOld = index === 3 || index === 10;
    const isGone = index >= 11;
    const from = nextWorkday(
      isOld ? Date.UTC(2008, 4, 6) : Date.UTC(random.between(2013, 2022), random.between(0, 11), 9),
    );
    return {
      plate: isOld
        ? `${random.between(1000, 9999)} ${letters(random, 2)} 38`
        : `${letters(random, 2)}-${digits(random, 3)}-${letters(random, 2)}`,
      flow,
      tare: 20 * random.between(640, 760),
      most: flow === "BIO" ? 19_000 : 26_000,
      hasScale: !isOld && index % 3 !== 2,
      energy: isOld || isGone ? "gazole" : random.pick(["GNV", "gazole", "GNV", "électrique"]),
      from,
      until: isGone ? nextWorkday(Date.UTC(2024, random.between(3, 10), 15)) : null,
      odometer: isOld ? 391_000 : Math.round(((toursFrom - from) / dayMs) * 62),
    };
  });
}

export function truckTable(trucks: readonly Truck[]): CorpusTable {
  const rows = trucks.map(
    (truck): Row => [
      truck.plate,
      truck.flow,
      String(truck.most),
      String(truck.tare),
      truck.energy,
      truck.hasScale ? "true" : "false",
      dateText(truck.from),
      truck.until === null ? null : dateText(truck.until),
    ],
  );
  const columns = columnsOf({
    immatriculation: "text key",
    flux: "text",
    ptac_kg: "integer",
    tare_kg: "integer",
    energie: "text",
    pesee_embarquee: "other",
    mise_en_service: "date",
    mise_hors_service: "date",
  });
  return { name: "vehicules", columns, rows };
}

export type Tour = {
  id: number;
  circuit: string;
  flow: Flow;
  truck: Truck | null;
  day: number;
  starts: number | null;
  ends: number | null;
  driver: string | null;
  km: [number, number] | null;
  status: "faite" | "partielle" | "annulée" | "reportée";
  why: string | null;
  makesUp: Tour | null;
};

type Circuit = { code: string; flow: Flow; weekday: number; every: number; km: number };

/** What falls on a holiday is done on the Saturday after. */
export function toursOf(random: Random, trucks: readonly Truck[]): Tour[] {
  const flows: Flow[] = ["OM", "OM", "OM", "TRI", "TRI", "BIO"];
  const circuits: Circuit[] = [1, 2, 3, 4, 5].flatMap((weekday) =>
    flows.slice(0, weekday === 3 ? 4 : 6).map((flow, index) => ({
      code: `${flow}-${weekday}${"ABCDEF"[index]}`,
      flow,
      weekday,
      every: flow === "TRI" ? 2 : 1,
      km: random.between(38, 117),
    })),
  );
  circuits.push({ code: "VERRE-X", flow: "VERRE", weekday: 2, every: 3, km: 164 });
  const tours: Tour[] = [];
  const drivers = [
    "M. Ruet",
    "S. Ollier",
    "K. Ben Amor",
    "J. Da Silva",
    "P. Vachez",
    "intérim",
    "L. N'Diaye",
  ];
  const busy = new Map<Truck, number>();
  const add = (circuit: Circuit, day: number, makesUp: Tour | null): Tour => {
    const isHeld =
      isHoliday(day) || ["07-14", "08-15", "11-01", "11-11"].some((text) => dateText(day).endsWith(text));
    const able = trucks.filter(
      ({ flow, until, from }) => flow === circuit.flow && from <= day && (until === null || until > day),
    );
    const truck = able.find((each) => (busy.get(each) ?? 0) < day + 4 * hourMs) ?? able[0] ?? null;
    const isOff = !isHeld && makesUp === null && random.chance(0.008);
    const isDone = !isHeld && !isOff;
    const isShort = isDone && random.chance(0.018);
    const starts = Math.max(
      day + 4 * hourMs + random.between(-18, 25) * 60_000,
      (truck && busy.get(truck)) ?? 0,
    );
    const hours = (circuit.km / 17) * season(day, -0.06) * (isShort ? 0.55 : 1) + normal(random) * 0.3;
    const ends = starts + Math.round(Math.max(1.2, hours) * 60) * 60_000;
    const driven = Math.round(circuit.km * (isShort ? 0.6 : 1) * (1 + normal(random) * 0.04));
    const km: [number, number] | null = truck && isDone ? [truck.odometer, truck.odometer + driven] : null;
    if (truck && isDone) {
      // Between rounds it goes to the workshop and back.
      truck.odometer += driven + (random.chance(0.1) ? random.between(2, 30) : 0);
      busy.set(truck, ends + 30 * 60_000);
    }
    const tour: Tour = {
      id: 0,
      circuit: circuit.code,
      flow: circuit.flow,
      truck: isDone ? truck : null,
      day,
      starts: isDone ? starts : null,
      ends: isDone ? ends : null,
      driver: isDone ? mostlyFirst(random, drivers, 1.2) : null,
      km,
      status: isHeld ? "reportée" : isOff ? "annulée" : isShort ? "partielle" : "faite",
      why: isHeld
        ? "jour férié"
        : isOff
          ? random.pick(["neige", "grève", "panne"])
          : isShort
            ? random.pick(["panne", "rue barrée", "benne pleine"])
            : null,
      makesUp,
    };
    tours.push(tour);
    return tour;
  };
  const later: { circuit: Circuit; tour: Tour; day: number }[] = [];
  for (let day = toursFrom; day < today; day += dayMs) {
    for (const one of later.filter((each) => each.day === day)) add(one.circuit, day, one.tour);
    for (const circuit of circuits) {
      if (weekdayOf(day) !== circuit.weekday || Math.floor(day / dayMs / 7) % circuit.every !== 0) continue;
      const tour = add(circuit, day, null);
      if (tour.status === "reportée") later.push({ circuit, tour, day: day + (6 - weekdayOf(day)) * dayMs });
    }
  }
  for (const [index, tour] of tours.entries()) tour.id = 52_001 + index;
  return tours;
}

export function tourTable(tours: readonly Tour[]): CorpusTable {
  const rows = tours.map(
    (tour): Row => [
      String(tour.id),
      dateText(tour.day),
      tour.circuit,
      tour.flow,
      tour.truck?.plate ?? null,
      tour.driver,
      tour.starts === null ? null : timeText(tour.starts),
      tour.ends === null ? null : timeText(tour.ends),
      tour.km === null ? null : String(tour.km[0]),
      tour.km === null ? null : String(tour.km[1]),
      tour.status,
      tour.why,
      tour.makesUp === null ? null : String(tour.makesUp.id),
    ],
  );
  const columns = columnsOf({
    id_tournee: "integer key",
    date_tournee: "date",
    code_circuit: "text",
    flux: "text",
    immatriculation: "text in vehicules.immatriculation",
    chauffeur: "text",
    debut: "time",
    fin: "time",
    km_depart: "integer",
    km_arrivee: "integer",
    statut: "text",
    motif: "text",
    rattrape_tournee: "integer references tournees.id_tournee",
  });
  return { name: "tournees", columns, rows, loads: { column: "date_tournee", period: "week" } };
}

const wastes: Record<Flow, [string, string]> = {
  OM: ["20 03 01", "UVE Bourgoin"],
  TRI: ["15 01 06", "CDT Firminy"],
  BIO: ["20 01 08", "Méthaniseur Roussillon"],
  VERRE: ["15 01 07", "Verallia Saint-Romain"],
};

/** Over the scales full, and empty again. Others tip there, too; and of a ticket that was wrong there is another. */
export function weighingTable(random: Random, tours: readonly Tour[], trucks: readonly Truck[]): CorpusTable {
  type Weighing = {
    tour: Tour | null;
    plate: string;
    flow: Flow;
    at: number;
    gross: number;
    tare: number;
    annuls: Weighing | null;
    no: string;
  };
  const weighings: Weighing[] = [];
  const tips = { OM: 6100, TRI: 2300, BIO: 3400, VERRE: 8200 };
  for (const tour of tours) {
    if (!tour.truck || tour.ends === null) continue;
    // After Christmas there is more than in February.
    const peak = /-(12-2[6-9]|12-3\d|01-0[2-6])$/.test(dateText(tour.day)) ? 1.35 : 1;
    const net = Math.min(
      tour.truck.most * 1.02 - tour.truck.tare,
      heavyTailed(random, tips[tour.flow], 0.22) *
        season(tour.day, tour.flow === "BIO" ? -0.2 : -0.04) *
        peak *
        (tour.status === "partielle" ? 0.5 : 1),
    );
    const tare = tour.truck.tare + 20 * random.between(-4, 6);
    const at = tour.ends - random.between(8, 35) * 60_000;
    const first: Weighing = {
      tour,
      plate: tour.truck.plate,
      flow: tour.flow,
      at,
      gross: tare + Math.max(20, Math.round(net / 20) * 20),
      tare,
      annuls: null,
      no: "",
    };
    weighings.push(first);
    if (random.chance(0.006))
      weighings.push({
        ...first,
        at: at + random.between(4, 20) * 60_000,
        gross: first.gross + 20 * random.between(1, 12),
        annuls: first,
      });
  }
  for (let day = toursFrom; day < today; day += dayMs)
    if (!isWeekend(day) && !isHoliday(day) && random.chance(0.12)) {
      const tare = 20 * random.between(380, 600);
      const plate = random.pick(["GA-410-KN", "FX-922-BT", "1187 ZT 69"]);
      weighings.push({
        tour: null,
        plate,
        flow: "OM",
        at: day + random.between(7 * 60, 16 * 60) * 60_000,
        gross: tare + 20 * Math.ceil(heavyTailed(random, 45, 0.8)),
        tare,
        annuls: null,
        no: "",
      });
    }
  weighings.sort((a, b) => a.at - b.at);
  let number = 88_120;
  for (const weighing of weighings) {
    number += random.between(1, 9);
    weighing.no = String(number);
  }
  const annulled = new Set(weighings.flatMap(({ annuls }) => annuls ?? []));
  const own = new Map(trucks.map((truck) => [truck.plate, truck]));
  const rows = weighings
    .filter(({ at }) => at < now)
    .map((weighing): Row => {
      const { tour, plate, flow, at, gross, tare, annuls, no } = weighing;
      const [code, place] = wastes[flow];
      return [
        no,
        tour === null ? null : String(tour.id),
        plate,
        own.has(plate) ? "régie" : "prestataire",
        place,
        code,
        timeText(at),
        String(gross),
        String(tare),
        String(gross - tare),
        annulled.has(weighing) ? "annulé" : "validé",
        annuls?.no ?? null,
        flow === "TRI" ? weighted(random, { A: 70, B: 24, C: 6 }) : null,
      ];
    });
  const columns = columnsOf({
    num_ticket: "text key",
    id_tournee: "integer in tournees.id_tournee",
    immatriculation: "text",
    origine: "text",
    exutoire: "text",
    code_dechet: "text",
    pese_le: "time",
    brut_kg: "integer",
    tare_kg: "integer",
    net_kg: "integer",
    statut: "text",
    annule_ticket: "text references pesees.num_ticket",
    qualite: "text",
  });
  return { name: "pesees", columns, rows, loads: { column: "pese_le", period: "week" } };
}

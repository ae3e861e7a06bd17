import type { Random } from "../../../faults/random.ts";
import { type CorpusTable, columnsOf, type Row } from "../corpus.ts";
import { dateText, dayMs, digits, letters, maybe, mostlyFirst, normal, timeText, weighted } from "../draw.ts";
import { season } from "./calendar.ts";
import { type Patient, type Species, weightAt } from "./veterinaria-pacientes.ts";
import { isClosed, nextOpen, now, today } from "./veterinaria-propietarios.ts";

/** When they came, for what, and what they were given. */

const visitsFrom = Date.parse("2023-01-02");

type Kind = "CONSULTA" | "REVISION" | "VACUNA" | "CIRUGIA" | "URGENCIA" | "TELEFONO" | "EUTANASIA";

export type Visit = {
  id: number;
  patient: Patient;
  at: number;
  kind: Kind;
  status: "REALIZADA" | "ANULADA" | "NO PRESENTADO" | "CITADA";
  vet: string | null;
  follows: Visit | null;
};

/** One retired, one came; on nights it is whoever has the phone. */
export const vetsAt = (moment: number): string[] => [
  "LPG",
  "MIB",
  ...(moment < Date.parse("2024-08-01") ? ["RDR"] : []),
  ...(moment >= Date.parse("2024-09-02") ? ["JCS"] : []),
];

export function visitsOf(random: Random, patients: readonly Patient[]): Visit[] {
  const visits: Visit[] = [];
  const add = (patient: Patient, day: number, kind: Kind, follows: Visit | null = null): Visit | null => {
    const isUrgent = kind === "URGENCIA";
    const minutes = isUrgent
      ? random.between(0, 24 * 60 - 1)
      : random.chance(0.55)
        ? random.between(38, 54) * 15
        : random.between(66, 79) * 15;
    const at = day + minutes * 60_000;
    const isLast = kind === "EUTANASIA";
    const last = Math.min((patient.died ?? Infinity) - (isLast ? 0 : 1), patient.leaves ?? Infinity);
    // Who is to come tomorrow has an appointment already.
    if (at > now + 20 * dayMs || day > last || (at > now && isUrgent)) return null;
    const visit: Visit = {
      id: 0,
      patient,
      at,
      kind,
      status:
        at > now
          ? "CITADA"
          : isUrgent || kind === "EUTANASIA"
            ? "REALIZADA"
            : weighted(random, { REALIZADA: 935, ANULADA: 40, "NO PRESENTADO": 25 }),
      vet: mostlyFirst(random, vetsAt(at), 1.3),
      follows,
    };
    visits.push(visit);
    return visit;
  };
  for (const patient of patients) {
    if (patient.owner.kind === "clinica") continue;
    const end = Math.min(today + 15 * dayMs, patient.died ?? Infinity, patient.leaves ?? Infinity);
    if (patient.from >= visitsFrom) add(patient, patient.from, "CONSULTA");
    const isVaccinated =
      ["PERRO", "GATO", "CONEJO", "HURON"].includes(patient.species) && random.chance(0.75);
    for (
      let day = Math.max(patient.from, visitsFrom) + Math.round(random.next() ** 2 * 330) * dayMs;
      day < end;
      day += (330 + Math.abs(normal(random)) * 50) * dayMs
    )
      if (isVaccinated) add(patient, nextOpen(day), "VACUNA");
    const often = patient.species === "AVE" || patient.species === "REPTIL" ? 420 : 330;
    for (let day = Math.max(patient.from, visitsFrom); ; ) {
      day += (20 - Math.log(1 - random.next()) * often * season(day, 0.12)) * dayMs;
      if (day >= end) break;
      const kind = weighted(random, { CONSULTA: 66, CIRUGIA: 10, URGENCIA: 9, TELEFONO: 15 });
      const midnight = Math.floor(day / dayMs) * dayMs;
      const visit = add(patient, kind === "URGENCIA" ? midnight : nextOpen(midnight), kind);
      if (
        visit?.status === "REALIZADA" &&
        kind !== "TELEFONO" &&
        random.chance(kind === "CIRUGIA" ? 0.85 : 0.3)
      )
        add(patient, nextOpen(midnight + random.between(6, 14) * dayMs), "REVISION", visit);
    }
    if (patient.died !== null && patient.died >= visitsFrom && !isClosed(patient.died) && random.chance(0.6))
      add(patient, patient.died, "EUTANASIA");
  }
  visits.sort((a, b) => a.at - b.at);
  for (const [index, visit] of visits.entries()) visit.id = 60_233 + index;
  return visits;
}

const general: Record<Kind, string[]> = {
  CONSULTA: ["No come", "Revisión general", "Letargia", "Corte de uñas", "Herida", "Diarrea"],
  REVISION: ["Control", "Cura", "Control peso"],
  VACUNA: ["Vacunación anual", "Vacuna + desparasitación"],
  CIRUGIA: ["Exéresis de masa", "Herida: sutura"],
  URGENCIA: ["Disnea", "Mordedura", "Hemorragia", "Apatía grave"],
  TELEFONO: ["Consulta resultados", "Receta", "Duda medicación"],
  EUTANASIA: ["Eutanasia"],
};
/** What only some have, before what all may have. */
const special: Partial<Record<Species, Partial<Record<Kind, string[]>>>> = {
  PERRO: {
    CONSULTA: ["Vómitos y diarrea", "Cojera EPD", "Prurito", "Otitis", "Espiga en oído", "Tos"],
    CIRUGIA: ["Limpieza dental", "Enterotomía (cuerpo extraño)"],
    URGENCIA: [
      "Atropello",
      "Torsión gástrica",
      "Intoxicación (rodenticida)",
      "Golpe de calor",
      "Procesionaria",
    ],
  },
  GATO: {
    CONSULTA: ["Vómitos", "Otitis", "Prurito", "Estornudos", "Orina fuera del arenero"],
    CIRUGIA: ["Limpieza dental"],
    URGENCIA: ["Atropello", "Obstrucción urinaria", "Caída de altura"],
  },
  CABALLO: { CONSULTA: ["Cojera", "Revisión dental"], URGENCIA: ["Cólico"], CIRUGIA: ["Herida: sutura"] },
};

/** Each is neutered once, and stitches come out after they went in. */
function reasonOf(random: Random, { kind, patient, follows, status }: Visit, neutered: Set<Patient>): string {
  const { species, sex, isNeutered } = patient;
  if (kind === "REVISION" && follows?.kind === "CIRUGIA")
    return random.chance(0.7) ? "Retirada de puntos" : "Control";
  if (kind === "CIRUGIA" && isNeutered === "S" && status === "REALIZADA" && !neutered.has(patient)) {
    neutered.add(patient);
    return sex === "H" ? "OVH" : "Castración";
  }
  const able = [...(special[species]?.[kind] ?? []), ...general[kind]];
  return mostlyFirst(
    random,
    sex === "H" && kind === "CONSULTA" && species === "PERRO" ? [...able, "Bulto en mama"] : able,
    1.3,
  );
}

const remarks = [
  "Ver hoja",
  "Prop. avisado del coste",
  "animal agresivo, bozal",
  "¡ALERGIA a penicilina!",
  "revisar en 7 d.",
];
const ears = ["Dx: otitis externa (Malassezia)", "Dx: otitis externa (Malassezia), limpiar c/12 h"];

/** Nobody is weighed on the phone; reptiles have the temperature of the room. */
export function visitTable(random: Random, visits: readonly Visit[]): CorpusTable {
  const neutered = new Set<Patient>();
  const rows = visits.map((visit): Row => {
    const { id, patient, at, kind, status, vet, follows } = visit;
    const isHere = status === "REALIZADA" && kind !== "TELEFONO";
    const kilos = weightAt(random, patient, at);
    const isMeasured = isHere && kind !== "VACUNA" && !["REPTIL", "AVE"].includes(patient.species);
    const isChilled = kind === "EUTANASIA" || kind === "URGENCIA";
    const usual = patient.species === "CONEJO" ? 39 : patient.species === "CABALLO" ? 37.8 : 38.6;
    const heat = reasonHeat(random, isChilled) + usual + normal(random) * 0.35;
    const reason = reasonOf(random, visit, neutered);
    const minutes = (at / 60_000) % (24 * 60);
    return [
      String(id),
      String(patient.id),
      timeText(at),
      kind,
      reason,
      status,
      status === "CITADA" ? null : vet,
      isHere && random.chance(kind === "URGENCIA" || patient.species === "CABALLO" ? 0.6 : 0.92)
        ? kilos.toFixed(kilos < 1 ? 3 : kilos > 100 ? 0 : 2)
        : null,
      isMeasured ? maybe(random, 0.7, () => heat.toFixed(1)) : null,
      kind === "URGENCIA" && (minutes < 9 * 60 || minutes > 20 * 60 || isClosed(at - minutes * 60_000))
        ? "S"
        : "N",
      follows === null ? null : String(follows.id),
      isHere ? maybe(random, 0.3, () => random.pick(reason === "Otitis" ? ears : remarks)) : null,
    ];
  });
  const columns = columnsOf({
    IdVisita: "integer key",
    IdPaciente: "integer in Pacientes.IdPaciente",
    FechaHora: "time",
    Tipo: "text",
    Motivo: "text",
    Estado: "text",
    Veterinario: "text",
    PesoKg: "decimal",
    Temperatura: "decimal",
    SuplementoNocturno: "text",
    IdVisitaOrigen: "integer references Visitas.IdVisita",
    Notas: "text",
  });
  return { name: "Visitas", columns, rows, loads: { column: "FechaHora", period: "week" } };
}

/** What is run over is cold; what was left in a car is not. */
const reasonHeat = (random: Random, isChilled: boolean): number =>
  isChilled && random.chance(0.3) ? random.pick([-1.9, -3.2, 2.6]) : random.chance(0.08) ? 1.3 : 0;

type Vaccine = { name: string; species: string[]; months: number; maker: string };

/** Rabies is given every year by law here, and what dogs get against kennel cough has no fixed term. */
const vaccines: Vaccine[] = [
  { name: "Rabia", species: ["PERRO", "GATO", "HURON"], months: 12, maker: "Nobivac Rabia" },
  { name: "DHPPi/L4", species: ["PERRO"], months: 12, maker: "Nobivac DHPPi + L4" },
  { name: "Leishmania", species: ["PERRO"], months: 12, maker: "LetiFend" },
  { name: "Tos perreras", species: ["PERRO"], months: 0, maker: "Nobivac KC" },
  { name: "Trivalente felina", species: ["GATO"], months: 12, maker: "Purevax RCP" },
  { name: "Leucemia felina", species: ["GATO"], months: 24, maker: "Purevax FeLV" },
  { name: "Mixomatosis/RHD2", species: ["CONEJO"], months: 12, maker: "Nobivac Myxo-RHD PLUS" },
];

type Batch = { no: string; until: number };

/** A batch lasts a good quarter; then there is the next one, which is good for longer. */
export function vaccineTable(random: Random, visits: readonly Visit[]): CorpusTable {
  const batches = new Map<string, Batch>();
  const batchOf = ({ maker }: Vaccine, at: number): Batch => {
    const key = `${maker} ${Math.floor(at / dayMs / 110)}`;
    const known = batches.get(key) ?? {
      no: maker.startsWith("Nobivac")
        ? `A${digits(random, 3)}${letters(random, 1)}${digits(random, 2)}`
        : maker.startsWith("Purevax")
          ? `L${digits(random, 6)}`
          : digits(random, 6),
      until: (Math.floor(at / dayMs) + random.between(150, 520)) * dayMs,
    };
    batches.set(key, known);
    return known;
  };
  const rows: Row[] = [];
  for (const { id, patient, at, kind, status, vet } of visits) {
    if (kind !== "VACUNA" || status !== "REALIZADA") continue;
    const able = vaccines.filter(({ species }) => species.includes(patient.species));
    const given = able.filter((_, index) => index === 0 || random.chance(0.55));
    for (const vaccine of given) {
      const batch = batchOf(vaccine, at);
      const next = new Date(at);
      next.setUTCMonth(next.getUTCMonth() + vaccine.months);
      const isYoung = patient.born !== null && at - patient.born < 120 * dayMs;
      const again = isYoung ? at + 28 * dayMs : next.getTime();
      // When it died, no reminder is due.
      const isDue = (vaccine.months > 0 || isYoung) && patient.died === null;
      rows.push([
        String(id),
        String(patient.id),
        vaccine.name,
        vaccine.maker,
        batch.no,
        dateText(batch.until),
        dateText(at),
        isDue ? dateText(again) : null,
        isYoung ? "PRIMOVAC" : "RECUERDO",
        vet,
      ]);
    }
  }
  const columns = columnsOf({
    IdVisita: "integer in Visitas.IdVisita",
    IdPaciente: "integer in Pacientes.IdPaciente",
    Vacuna: "text",
    Producto: "text",
    Lote: "text",
    Caducidad: "date",
    FechaAplicacion: "date",
    ProximaDosis: "date",
    Pauta: "text",
    Veterinario: "text",
  });
  return { name: "Vacunaciones", columns, rows, loads: { column: "FechaAplicacion", period: "week" } };
}

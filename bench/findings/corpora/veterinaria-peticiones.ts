import type { Random } from "../../../faults/random.ts";
import { type CorpusTable, columnsOf, type Row } from "../corpus.ts";
import { dateText, dayMs, heavyTailed, maybe, timeText, weighted } from "../draw.ts";
import { daysFrom, hourMs, poisson } from "./calendar.ts";
import type { Patient } from "./veterinaria-pacientes.ts";
import { isClosed, nextOpen, now, today } from "./veterinaria-propietarios.ts";
import { materials, testOf } from "./veterinaria-pruebas.ts";
import type { Visit } from "./veterinaria-visitas.ts";

/** What the laboratory is asked for. */

const panels = {
  GENERAL: ["ALT", "FA", "CREA", "UREA", "GLU", "PT", "HCT", "LEU", "PLQ"],
  PREQX: ["CREA", "ALT", "GLU", "HCT", "PLQ"],
  GERIATRICO: ["ALT", "FA", "CREA", "UREA", "GLU", "PT", "HCT", "LEU", "PLQ", "SDMA", "T4", "DU", "U-PROT"],
  URGENCIAS: ["HCT", "GLU", "CREA", "PCR", "LEU"],
  TIROIDES: ["T4"],
  LEISHMANIA: ["LEISH", "PT"],
  FELINA: ["FIV", "FELV"],
  ORINA: ["DU", "U-PROT", "CULT"],
  CITOLOGIA: ["CITO"],
};
type Panel = keyof typeof panels;

export type Request = {
  no: string;
  patient: Patient;
  visit: Visit | null;
  panel: Panel;
  codes: string[];
  taken: number | null;
  received: number;
  reported: number | null;
  /** Ordered twice by two of us. */
  isCanceled: boolean;
};

/** Of our own visits, and of what other practices send by messenger. */
export function requestsOf(
  random: Random,
  patients: readonly Patient[],
  visits: readonly Visit[],
): Request[] {
  const requests: Request[] = [];
  const add = (
    patient: Patient,
    visit: Visit | null,
    panel: Panel,
    taken: number | null,
    received: number,
  ) => {
    // Of exotic animals there is less blood, and no ranges.
    const isSmall = !["PERRO", "GATO"].includes(patient.species);
    const codes = panels[panel].filter(
      (code) => !isSmall || !["PCR", "SDMA", "T4", "FIV", "FELV", "LEISH"].includes(code),
    );
    const isOut = codes.some((code) => testOf(code)?.isOut);
    const wait = isOut
      ? nextOpen(received + (1 + heavyTailed(random, 2.5, 0.5)) * dayMs) +
        random.between(9 * 60, 18 * 60) * 60_000
      : received + random.between(18, 140) * 60_000;
    const isCanceled = random.chance(0.012);
    if (codes.length > 0 && received < now)
      requests.push({
        no: "",
        patient,
        visit,
        panel,
        codes,
        taken,
        received,
        reported: wait < now && !isCanceled ? wait : null,
        isCanceled,
      });
  };
  for (const visit of visits) {
    const panel = panelOf(random, visit);
    if (panel === null) continue;
    const taken = visit.at + random.between(8, 35) * 60_000;
    add(visit.patient, visit, panel, taken, taken + random.between(2, 20) * 60_000);
  }
  const sent = patients.filter(({ owner }) => owner.kind === "clinica");
  for (const day of daysFrom("2023-01-09", today - dayMs).filter((each) => !isClosed(each)))
    for (let count = poisson(random, 0.28); count > 0; count--) {
      const able = sent.filter(({ from, died }) => from <= day && (died === null || died > day));
      if (able.length === 0) continue;
      const received = day + random.between(12 * 60, 14 * 60) * 60_000;
      // They do not always tell when it was taken.
      const taken = maybe(random, 0.6, () => received - random.between(2, 26) * hourMs);
      add(
        random.pick(able),
        null,
        weighted(random, { GENERAL: 50, TIROIDES: 14, ORINA: 16, CITOLOGIA: 20 }),
        taken,
        received,
      );
    }
  requests.sort((a, b) => a.received - b.received);
  const counts = new Map<string, number>();
  for (const request of requests) {
    const year = dateText(request.received).slice(2, 4);
    counts.set(year, (counts.get(year) ?? 0) + 1);
    request.no = `${year}-${String(counts.get(year)).padStart(5, "0")}`;
  }
  return requests;
}

function panelOf(random: Random, { kind, patient, status, at }: Visit): Panel | null {
  if (status !== "REALIZADA" || kind === "TELEFONO" || kind === "EUTANASIA") return null;
  if (kind === "CIRUGIA") return random.chance(0.9) ? "PREQX" : null;
  if (kind === "URGENCIA") return random.chance(0.5) ? "URGENCIAS" : null;
  if (patient.species === "GATO" && patient.owner.kind === "protectora" && random.chance(0.4))
    return "FELINA";
  const isOld = at - (patient.born ?? at) > 8 * 365 * dayMs;
  // Before and after the sand flies fly.
  const month = new Date(at).getUTCMonth();
  if (kind === "VACUNA")
    return patient.species === "PERRO" && (month === 3 || month === 10) && random.chance(0.4)
      ? "LEISHMANIA"
      : null;
  if (!random.chance(0.3)) return null;
  return weighted(random, {
    GENERAL: 50,
    GERIATRICO: isOld ? 40 : 0,
    ORINA: 14,
    CITOLOGIA: 12,
    TIROIDES: isOld ? 8 : 0,
  });
}

export function requestTable(requests: readonly Request[]): CorpusTable {
  const rows = requests.map(
    ({ no, patient, visit, panel, codes, taken, received, reported, isCanceled }): Row => {
      const groups = codes.map((code) => materials[testOf(code)?.group ?? ""] ?? "SUERO");
      const isOut = codes.some((code) => testOf(code)?.isOut);
      return [
        no,
        String(patient.id),
        visit === null ? null : String(visit.id),
        visit === null ? patient.owner.last : null,
        panel,
        [...new Set(groups)].join("+"),
        taken === null ? null : timeText(taken),
        timeText(received),
        reported === null ? null : timeText(reported),
        isOut ? (panel === "CITOLOGIA" ? "Histovet Valencia" : "Laboratorios Albéitar") : null,
        isCanceled ? "ANULADA" : reported === null ? "EN CURSO" : "INFORMADA",
      ];
    },
  );
  const columns = columnsOf({
    NumPeticion: "text key",
    IdPaciente: "integer in Pacientes.IdPaciente",
    IdVisita: "integer in Visitas.IdVisita",
    ClinicaRemitente: "text",
    Perfil: "text",
    Muestras: "text",
    FechaToma: "time",
    FechaRecepcion: "time",
    FechaInforme: "time",
    LabExterno: "text",
    Estado: "text",
  });
  return { name: "Peticiones", columns, rows, loads: { column: "FechaRecepcion", period: "week" } };
}

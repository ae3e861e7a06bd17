import { Random } from "../../../faults/random.ts";
import { type CorpusDatabase, type CorpusTable, columnsOf, type Row } from "../corpus.ts";
import { cents, dateText, dayMs, heavyTailed, money, weighted } from "../draw.ts";
import { daysFrom, poisson } from "./calendar.ts";
import { resultTable } from "./veterinaria-laboratorio.ts";
import { patientsOf, patientTable } from "./veterinaria-pacientes.ts";
import { requestsOf, requestTable } from "./veterinaria-peticiones.ts";
import {
  isClosed,
  nextOpen,
  now,
  type Owner,
  ownersOf,
  ownerTable,
  today,
} from "./veterinaria-propietarios.ts";
import { rangeTable, testTable } from "./veterinaria-pruebas.ts";
import { type Visit, vaccineTable, visitsOf, visitTable } from "./veterinaria-visitas.ts";

/**
 * A Spanish veterinary practice with a laboratory: animals from canaries to horses, births that were guessed, two
 * patients with one chip after an adoption, results in numbers, titers and crosses, other units since there is a new
 * analyzer, corrections that keep what they correct, and invoices by series with their rectifications.
 */
export function veterinaria(seed: number): CorpusDatabase {
  const random = new Random(seed * 191 + 151);
  const owners = ownersOf(random);
  const patients = patientsOf(random, owners);
  const visits = visitsOf(random, patients);
  const requests = requestsOf(random, patients, visits);
  return {
    name: "veterinaria",
    now,
    tables: [
      ownerTable(owners),
      patientTable(random, patients),
      visitTable(random, visits),
      vaccineTable(random, visits),
      testTable(),
      rangeTable(),
      requestTable(requests),
      resultTable(random, requests),
      invoiceTable(random, visits, owners, requests),
    ],
  };
}

type Requests = ReturnType<typeof requestsOf>;
type Invoice = {
  series: "F" | "T" | "R";
  no: string;
  day: number;
  owner: Owner | null;
  visit: Visit | null;
  base: number;
  vat: number;
  rectifies: Invoice | null;
};

/** Prices rise each January, and most are round with the tax. */
const basePrices: Record<string, number> = {
  CONSULTA: 38,
  REVISION: 18,
  VACUNA: 52,
  CIRUGIA: 235,
  URGENCIA: 96,
  EUTANASIA: 110,
};

/** By visit; shelters and other practices by month. What is sold over the counter has no name on it. */
function invoiceTable(
  random: Random,
  visits: readonly Visit[],
  owners: readonly Owner[],
  requests: Requests,
): CorpusTable {
  const invoices: Invoice[] = [];
  const tested = new Map(
    requests.flatMap((each) => (each.visit ? [[each.visit, each.codes.length] as const] : [])),
  );
  const months = new Map<string, number>();
  const perMonth = (owner: Owner, at: number, amount: number) => {
    const key = `${owner.id} ${dateText(at).slice(0, 7)}`;
    months.set(key, (months.get(key) ?? 0) + amount);
  };
  for (const visit of visits) {
    const { patient, at, kind, status } = visit;
    if (status !== "REALIZADA" || !(kind in basePrices)) continue;
    // What was part of the operation costs nothing more.
    if (kind === "REVISION" && visit.follows?.kind === "CIRUGIA") continue;
    const rise = 1 + 0.035 * (new Date(at).getUTCFullYear() - 2023);
    const size = patient.weight > 100 ? 3.4 : patient.weight > 30 ? 1.25 : 1;
    const more =
      kind === "CIRUGIA" || kind === "URGENCIA"
        ? heavyTailed(random, 1, 0.45)
        : random.chance(0.5)
          ? 1
          : heavyTailed(random, 1.3, 0.3);
    const gross =
      Math.round(((basePrices[kind] ?? 0) * size * more + (tested.get(visit) ?? 0) * 8.5) * rise * 2) / 2;
    const isCharity = patient.owner.kind === "protectora";
    if (isCharity) perMonth(patient.owner, at, gross * 0.7);
    else
      invoices.push({
        series: "F",
        no: "",
        day: Math.floor(at / dayMs) * dayMs,
        owner: patient.owner,
        visit,
        base: cents(gross / 1.21),
        vat: 21,
        rectifies: null,
      });
  }
  for (const { patient, visit, received, codes } of requests)
    if (visit === null) perMonth(patient.owner, received, codes.length * 6.9);
  for (const [key, amount] of months) {
    const [id = "", month = ""] = key.split(" ");
    const [year = 0, number = 0] = month.split("-").map(Number);
    const day = nextOpen(Date.UTC(year, number, 1));
    const owner = owners.find((each) => each.id === Number(id)) ?? null;
    if (day < today)
      invoices.push({
        series: "F",
        no: "",
        day,
        owner,
        visit: null,
        base: cents(amount / 1.21),
        vat: 21,
        rectifies: null,
      });
  }
  for (const day of daysFrom("2023-01-02", today - dayMs).filter((each) => !isClosed(each)))
    for (let count = poisson(random, 0.7); count > 0; count--) {
      // Food has another tax than what is for the coat.
      const vat = random.chance(0.6) ? 10 : 21;
      const gross = Math.max(1.5, Math.round(heavyTailed(random, 21, 0.7) * 20) / 20);
      invoices.push({
        series: "T",
        no: "",
        day,
        owner: null,
        visit: null,
        base: cents(gross / (1 + vat / 100)),
        vat,
        rectifies: null,
      });
    }
  for (const invoice of invoices.filter(({ series }) => series === "F")) {
    const day = nextOpen(invoice.day + random.between(1, 40) * dayMs);
    // Whole, or what was charged twice.
    const share = random.chance(0.6) ? 1 : 0.35;
    if (random.chance(0.012) && day < today)
      invoices.push({
        ...invoice,
        series: "R",
        day,
        visit: null,
        base: cents(-invoice.base * share),
        rectifies: invoice,
      });
  }
  invoices.sort((a, b) => a.day - b.day);
  numbered(invoices);
  const rectified = new Set(invoices.flatMap(({ rectifies }) => rectifies ?? []));
  const rows = invoices.map((invoice) => invoiceRow(random, invoice, rectified.has(invoice)));
  const columns = columnsOf({
    NumFactura: "text key",
    Serie: "text",
    Fecha: "date",
    IdPropietario: "integer in Propietarios.IdPropietario",
    IdVisita: "integer in Visitas.IdVisita",
    BaseImponible: "decimal",
    TipoIVA: "integer",
    CuotaIVA: "decimal",
    Total: "decimal",
    FormaPago: "text",
    FechaCobro: "date",
    FacturaRectificada: "text references Facturas.NumFactura",
    Estado: "text",
  });
  return { name: "Facturas", columns, rows, loads: { column: "Fecha", period: "week" } };
}

/** Each series and year counts for itself. */
function numbered(invoices: readonly Invoice[]): void {
  const counts = new Map<string, number>();
  for (const invoice of invoices) {
    const key = `${invoice.series}${dateText(invoice.day).slice(2, 4)}`;
    counts.set(key, (counts.get(key) ?? 0) + 1);
    invoice.no = `${key}/${String(counts.get(key)).padStart(4, "0")}`;
  }
}

/** On the spot, or by transfer at the end of the month; some pay late, and one or the other never. */
function invoiceRow(
  random: Random,
  { no, series, day, owner, visit, base, vat, rectifies }: Invoice,
  isRectified: boolean,
): Row {
  const tax = cents((base * vat) / 100);
  const isFirm = owner !== null && owner.kind !== "particular";
  const paid = isFirm
    ? nextOpen(day + Math.min(150, heavyTailed(random, 28, 0.5)) * dayMs)
    : random.chance(0.04)
      ? nextOpen(day + heavyTailed(random, 30, 0.9) * dayMs)
      : day;
  const isPaid = paid < today && !(owner !== null && owner.id % 53 === 0 && day > Date.parse("2024-11-01"));
  const method = isFirm
    ? "TRANSFERENCIA"
    : paid === day
      ? weighted(random, { TARJETA: 62, EFECTIVO: 26, BIZUM: 12 })
      : weighted(random, { BIZUM: 50, TRANSFERENCIA: 35, EFECTIVO: 15 });
  return [
    no,
    series,
    dateText(day),
    owner === null ? null : String(owner.id),
    visit === null ? null : String(visit.id),
    money(base),
    String(vat),
    money(tax),
    money(cents(base + tax)),
    isPaid ? method : null,
    isPaid ? dateText(paid) : null,
    rectifies?.no ?? null,
    isRectified ? "RECTIFICADA" : isPaid ? "COBRADA" : "PENDIENTE",
  ];
}

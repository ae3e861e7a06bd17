import type { Random } from "../../../faults/random.ts";
import { type CorpusTable, columnsOf, type Row } from "../corpus.ts";
import { dateText, dayMs, mostlyFirst, normal, timeText, weighted } from "../draw.ts";
import type { Request } from "./veterinaria-peticiones.ts";
import { now } from "./veterinaria-propietarios.ts";
import { materials, molar, ranges, replaced, type Test, testOf } from "./veterinaria-pruebas.ts";
import { vetsAt } from "./veterinaria-visitas.ts";

/** What came out. */

const citologies = [
  "Compatible con lipoma.",
  "Mastocitoma cutáneo, se recomienda exéresis con márgenes.",
  "Inflamación neutrofílica séptica (cocos)",
  "Muestra no diagnóstica: hemodilución",
  "Hiperplasia sebácea",
  "Histiocitoma; suele remitir en 2-3 meses",
];

/** In words, in titers, in crosses: as the method has it. */
function wordsOf(random: Random, code: string): string {
  if (code === "U-PROT") return weighted(random, { Negativo: 48, Trazas: 24, "+": 15, "++": 9, "+++": 4 });
  if (code === "LEISH")
    return weighted(random, { Negativo: 74, "1:40": 8, "1:80": 9, "1:160": 5, "1:320": 3, "1:640": 1 });
  if (code === "CULT")
    return weighted(random, {
      "Sin crecimiento": 62,
      "Escherichia coli >100.000 UFC/mL": 22,
      "Staphylococcus pseudintermedius 10.000 UFC/mL": 9,
      "Flora mixta (contaminación)": 7,
    });
  if (code === "CITO") return random.pick(citologies);
  return weighted(random, { Negativo: 88, Positivo: 12 });
}

type Result = {
  request: Request;
  test: Test;
  value: number | null;
  words: string | null;
  at: number | null;
  status: string;
  note: string | null;
  corrects: Result | null;
  by: string;
  id: number;
};

/** What was wrong is told again and refers to what it corrects; of a spoiled specimen there is no value. */
export function resultTable(random: Random, requests: readonly Request[]): CorpusTable {
  const results = requests.flatMap((request) =>
    request.codes.flatMap((code) => resultsOf(random, request, code)),
  );
  // What corrects another was entered later.
  results.sort((a, b) => enteredAt(a) - enteredAt(b));
  for (const [index, result] of results.entries()) result.id = 41_877 + index;
  const rows = results.map(rowOf);
  const columns = columnsOf({
    IdResultado: "integer key",
    NumPeticion: "text in Peticiones.NumPeticion",
    Codigo: "text references Pruebas.Codigo",
    Resultado: "text",
    Operador: "text",
    ValorNum: "decimal",
    Unidad: "text",
    RefMin: "decimal",
    RefMax: "decimal",
    Marca: "text",
    Estado: "text",
    IdCorregido: "integer references Resultados.IdResultado",
    Observaciones: "text",
    Validador: "text",
    FechaValidacion: "time",
  });
  return { name: "Resultados", columns, rows, loads: { childrenOf: "NumPeticion" } };
}

const enteredAt = ({ corrects, at, request }: Result): number => (corrects && at) ?? request.received;

function resultsOf(random: Random, request: Request, code: string): Result[] {
  const test = testOf(code);
  if (!test) return [];
  const range = request.patient.species === "GATO" ? (test.cat ?? test.dog) : test.dog;
  const isNumber = test.spread > 0 && range;
  const draw = (): number => {
    const [low, high] = range ?? [0, 1];
    const middle =
      code === "PCR"
        ? 8
        : code === "ALT"
          ? 48
          : low === null || low === 0
            ? high * 0.6
            : Math.sqrt(low * high);
    // One in thirty is really ill.
    const ill =
      ["ALT", "FA", "CREA", "UREA", "GLU"].includes(code) && random.chance(0.035) ? 2 + random.next() * 7 : 1;
    if (code === "DU") return Math.max(1.001, Math.min(1.075, 1.03 + normal(random) * 0.013));
    return middle * Math.exp(normal(random) * test.spread * 0.75) * ill;
  };
  const base: Result = {
    request,
    test,
    value: isNumber ? draw() : null,
    words: isNumber ? null : wordsOf(random, code),
    at: request.reported,
    status: request.reported === null ? "PENDIENTE" : "VALIDADO",
    note: code === "PLQ" && random.chance(0.08) ? "Agregados plaquetarios: recuento estimado" : null,
    corrects: null,
    by: mostlyFirst(random, vetsAt(request.received), 1.6),
    id: 0,
  };
  if (request.isCanceled)
    return [{ ...base, value: null, words: null, status: "ANULADO", note: "Petición duplicada" }];
  if (base.at === null) return [{ ...base, value: null, words: null, note: null }];
  if (["SUERO", "EDTA"].includes(materials[test.group] ?? "") && random.chance(0.012))
    return [
      {
        ...base,
        value: null,
        words: null,
        status: "ANULADO",
        note: random.pick([
          "Muestra hemolizada",
          "Muestra lipémica",
          "Muestra coagulada",
          "Volumen insuficiente",
        ]),
      },
    ];
  const corrected = base.at + random.between(20, 3000) * 60_000;
  if (base.value !== null && random.chance(0.008) && corrected < now) {
    const first = { ...base, status: "CORREGIDO" };
    return [
      first,
      {
        ...base,
        value: base.value * (1 + normal(random) * 0.2),
        at: corrected,
        note: random.pick(["Repetido con dilución", "Error de identificación de tubo", "Repetido"]),
        corrects: first,
      },
    ];
  }
  return [base];
}

/** In text with a comma, as it is printed; in the number column what is below a limit has the limit. */
function rowOf({ request, test, value, words, at, status, note, corrects, id, by }: Result): Row {
  const { code, limits } = test;
  const change = request.received >= replaced ? molar[code] : undefined;
  const [unit, factor, decimals] = change ?? [test.unit, 1, test.decimals];
  const isBelow = value !== null && limits[0] !== null && value < limits[0];
  const isAbove = value !== null && limits[1] !== null && value > limits[1];
  const bound = value === null ? null : isBelow ? limits[0] : isAbove ? limits[1] : value;
  const number = bound === null ? null : (bound * factor).toFixed(decimals);
  const operator = isBelow ? "<" : isAbove ? ">" : null;
  const { patient, received } = request;
  const months = (received - (patient.born ?? 0)) / dayMs / 30.44;
  const day = dateText(received);
  const range = ranges.find(
    (each) =>
      each.code === code &&
      each.species === patient.species &&
      each.from <= months &&
      (each.to === null || each.to > months) &&
      each.since <= day &&
      (each.until === null || each.until >= day),
  );
  const mark =
    number === null || !range
      ? null
      : range.low !== null && Number(number) < range.low
        ? "B"
        : Number(number) > range.high
          ? Number(number) > range.high * 3
            ? "AA"
            : "A"
          : null;
  return [
    String(id),
    request.no,
    code,
    number === null ? words : `${operator ?? ""}${number.replace(".", ",")}`,
    operator,
    number,
    words === null ? unit : null,
    range?.low == null ? null : range.low.toFixed(decimals),
    range ? range.high.toFixed(decimals) : null,
    mark,
    status,
    corrects === null ? null : String(corrects.id),
    note,
    at === null ? null : test.isOut ? "EXT" : by,
    at === null ? null : timeText(at),
  ];
}

import { type CorpusTable, columnsOf, type Row } from "../corpus.ts";
import type { Species } from "./veterinaria-pacientes.ts";

/** What is measured, and what is usual. */

/** The new analyzer tells creatinine, urea and glucose in moles. */
export const replaced = Date.parse("2024-05-06");
export const molar: Record<string, [string, number, number]> = {
  CREA: ["µmol/L", 88.4, 0],
  UREA: ["mmol/L", 0.1665, 1],
  GLU: ["mmol/L", 0.0555, 1],
};

export type Test = {
  code: string;
  name: string;
  group: string;
  unit: string | null;
  decimals: number;
  /** Below and above that nothing can be told. */
  limits: [number | null, number | null];
  dog: [number | null, number] | null;
  cat: [number | null, number] | null;
  spread: number;
  isOut: boolean;
};

/** What has no range is told in words. */
const tests: Test[] = `ALT|Alanina aminotransferasa (GPT)|BIOQ|U/L|0|10|1000|10|125|12|130|0.5
FA|Fosfatasa alcalina|BIOQ|U/L|0|10|2000|23|212|14|111|0.5
CREA|Creatinina|BIOQ|mg/dL|1|0.1|13.6|0.5|1.8|0.8|2.4|0.32
UREA|Urea|BIOQ|mg/dL|0|2|300|15|57|34|76|0.35
GLU|Glucosa|BIOQ|mg/dL|0|10|686|74|143|74|159|0.2
PT|Proteínas totales|BIOQ|g/dL|1|||5.2|8.2|5.7|8.9|0.1
HCT|Hematocrito|HEMO|%|1|||37.3|61.7|30.3|52.3|0.14
LEU|Leucocitos|HEMO|10³/µL|2|||5.05|16.76|2.87|17.02|0.4
PLQ|Plaquetas|HEMO|10³/µL|0|||148|484|151|600|0.35
PCR|Proteína C reactiva|BIOQ|mg/L|1|10|100||10|||1.1
SDMA|Dimetilarginina simétrica|BIOQ|µg/dL|0|||0|14|0|14|0.35
T4|Tiroxina total|HORM|µg/dL|1|0.5|7|1|4|0.8|4.7|0.5
DU|Densidad urinaria|ORINA||3|||1.015|1.045|1.02|1.06|0.008
U-PROT|Proteínas en orina (tira)|ORINA|||||||||
LEISH|Leishmania IFI|SERO||||||||||
FIV|Inmunodeficiencia felina|SERO||||||||||
FELV|Leucemia felina|SERO||||||||||
CULT|Urocultivo|MICRO||||||||||
CITO|Citología|ANPAT||||||||||`
  .split("\n")
  .map((line) => {
    const [code = "", name = "", group = "", unit, decimals, ...rest] = line.split("|");
    const [below, above, dogLow, dogHigh, catLow, catHigh, spread] = rest.map((text) =>
      text === "" ? null : Number(text),
    );
    return {
      code,
      name,
      group,
      unit: unit || null,
      decimals: Number(decimals),
      limits: [below ?? null, above ?? null],
      dog: dogHigh ? [dogLow ?? null, dogHigh] : null,
      cat: catHigh ? [catLow ?? null, catHigh] : null,
      spread: spread ?? 0,
      isOut: ["LEISH", "CULT", "CITO", "T4"].includes(code),
    };
  });
export const testOf = (code: string): Test | undefined => tests.find((test) => test.code === code);

export function testTable(): CorpusTable {
  const rows = tests.map(
    ({ code, name, group, unit, decimals, limits, spread, isOut }): Row => [
      code,
      name,
      group,
      molar[code]?.[0] ?? unit,
      spread === 0 ? null : String(molar[code]?.[2] ?? decimals),
      limits[0] === null ? null : String(limits[0]),
      isOut ? "EXT" : "INT",
    ],
  );
  const columns = columnsOf({
    Codigo: "text key",
    Descripcion: "text",
    Grupo: "text",
    UnidadActual: "text",
    Decimales: "integer",
    LimiteInferior: "decimal",
    Laboratorio: "text",
  });
  return { name: "Pruebas", columns, rows };
}

type Range = {
  code: string;
  species: Species;
  from: number;
  to: number | null;
  low: number | null;
  high: number;
  unit: string | null;
  since: string;
  until: string | null;
};

/** By species and age in months; those of the old analyzer held until it was replaced. */
export const ranges: Range[] = tests.flatMap((test) =>
  (["PERRO", "GATO"] as const).flatMap((species) => {
    const range = species === "PERRO" ? test.dog : test.cat;
    if (!range) return [];
    const { code, unit } = test;
    const [low, high] = range;
    const base: Range = {
      code,
      species,
      from: 0,
      to: null,
      low,
      high,
      unit,
      since: "2012-09-03",
      until: null,
    };
    const change = molar[code];
    if (change) {
      const [to, factor, decimals] = change;
      const written = (value: number) => Number((value * factor).toFixed(decimals));
      return [
        { ...base, until: "2024-05-05" },
        { ...base, since: "2024-05-06", unit: to, low: written(low ?? 0), high: written(high) },
      ];
    }
    // Bones that grow make more of it.
    if (code === "FA" && species === "PERRO")
      return [
        { ...base, to: 6, low: 46, high: 337 },
        { ...base, from: 6 },
      ];
    if (code === "HCT" && species === "PERRO")
      return [
        { ...base, to: 4, low: 27.9, high: 44.5 },
        { ...base, from: 4 },
      ];
    return [base];
  }),
);

export function rangeTable(): CorpusTable {
  const rows = ranges.map(({ code, species, from, to, low, high, unit, since, until }): Row => {
    const decimals = molar[code]?.[0] === unit ? (molar[code]?.[2] ?? 0) : (testOf(code)?.decimals ?? 0);
    return [
      code,
      species,
      String(from),
      to === null ? null : String(to),
      low === null ? null : low.toFixed(decimals),
      high.toFixed(decimals),
      unit,
      since,
      until,
    ];
  });
  const columns = columnsOf({
    Codigo: "text references Pruebas.Codigo",
    Especie: "text",
    MesesDesde: "integer",
    MesesHasta: "integer",
    RefMin: "decimal",
    RefMax: "decimal",
    Unidad: "text",
    VigenteDesde: "date",
    VigenteHasta: "date",
  });
  return { name: "ValoresReferencia", columns, rows };
}

export const materials: Record<string, string> = {
  BIOQ: "SUERO",
  HORM: "SUERO",
  SERO: "SUERO",
  HEMO: "EDTA",
  ORINA: "ORINA",
  MICRO: "ORINA",
  ANPAT: "PORTA",
};

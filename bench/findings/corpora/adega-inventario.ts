import type { Random } from "../../../faults/random.ts";
import { type CorpusTable, columnsOf, type Row } from "../corpus.ts";
import { dateText, dayMs, heavyTailed, money, weighted } from "../draw.ts";
import type { Article } from "./adega-artigos.ts";

/** The second cellar was opened in 2023. */
const cellarsAt = (day: number) => [
  "SACAVEM",
  ...(day > Date.parse("2023-02-01") ? ["GAIA"] : []),
  "ENTREPOSTO",
];

/** Twice a year all is counted; nearly all is as it should be. */
export function countTable(random: Random, articles: readonly Article[]): CorpusTable {
  const rows: Row[] = [];
  for (const text of [
    "2021-12-31",
    "2022-06-30",
    "2022-12-30",
    "2023-06-30",
    "2023-12-29",
    "2024-06-28",
    "2024-12-31",
    "2025-06-30",
  ]) {
    const day = Date.parse(text);
    const there = articles.filter(
      ({ created, soldOut }) => created < day && (soldOut ?? Infinity) > day - 30 * dayMs,
    );
    for (const article of there)
      for (const cellar of cellarsAt(day)) {
        if (
          !random.chance(
            cellar === "SACAVEM" ? 0.24 : cellar === "GAIA" ? 0.09 : article.price > 40 ? 0.16 : 0.01,
          )
        )
          continue;
        const expected = Math.round(heavyTailed(random, article.price > 40 ? 14 : 96, 1));
        const slip = random.chance(0.07)
          ? weighted(random, { "-1": 40, "-2": 12, "-6": 14, "-12": 4, "1": 10, "6": 9, "-75": 0.4 })
          : "0";
        const difference = Math.max(-expected, Number(slip));
        rows.push([
          text,
          cellar,
          article.ref,
          cellar === "ENTREPOSTO"
            ? `DAU${dateText(article.created).slice(2, 4)}/${String(random.between(1, 420)).padStart(4, "0")}`
            : "",
          String(expected),
          String(expected + difference),
          String(difference),
          money(difference * article.price * 0.62),
          difference === 0
            ? ""
            : difference > 0
              ? "acerto"
              : difference < -50
                ? "inundação"
                : random.pick(["quebra", "quebra", "quebra", "prova", "furto", "acerto"]),
          random.chance(0.5) ? "RPM" : "CJN",
        ]);
      }
  }
  const columns = columnsOf({
    data: "date",
    armazem: "text",
    ref: "text in st.ref",
    lote: "text",
    qtsis: "integer",
    qtcont: "integer",
    dif: "integer",
    edif: "decimal",
    motivo: "text",
    conferente: "text",
  });
  return { name: "stinv", columns, rows };
}

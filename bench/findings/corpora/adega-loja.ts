import type { Random } from "../../../faults/random.ts";
import { type CorpusTable, columnsOf, type Row } from "../corpus.ts";
import {
  cents,
  dateText,
  dayMs,
  digits,
  heavyTailed,
  money,
  mostlyFirst,
  timeText,
  weighted,
} from "../draw.ts";
import { type Article, priceOn } from "./adega-artigos.ts";
import { noDate } from "./adega-produtores.ts";
import { daysFrom, momentsOf, poisson, season } from "./calendar.ts";

/** The shop on the web was tried for two and a half years, and shut for good. */

const shut = Date.parse("2023-09-30");
const relaunched = Date.parse("2022-03-01");
/** In March, September and December. */
const campaigns: Record<number, string> = { 2: "PAI10", 8: "VINDIMA10", 11: "NATAL10" };
const people =
  "ana.simoes,anasimoes,rui.c,luis.goncalves,luisa.goncalves,tbrandao,d.nobrega,marie.dupont,j.smith,ines.falcao,joao.magalhaes,zemanel".split(
    ",",
  );

/** With a phone people could pay from its second year on. What was not paid in three days was canceled. */
export function webOrderTable(random: Random, articles: readonly Article[]): CorpusTable {
  const rows: Row[] = [];
  let no = 10_000;
  for (const day of daysFrom("2021-03-08", shut)) {
    const there = articles.filter(
      ({ created, soldOut, size }) => created < day && (soldOut ?? Infinity) > day && size <= 150,
    );
    for (const at of momentsOf(random, day, poisson(random, 0.95 * season(day, 0.35)), [8, 24])) {
      const article = mostlyFirst(random, there, 1.2);
      const bottles = weighted(random, { "1": 30, "2": 24, "3": 16, "6": 24, "12": 5, "24": 1 });
      const goods = cents(Number(bottles) * priceOn(article, day) * 1.6);
      const postage = goods >= 75 ? 0 : 5.9;
      const code = campaigns[new Date(day).getUTCMonth()];
      const hasCode = code !== undefined && random.chance(0.3);
      const rebate = hasCode ? cents(goods * 0.1) : 0;
      const method = weighted(random, {
        MULTIBANCO: 48,
        "MB WAY": day >= relaunched ? 40 : 0,
        PAYPAL: 14,
        "TRANSF.": 2,
      });
      const isUnpaid = random.chance(method === "MULTIBANCO" ? 0.1 : 0.01);
      const isBack = !isUnpaid && random.chance(0.012);
      const sent = day + Math.ceil(heavyTailed(random, 1.6, 0.5)) * dayMs;
      no += 1;
      rows.push([
        `W${String(no)}`,
        timeText(at),
        `${random.pick(people)}${random.chance(0.6) ? digits(random, 2) : ""}@${random.pick(["gmail.example", "sapo.example", "hotmail.example"])}`,
        article.ref,
        bottles,
        money(goods),
        money(-rebate),
        money(postage),
        money(cents(goods - rebate + postage)),
        hasCode ? code : "",
        method,
        isUnpaid ? noDate : dateText(sent),
        isUnpaid ? "CANCELADA" : isBack ? "DEVOLVIDA" : "ENTREGUE",
        random.chance(0.06)
          ? random.pick(["É para oferta!", "Deixar na portaria", "please call before delivery", "2.º esq."])
          : "",
      ]);
    }
  }
  const columns = columnsOf({
    encno: "text key",
    data: "time",
    email: "text",
    ref: "text in st.ref",
    qtt: "integer",
    mercadoria: "decimal",
    desconto: "decimal",
    portes: "decimal",
    total: "decimal",
    cupao: "text",
    pagamento: "text",
    dtenvio: "date",
    estado: "text",
    nota: "text",
  });
  return { name: "we", columns, rows };
}

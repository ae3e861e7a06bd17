import { Random } from "../../../faults/random.ts";
import type { CorpusDatabase } from "../corpus.ts";
import { articlesOf, articleTable, tastingTable } from "./adega-artigos.ts";
import { allocationTable, clientsOf, clientTable } from "./adega-clientes.ts";
import { invoicesOf, invoiceTable, lineTable } from "./adega-faturas.ts";
import { countTable } from "./adega-inventario.ts";
import { webOrderTable } from "./adega-loja.ts";
import { familyTable, now, producersOf, producerTable } from "./adega-produtores.ts";

/**
 * A Portuguese wine merchant on an old ERP without NULL: an empty date is in 1900, an empty number is 0. Vintages of
 * 1963 and wines without one, codes of two generations, estates that differ by a letter, taxes of three regions, excise
 * on what was fortified, points of two scales, allocations that were refused, two weeks in August without anything, and a
 * shop on the web that was shut.
 */
export function adega(seed: number): CorpusDatabase {
  const random = new Random(seed * 199 + 167);
  const producers = producersOf(random);
  const articles = articlesOf(random, producers);
  const clients = clientsOf(random);
  const invoices = invoicesOf(random, { articles, clients });
  return {
    name: "adega",
    now,
    tables: [
      producerTable(random, producers),
      familyTable(),
      articleTable(random, articles),
      tastingTable(random, articles),
      clientTable(random, clients),
      allocationTable(random, clients, articles),
      invoiceTable(random, invoices),
      lineTable(invoices),
      countTable(random, articles),
      webOrderTable(random, articles),
    ],
  };
}

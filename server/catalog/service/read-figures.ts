import type { z } from "zod";
import type { SignedIn } from "../../auth/principal.ts";
import { getContractSource } from "../../data-quality/service/contract-sources.ts";
import { useDatabase } from "../../data-sources/service/connected-sources.ts";
import { asProblem } from "../../data-sources/source-problem.ts";
import { kept } from "../../kept.ts";
import { findTable } from "../../profile/service/find-table.ts";
import { readTable } from "../../profile/service/read-table.ts";
import { figuresOf } from "../column-figures.ts";
import type { tableFiguresInput, tableFiguresSchema } from "../schema.ts";

/** Figures that were read a moment ago are shown again: people look at one column after another. */
const keptMs = 60_000;

type Asked = z.output<typeof tableFiguresInput>;
type Figures = z.input<typeof tableFiguresSchema>;

/**
 * What the columns of a table hold today, from all of its rows or, of a large table, from 100,000 of them. Throws
 * not_found for a table that does not exist, rejected for a data source that is not a database, and the problems of a
 * data source that does not respond.
 */
export async function readFigures(ctx: SignedIn, asked: Asked): Promise<Figures> {
  await getContractSource(ctx, asked.id);
  const key = JSON.stringify(["figures", asked.id, asked.schemaName, asked.tableName]);
  return kept(key, keptMs, () => read(ctx, asked)).catch((error) => {
    throw asProblem(error);
  });
}

async function read(ctx: SignedIn, asked: Asked): Promise<Figures> {
  const found = await findTable(ctx, asked.id, asked);
  const table = await useDatabase(
    asked.id,
    (dialect, source) => source.session((session) => readTable(session, dialect, found)),
    "person",
  );
  const { rowCount, totalRows, isWhole, columns } = table;
  return { readAt: new Date(), rowsRead: rowCount, totalRows, isWhole, columns: columns.map(figuresOf) };
}

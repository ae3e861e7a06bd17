import { parse } from "csv-parse/sync";
import type { ColumnKind } from "../../../server/data-sources/dialects/dialect.ts";
import { momentOf, numberOf } from "../../../server/profile/plain-values.ts";
import type { CorpusTable, Row } from "../corpus.ts";

type Options = {
  /** Every column is text, as some loads leave it. */
  isText?: boolean;
  references?: Readonly<Record<string, string>>;
};

/** A file as a load would store it: what is empty is NULL, and columns of numbers or dates are typed so. */
export function fromCsv(name: string, file: string, options: Options = {}): CorpusTable {
  const [header = [], ...records] = parse(file, {
    bom: true,
    relax_column_count: true,
    relax_quotes: true,
  }) as string[][];
  return tableOf(
    name,
    header,
    records.map((record) => header.map((_, index) => record[index] || null)),
    options,
  );
}

export function fromRecords(
  name: string,
  records: readonly Readonly<Record<string, unknown>>[],
  options: Options = {},
): CorpusTable {
  const header = [...new Set(records.flatMap((record) => Object.keys(record)))];
  const cell = (value: unknown) =>
    value === null || value === undefined || value === "" ? null : String(value);
  return tableOf(
    name,
    header,
    records.map((record) => header.map((key) => cell(record[key]))),
    options,
  );
}

function tableOf(
  name: string,
  header: string[],
  rows: Row[],
  { isText, references = {} }: Options,
): CorpusTable {
  const columns = header.map((column, index) => {
    const [table = "", target = ""] = references[column]?.split(".") ?? [];
    const kind = isText ? "text" : kindOf(rows.flatMap((row) => row[index] ?? []));
    return { name: column, kind, isDeclared: false, ...(table && { references: { table, column: target } }) };
  });
  return { name, columns, rows };
}

function kindOf(values: string[]): ColumnKind {
  if (values.length === 0) return "text";
  const all = (holds: (value: string) => boolean) => values.every(holds);
  if (all((value) => /^-?\d{1,15}$/.test(value) && !/^-?0\d/.test(value))) return "integer";
  if (all((value) => !Number.isNaN(numberOf(value)) && !/^-?0\d/.test(value))) return "float";
  if (all((value) => !Number.isNaN(momentOf(value)))) return values[0]?.length === 10 ? "date" : "time";
  if (all((value) => value === "true" || value === "false")) return "other";
  return "text";
}

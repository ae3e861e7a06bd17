import type { BriefedTable } from "../briefing.ts";
import { clipped, fitting } from "./room.ts";

/** A table, with counts if they are known. */
export type ToldTable = Omit<BriefedTable, "profile"> & Partial<Pick<BriefedTable, "profile">>;

/** Tables in a prompt have names, types, keys, comments, and counts, never cell values. */
const limits = { columns: 150, comment: 200, context: 1500 };

/**
 * Tables as JSON, one per line, as many as fit; mentioned tables come first. Others are listed by name only as far as
 * that fits, and the rest are counted.
 */
export function tableLines(
  tables: readonly ToldTable[],
  { said, omitted, room }: { said: readonly string[]; omitted: number; room: number },
): string[] {
  const sorted = byRelevance(tables, said);
  const lines = sorted.map((table) => JSON.stringify(describedTable(table)));
  const isAll = lines.reduce((sum, { length }) => sum + length + 1, 0) <= room;
  const whole = fitting(lines, isAll ? room : room * 0.85);
  const others = sorted.slice(whole.length).map(({ schemaName, tableName }) => `${schemaName}.${tableName}`);
  const named = fitting(
    others.map((name) => JSON.stringify(name)),
    room * 0.12,
  );
  const unnamed = others.length - named.length + omitted;
  return [
    ...whole,
    ...(named.length > 0
      ? [JSON.stringify(`There are also these, without room for their columns: ${named.join(", ")}`)]
      : []),
    ...(unnamed > 0 ? [JSON.stringify(`${unnamed} further tables are left out here`)] : []),
  ];
}

/** Puts mentioned tables first and otherwise keeps the order. */
function byRelevance(tables: readonly ToldTable[], said: readonly string[]): ToldTable[] {
  const words = new Set(
    said
      .join(" ")
      .toLowerCase()
      .match(/[\p{L}\p{N}_$]+/gu),
  );
  const isNamed = ({ tableName }: ToldTable) => words.has(tableName.toLowerCase());
  return [...tables.filter(isNamed), ...tables.filter((table) => !isNamed(table))];
}

function describedTable({ schemaName, tableName, kind, rowEstimate, ...table }: ToldTable) {
  const { comment, context, columns, profile } = table;
  const profiled = new Map(profile?.columns.map((column) => [column.name, column]));
  const told = columns.slice(0, limits.columns).map((column) => {
    const counts = profiled.get(column.name);
    const { references } = column;
    return {
      name: column.name,
      type: column.type,
      ...(column.isPrimaryKey ? { primaryKey: true } : {}),
      ...(column.nullable ? {} : { notNull: true }),
      ...(references
        ? { references: `${references.schemaName}.${references.tableName}.${references.columnName}` }
        : {}),
      ...(column.comment ? { comment: clipped(column.comment, limits.comment) } : {}),
      ...(profile && counts && profile.rows > 0
        ? {
            nulls: profile.rows - counts.values,
            ...(counts.different === null ? {} : { different: counts.different }),
            ...(counts.ageSeconds === null ? {} : { newestIsOld: ageOf(counts.ageSeconds) }),
          }
        : {}),
    };
  });
  const left = columns.length - told.length;
  return {
    table: `${schemaName}.${tableName}`,
    ...(kind === "View" ? { kind } : {}),
    ...(comment ? { comment: clipped(comment, limits.comment) } : {}),
    ...(context ? { context: clipped(context, limits.context) } : {}),
    ...(rowEstimate === null ? {} : { estimatedRows: rowEstimate }),
    ...(profile ? { counts: { rows: profile.rows, ofAllRows: profile.isWhole } } : {}),
    columns: told,
    ...(left > 0 ? { columnsLeftOut: left } : {}),
  };
}

/** In a unit suitable for choosing limits; the newest time may be in the future. */
function ageOf(seconds: number): string {
  const units = [
    { unit: "days", of: 86_400 },
    { unit: "hours", of: 3600 },
    { unit: "minutes", of: 60 },
  ];
  const { unit, of } = units.find(({ of }) => Math.abs(seconds) >= 2 * of) ?? { unit: "seconds", of: 1 };
  return `${Math.round(seconds / of)} ${unit}`;
}

/** The names of all schemas, tables, and columns, in lowercase. */
export function namesIn(tables: readonly ToldTable[]): Set<string> {
  return new Set(
    tables.flatMap(({ schemaName, tableName, columns }) =>
      [schemaName, tableName, ...columns.map(({ name }) => name)].map((name) => name.toLowerCase()),
    ),
  );
}

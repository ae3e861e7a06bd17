import { isOrphan } from "../../data-sources/dialects/clauses.ts";
import { referential } from "./referential.ts";
import { type SqlScope, sqlFor } from "./rule-sql.ts";
import type { Configuration } from "./rules.ts";

type References = Configuration<"Referential">;

function orphansIn(sql: SqlScope, references: References, collation?: string): string {
  const { column, referenceSchema = sql.schemaName, referenceTable, referenceColumn } = references;
  const reference = { table: sql.relation(referenceSchema, referenceTable), column: referenceColumn };
  return isOrphan(sql, sql.checked(column).value, reference, collation && ` ${collation}`);
}

/** Only text columns have a collation, so it is specified only if the server requires one. */
const acrossCollations = (sql: SqlScope, references: References) =>
  sql.commonCollation === null ? null : orphansIn(sql, references, sql.commonCollation);

function orphans(sql: SqlScope, references: References) {
  const again = acrossCollations(sql, references);
  return {
    failing: orphansIn(sql, references),
    ...(again !== null && { failingAcrossCollations: again }),
  };
}

export const referentialSql = sqlFor(referential, {
  measure(sql, references) {
    const counting = (condition: string) =>
      `select ${sql.count()} as ${sql.quote("orphans")} from ${sql.table} as checked
    where ${condition}`;
    const again = acrossCollations(sql, references);
    return {
      statement: counting(orphansIn(sql, references)),
      ...(again !== null && { acrossCollations: counting(again) }),
    };
  },
  inGroups: orphans,
  sample: orphans,
});

import type { Configuration } from "./configuration.ts";
import { counted } from "./figures.ts";
import { defineRule, fail, pass, type SqlScope, type Values } from "./rule.ts";

// Both columns are qualified: an unqualified one that is missing in the reference table would be found in the
// outer query, and every row would pass.
const isOrphan = ({ schemaName, id, relation }: SqlScope, c: Configuration<"Referential">, collation = "") =>
  `checked.${id(c.column)} is not null and not exists (
      select 1 from ${relation(c.referenceSchema ?? schemaName, c.referenceTable)} as reference
      where reference.${id(c.referenceColumn)}${collation} = checked.${id(c.column)}${collation})`;

/** Texts only, and nothing else, have a collation: so it is said only where the server asks for one. */
const oneCollation = " collate database_default";

const orphansBy =
  (count: "count(*)" | "count_big(*)", collation?: string) =>
  (scope: SqlScope, c: Configuration<"Referential">) => {
    const counting = (condition: string) =>
      `select ${count} as ${scope.id("orphans")} from ${scope.table} as checked
    where ${condition}`;
    return {
      statement: counting(isOrphan(scope, c)),
      ...(collation && { acrossCollations: counting(isOrphan(scope, c, collation)) }),
    };
  };

const orphans = (collation?: string) => (scope: SqlScope, c: Configuration<"Referential">) => ({
  failing: isOrphan(scope, c),
  ...(collation && { failingAcrossCollations: isOrphan(scope, c, collation) }),
});

/** Every value that is not NULL is found in the reference column. */
export const referential = defineRule({
  type: "Referential",
  label: "Every value exists elsewhere",
  measure: {
    postgresql: orphansBy("count(*)"),
    mysql: orphansBy("count(*)"),
    sqlserver: orphansBy("count_big(*)", oneCollation),
  },
  sample: { postgresql: orphans(), mysql: orphans(), sqlserver: orphans(oneCollation) },
  interpret({ orphans }: Values<"orphans">, { referenceSchema, referenceTable, referenceColumn }) {
    const place = [referenceSchema, referenceTable, referenceColumn].filter(Boolean).join(".");
    const expected = `every value in ${place}`;
    if (orphans === "0") return pass({ expected, actual: "every value found", failing: orphans });
    return fail({ expected, actual: `${counted(orphans ?? 0, "row")} without a match`, failing: orphans });
  },
});

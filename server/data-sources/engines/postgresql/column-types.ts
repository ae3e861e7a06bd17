/** Types that have the same OID in every PostgreSQL, by their common name. */
const wellKnown: Record<number, string> = {
  16: "boolean",
  17: "bytea",
  20: "bigint",
  21: "smallint",
  23: "integer",
  25: "text",
  26: "oid",
  114: "json",
  142: "xml",
  700: "real",
  701: "double precision",
  790: "money",
  869: "inet",
  1042: "character",
  1043: "character varying",
  1082: "date",
  1083: "time without time zone",
  1114: "timestamp without time zone",
  1184: "timestamp with time zone",
  1186: "interval",
  1266: "time with time zone",
  1700: "numeric",
  2950: "uuid",
  3802: "jsonb",
};

type Lookup = (sql: string, oids: string) => Promise<readonly { oid?: unknown; name?: unknown }[]>;

/** The name of each type. Asks the server for types that only it knows, such as enums and arrays. */
export async function namesOfTypes(oids: readonly number[], lookUp: Lookup): Promise<string[]> {
  const unknown = [...new Set(oids.filter((oid) => !(oid in wellKnown)))];
  const found = new Map<number, string>();
  if (unknown.length > 0) {
    const rows = await lookUp(
      `select oid::text as oid, pg_catalog.format_type(oid, null) as name
       from pg_catalog.unnest($1::pg_catalog.oid[]) as types (oid)`,
      `{${unknown.join(",")}}`,
    );
    for (const { oid, name } of rows) found.set(Number(oid), String(name));
  }
  return oids.map((oid) => wellKnown[oid] ?? found.get(oid) ?? "unknown");
}

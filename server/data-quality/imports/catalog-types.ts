/** The names of types in databases' catalogs, by what other tools and their libraries call them. */
const families: readonly { names: readonly string[]; catalog: readonly string[] }[] = [
  { names: ["integer", "int", "int4", "int32", "integertype"], catalog: ["integer", "int"] },
  { names: ["biginteger", "bigint", "int8", "int64", "longtype"], catalog: ["bigint"] },
  { names: ["smallinteger", "smallint", "int2", "int16", "shorttype"], catalog: ["smallint"] },
  { names: ["numeric", "decimal", "decimaltype"], catalog: ["numeric", "decimal"] },
  {
    names: ["float", "double", "double_precision", "double precision", "float8", "float64", "doubletype"],
    catalog: ["double precision", "double", "float"],
  },
  { names: ["real", "float4", "float32", "floattype"], catalog: ["real", "float"] },
  {
    names: ["varchar", "nvarchar", "character varying"],
    catalog: ["character varying", "varchar", "nvarchar"],
  },
  { names: ["char", "nchar", "character"], catalog: ["character", "char", "nchar"] },
  { names: ["text", "clob"], catalog: ["text", "mediumtext", "longtext"] },
  {
    names: ["string", "str", "object", "stringtype", "unicode"],
    catalog: ["character varying", "varchar", "nvarchar", "text", "character", "char"],
  },
  { names: ["boolean", "bool", "booleantype"], catalog: ["boolean", "tinyint", "bit"] },
  { names: ["date", "datetype"], catalog: ["date"] },
  {
    names: ["timestamp", "datetime", "datetime64", "datetime64[ns]", "timestamptype"],
    catalog: [
      "timestamp without time zone",
      "timestamp with time zone",
      "timestamp",
      "datetime",
      "datetime2",
    ],
  },
  { names: ["time"], catalog: ["time without time zone", "time"] },
  { names: ["uuid"], catalog: ["uuid", "uniqueidentifier"] },
  { names: ["json"], catalog: ["json"] },
  { names: ["jsonb"], catalog: ["jsonb"] },
];

/** None for a type that is unknown. A length, as in VARCHAR(10), does not matter. */
export function catalogTypes(name: string): string[] {
  const own = name
    .trim()
    .toLowerCase()
    .replace(/\(.*\)$/, "");
  return families.flatMap(({ names, catalog }) => (names.includes(own) ? catalog : []));
}

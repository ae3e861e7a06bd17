/** A program other than PostgreSQL that speaks its protocol. */
export type Relative = {
  name: string;
  /** Why nothing can be read from it; null if it can be tried. */
  refusal: string | null;
  /** What is known not to work. */
  remark: string | null;
};

/** By what `version()` says; null for PostgreSQL itself. What is said of each is from its documentation. */
export function relativeIn(version: string): Relative | null {
  const [, redshift] = /\bRedshift ([\d.]+)/.exec(version) ?? [];
  if (redshift !== undefined)
    return {
      name: `Amazon Redshift ${redshift}`,
      refusal:
        "Amazon Redshift is not supported: it speaks PostgreSQL's protocol, but does not know the SQL that Plumbline sends to PostgreSQL",
      remark: null,
    };
  const [, greenplum] = /\(Greenplum Database (\d[\d.]*)/.exec(version) ?? [];
  if (greenplum !== undefined)
    return {
      name: `Greenplum ${greenplum}`,
      refusal:
        Number.parseInt(greenplum, 10) < 7
          ? "Greenplum 7 or newer is required: older ones are based on PostgreSQL 9.4, which does not know the SQL that Plumbline sends"
          : null,
      remark: "Plumbline was not tried on Greenplum",
    };
  const [, cockroach] = /^CockroachDB\b.*?\bv(\d[\d.]*)/.exec(version) ?? [];
  if (cockroach !== undefined)
    return {
      name: `CockroachDB ${cockroach}`,
      refusal: null,
      remark:
        "CockroachDB is not supported: it has no plans as JSON, which dry runs need, and no samples of tables (TABLESAMPLE)",
    };
  return null;
}

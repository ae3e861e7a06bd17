import { duckdb } from "../../dialects/duckdb.ts";
import { SourceError } from "../engine.ts";
import { tokensOf } from "../tokens.ts";

/**
 * Functions that statements must not call: they read files, run SQL that is given as text, tell about the process, or
 * change something in it. The process that runs statements is walled in any case; this says why before anything is run.
 */
const outward = new Set(
  `
  arrow_scan arrow_scan_dumb check_peg_parser checkpoint currval disable_logging disable_peg_parser disable_profiling
  enable_logging enable_peg_parser enable_profiling force_checkpoint glob in_search_path json_execute_serialized_sql
  json_deserialize_sql json_serialize_plan nextval parse_duckdb_log_message query query_table seq_scan setseed sleep_ms
  sniff_csv sql_auto_complete stats truncate_duckdb_logs which_secret write_log getenv
  add_parquet_key copy_database import_database
  `
    .trim()
    .split(/\s+/),
);
const families = /^(read|parquet|duckdb|pragma|scan|iceberg|delta|sqlite|postgres|mysql|st)_/;

export const isOutward = (name: string) => outward.has(name) || families.test(name);

/** Throws SourceError "refused" for a call of such a function, unless an Admin has allowed it. */
export function rejectOutward(sql: string, allowed: ReadonlySet<string>): void {
  let name: string | null = null;
  for (const token of tokensOf(sql, duckdb.lexis)) {
    if (token.kind === "open" && name !== null && isOutward(name) && !allowed.has(name))
      throw new SourceError("refused", `The function ${name} is not allowed`);
    name = token.kind === "word" || token.kind === "quoted" ? token.text : null;
  }
}

import { snowflake } from "../../dialects/snowflake.ts";
import { SourceError } from "../engine.ts";
import { type Token, tokensOf } from "../tokens.ts";

/**
 * Which functions a statement may call: built-in ones that compute from their arguments, as listed here. What a team has
 * defined may reach other systems, procedures may write, functions of language models cost by the row, and `SYSTEM$…` ends
 * other people's statements; an Admin can allow each by its name. A function of a team cannot have the name of a built-in
 * one, so no catalog has to be asked.
 */

const safe = new Set(
  `
  abs acos acosh add_months any_value approx_count_distinct approx_percentile approx_top_k array_agg array_append
  array_cat array_compact array_construct array_construct_compact array_contains array_distinct array_except
  array_flatten array_generate_range array_insert array_intersection array_max array_min array_position array_prepend
  array_remove array_remove_at array_reverse array_size array_slice array_sort array_to_string array_unique_agg
  array_union_agg arrays_overlap arrays_to_object arrays_zip as_array as_binary as_boolean as_char as_varchar as_date
  as_decimal as_number as_double as_real as_integer as_object as_time as_timestamp_ltz as_timestamp_ntz as_timestamp_tz
  ascii asin asinh atan atan2 atanh avg
  base64_decode_binary base64_decode_string base64_encode bit_length bitand bitand_agg bitmap_bit_position
  bitmap_bucket_number bitmap_construct_agg bitmap_count bitmap_or_agg bitnot bitor bitor_agg bitshiftleft
  bitshiftright bitxor bitxor_agg booland booland_agg boolnot boolor boolor_agg boolxor boolxor_agg
  cast cbrt ceil char charindex check_json check_xml chr coalesce collate collation compress concat concat_ws
  conditional_change_event conditional_true_event contains convert_timezone corr cos cosh cot count count_if covar_pop
  covar_samp cume_dist current_account current_database current_date current_region current_role current_schema
  current_time current_timestamp current_user current_version current_warehouse
  date date_from_parts date_part date_trunc dateadd datediff datefromparts dayname decode decompress_binary
  decompress_string degrees dense_rank div0 div0null
  editdistance endswith equal_null exp
  factorial first_value flatten floor
  generate_column_description generator get get_ignore_case get_path greatest greatest_ignore_nulls grouping
  grouping_id haversine hash hash_agg hex_decode_binary hex_decode_string hex_encode hll hll_accumulate hll_combine
  hll_estimate hour iff ifnull initcap insert is_array is_binary is_boolean is_char is_varchar is_date is_date_value
  is_decimal is_double is_real is_integer is_null_value is_object is_time is_timestamp_ltz is_timestamp_ntz
  is_timestamp_tz
  jarowinkler_similarity json_extract_path_text kurtosis lag last_day last_value lead least least_ignore_nulls left
  len length ln localtime localtimestamp log lower lpad ltrim
  max max_by md5 md5_hex md5_binary md5_number_lower64 md5_number_upper64 median min min_by minhash minhash_combine
  minute mod mode month monthname months_between next_day nth_value ntile nullif nullifzero nvl nvl2
  object_agg object_construct object_construct_keep_null object_delete object_insert object_keys object_pick
  octet_length parse_ip parse_json parse_url parse_xml percent_rank percentile_cont percentile_disc pi position pow
  power previous_day
  quarter radians rank ratio_to_report regexp_count regexp_extract_all regexp_instr regexp_like regexp_replace
  regexp_substr regexp_substr_all regr_avgx regr_avgy regr_count regr_intercept regr_r2 regr_slope regr_sxx regr_sxy
  regr_syy repeat replace reverse right rlike round row_number rpad rtrim rtrimmed_length
  second sha1 sha1_hex sha1_binary sha2 sha2_hex sha2_binary sign sin sinh skew soundex space split split_part
  split_to_table sqrt square st_area st_asgeojson st_astext st_aswkt st_centroid st_contains st_distance
  st_dwithin st_geographyfromwkt st_intersects st_isvalid st_length st_makepoint st_point st_within st_x st_y
  startswith stddev stddev_pop stddev_samp strip_null_value strtok strtok_split_to_table strtok_to_array substr
  substring sum sysdate systimestamp
  tan tanh time time_from_parts time_slice timeadd timediff timestamp_from_parts timestamp_ltz_from_parts
  timestamp_ntz_from_parts timestamp_tz_from_parts timestampadd timestampdiff to_array to_binary to_boolean to_char
  to_date to_decimal to_double to_geography to_geometry to_json to_number to_numeric to_object to_time to_timestamp
  to_timestamp_ltz to_timestamp_ntz to_timestamp_tz to_varchar to_variant to_xml translate trim trunc truncate try_base64_decode_binary
  try_base64_decode_string try_cast try_hex_decode_binary try_hex_decode_string try_parse_json try_to_binary
  try_to_boolean try_to_date try_to_decimal try_to_double try_to_geography try_to_geometry try_to_number try_to_numeric
  try_to_time try_to_timestamp try_to_timestamp_ltz try_to_timestamp_ntz try_to_timestamp_tz typeof
  unicode uniform upper uuid_string validate_utf8 var_pop var_samp variance variance_pop variance_samp
  week weekiso weekofyear width_bucket xmlget year yearofweek yearofweekiso zeroifnull zipf
  day dayofmonth dayofweek dayofweekiso dayofyear random randstr seq1 seq2 seq4 seq8 normal
  filter transform reduce
  `
    .trim()
    .split(/\s+/),
);

/** Before a parenthesis these are syntax, not functions. */
const syntax = new Set(
  `
  all and any array as asof between binary block by case char character connect cross cube date datetime decimal
  distinct double else end except exclude exists extract fetch filter first float for from full geography geometry
  group grouping having ilike in include inner int integer intersect interval is join keep lateral left like limit map match_condition
  match_recognize measures minus natural not null nulls number numeric object offset on or order outer over partition
  pattern pivot qualify range recursive rename replace respect right rlike rollup row rows sample select seed sets
  string system table tablesample text then time timestamp timestamp_ltz timestamp_ntz timestamp_tz top union unpivot
  using values varbinary varchar variant vector when where window with within bernoulli at before regexp
  `
    .trim()
    .split(/\s+/),
);

const nameOf = (token: Token | undefined) =>
  token?.kind === "word" || token?.kind === "quoted" ? token.text : null;

/** Checks the calls in one data source's statements. */
export class FunctionRules {
  readonly #allowed: ReadonlySet<string>;

  /** `allowed`: names in lowercase, as `name` or `schema.name`. */
  constructor(allowed: readonly string[] = []) {
    this.#allowed = new Set(allowed);
  }

  /** Throws SourceError "refused". */
  requireSafe(sql: string): void {
    const tokens = [...tokensOf(sql, snowflake.lexis)];
    const own = new Set(namesOfWith(tokens));
    for (const [at, token] of tokens.entries()) {
      const name = nameOf(token)?.toLowerCase();
      if (name === undefined || tokens[at + 1]?.kind !== "open") continue;
      const isQualified = tokens[at - 1]?.kind === "dot";
      const qualifier = isQualified ? nameOf(tokens[at - 2])?.toLowerCase() : undefined;
      if (isQualified) {
        if (this.#allowed.has(`${qualifier}.${name}`) || this.#allowed.has(name)) continue;
        throw refused(qualifier === undefined ? name : `${qualifier}.${name}`);
      }
      if (token.kind === "word" && syntax.has(name)) continue;
      if (safe.has(name) || own.has(name) || this.#allowed.has(name)) continue;
      throw refused(name);
    }
  }
}

/** `with name (column, …) as`: a name before a parenthesis that is no call. */
function* namesOfWith(tokens: readonly Token[]): Generator<string> {
  for (const [at, token] of tokens.entries()) {
    const name = nameOf(token)?.toLowerCase();
    if (name === undefined || tokens[at + 1]?.kind !== "open") continue;
    let close = at + 2;
    while (close < tokens.length && tokens[close]?.kind !== "close" && tokens[close]?.kind !== "open")
      close++;
    const [after, next] = [tokens[close + 1], tokens[close + 2]];
    const isDefined =
      tokens[close]?.kind === "close" &&
      after?.kind === "word" &&
      after.text === "AS" &&
      next?.kind === "open";
    if (isDefined && isAfterWith(tokens, at)) yield name;
  }
}

/** After WITH, RECURSIVE, or the comma behind the query before it. */
function isAfterWith(tokens: readonly Token[], at: number): boolean {
  const before = tokens[at - 1];
  if (before?.kind === "word") return before.text === "WITH" || before.text === "RECURSIVE";
  return before?.kind === "other" && tokens[at - 2]?.kind === "close";
}

const refused = (name: string) =>
  new SourceError("refused", `The function ${name} is not allowed: an Admin can allow it on the data source`);

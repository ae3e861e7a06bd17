import { mysql } from "../../dialects/mysql.ts";
import { SourceError } from "../engine.ts";
import { type Token, tokensOf } from "../tokens.ts";

/**
 * Which functions a statement may call: the built-in ones of MySQL and MariaDB that access nothing beyond tables, and
 * those that an Admin has allowed. The servers' own lists omit loadable functions, such as `sys_exec`, so anything
 * unknown is rejected. A name after a schema is always a stored function, whatever it is called.
 *
 * Deliberately excluded: files (load_file), locks and waits for other servers (get_lock, master_pos_wait), sequences
 * (nextval), and anything that changes how the server runs.
 */
const words = (text: string) => text.trim().split(/\s+/);

const ofBoth = words(`
  abs acos adddate addtime aes_decrypt aes_encrypt ascii asin atan atan2 avg benchmark bin bit_and bit_count
  bit_length bit_or bit_xor cast ceil ceiling char char_length character_length charset coalesce coercibility
  collation compress concat concat_ws connection_id conv convert convert_tz cos cot count crc32 cume_dist curdate
  current_date current_role current_time current_timestamp current_user curtime database date date_add date_format
  date_sub datediff day dayname dayofmonth dayofweek dayofyear default degrees dense_rank elt exp export_set extract
  extractvalue field find_in_set first_value floor format format_bytes format_pico_time found_rows from_base64
  from_days from_unixtime geomcollection geometrycollection get_format greatest group_concat hex hour if ifnull
  inet6_aton inet6_ntoa inet_aton inet_ntoa insert instr interval is_free_lock is_ipv4 is_ipv4_compat is_ipv4_mapped
  is_ipv6 is_used_lock isnull json json_array json_array_append json_array_insert json_arrayagg json_contains
  json_contains_path json_depth json_extract json_insert json_keys json_length json_merge json_merge_patch
  json_merge_preserve json_object json_objectagg json_overlaps json_pretty json_query json_quote json_remove
  json_replace json_schema_valid json_search json_set json_table json_type json_unquote json_valid json_value lag
  last_day last_insert_id last_value lcase lead least left length linestring ln localtime localtimestamp locate log
  log10 log2 lower lpad ltrim make_set makedate maketime match max mbrcontains mbrcoveredby mbrdisjoint mbrequal
  mbrequals mbrintersects mbroverlaps mbrtouches mbrwithin md5 microsecond mid min minute mod month monthname
  multilinestring multipoint multipolygon name_const now nth_value ntile nullif oct octet_length ord percent_rank
  period_add period_diff pi point polygon position pow power quarter quote radians rand random_bytes rank
  regexp_instr regexp_replace regexp_substr repeat replace reverse right round row_count row_number rpad rtrim
  schema schemas sec_to_time second session_user sha sha1 sha2 sign sin sleep soundex space sqrt st_area st_asbinary
  st_asgeojson st_astext st_aswkb st_aswkt st_buffer st_centroid st_collect st_contains st_convexhull st_crosses
  st_difference st_dimension st_disjoint st_distance st_distance_sphere st_endpoint st_envelope st_equals
  st_exteriorring st_geohash st_geomcollfromtext st_geomcollfromwkb st_geometrycollectionfromtext
  st_geometrycollectionfromwkb st_geometryfromtext st_geometryfromwkb st_geometryn st_geometrytype
  st_geomfromgeojson st_geomfromtext st_geomfromwkb st_interiorringn st_intersection st_intersects st_isclosed
  st_isempty st_issimple st_isvalid st_latfromgeohash st_length st_linefromtext st_linefromwkb st_linestringfromtext
  st_linestringfromwkb st_longfromgeohash st_mlinefromtext st_mlinefromwkb st_mpointfromtext st_mpointfromwkb
  st_mpolyfromtext st_mpolyfromwkb st_multilinestringfromtext st_multilinestringfromwkb st_multipointfromtext
  st_multipointfromwkb st_multipolygonfromtext st_multipolygonfromwkb st_numgeometries st_numinteriorring
  st_numinteriorrings st_numpoints st_overlaps st_perimeter st_pointfromgeohash st_pointfromtext st_pointfromwkb
  st_pointn st_polyfromtext st_polyfromwkb st_polygonfromtext st_polygonfromwkb st_simplify st_srid st_startpoint
  st_symdifference st_touches st_union st_validate st_within st_x st_y std stddev stddev_pop stddev_samp str_to_date
  strcmp subdate substr substring substring_index subtime sum sysdate system_user tan time time_format time_to_sec
  timediff timestamp timestampadd timestampdiff to_base64 to_days to_seconds trim truncate ucase uncompress
  uncompressed_length unhex unix_timestamp updatexml upper user utc_date utc_time utc_timestamp uuid uuid_short
  var_pop var_samp variance version week weekday weekofyear weight_string year yearweek
`);

const ofMysql = words(`
  any_value bin_to_uuid distance from_vector grouping gtid_subset gtid_subtract icu_version is_uuid
  json_duality_object json_schema_validation_report json_storage_free json_storage_size mbrcovers
  ps_current_thread_id ps_thread_id regexp_like roles_graphml st_buffer_strategy st_frechetdistance
  st_geomcollfromtxt st_hausdorffdistance st_latitude st_lineinterpolatepoint st_lineinterpolatepoints st_longitude
  st_makeenvelope st_pointatdistance st_swapxy st_transform statement_digest statement_digest_text string_to_vector
  to_vector uuid_to_bin validate_password_strength vector_dim vector_to_string
`);

const ofMariadb = words(`
  add_months area asbinary astext aswkb aswkt binlog_gtid_pos boundary buffer centroid chr column_add column_check
  column_create column_delete column_exists column_get column_json column_list contains convexhull crc32c crosses
  decode decode_histogram des_decrypt des_encrypt dimension disjoint encode encrypt endpoint envelope equals
  exteriorring geomcollfromtext geomcollfromwkb geometrycollectionfromtext geometrycollectionfromwkb
  geometryfromtext geometryfromwkb geometryn geometrytype geomfromtext geomfromwkb glength inet4_aton inet4_ntoa
  interiorringn intersects isclosed isempty isring issimple json_array_intersect json_compact json_detailed
  json_equals json_exists json_key_value json_loose json_normalize json_object_filter_keys json_object_to_array kdf
  lastval lengthb linefromtext linefromwkb linestringfromtext linestringfromwkb median mlinefromtext mlinefromwkb
  months_between mpointfromtext mpointfromwkb mpolyfromtext mpolyfromwkb multilinestringfromtext
  multilinestringfromwkb multipointfromtext multipointfromwkb multipolygonfromtext multipolygonfromwkb
  natural_sort_key numgeometries numinteriorrings numpoints nvl nvl2 old_password overlaps password percentile_cont
  percentile_disc pointfromtext pointfromwkb pointn pointonsurface polyfromtext polyfromwkb polygonfromtext
  polygonfromwkb rownum sformat srid st_boundary st_isring st_pointonsurface st_relate startpoint sys_guid to_char
  to_date to_number touches trunc uuid_v4 uuid_v7 vec_distance vec_distance_cosine vec_distance_euclidean
  vec_fromtext vec_totext within wsrep_last_seen_gtid wsrep_last_written_gtid x y
`);

export type Flavor = "MySQL" | "MariaDB";
/** Until the server's kind is known, the functions of either count. */
const builtIn: Record<Flavor | "unknown", ReadonlySet<string>> = {
  MySQL: new Set([...ofBoth, ...ofMysql]),
  MariaDB: new Set([...ofBoth, ...ofMariadb]),
  unknown: new Set([...ofBoth, ...ofMysql, ...ofMariadb]),
};

/** Before a parenthesis these are syntax: nearly all are reserved, so unquoted they cannot name a stored function. */
const syntax = new Set(
  words(`
  against all and any as between bigint binary by case collate columns cross datetime decimal distinct distinctrow
  div double else except exists float for from group having ignore in index inner int integer intersect join key
  lateral like limit mediumint natural not null numeric of on only or order over partition real recursive regexp
  rlike row select smallint some straight_join then tinyint union use using value values varbinary varchar when
  where window with xor
`),
);

export type FunctionRules = {
  /** Names, optionally qualified by schema, in lowercase. */
  allowed: readonly string[];
  /** The schema of unqualified functions. */
  defaultSchema: string;
};

/** Throws SourceError "refused" for a call of anything else. */
export function rejectOtherFunctions(
  sql: string,
  { allowed, defaultSchema }: FunctionRules,
  flavor: Flavor | "unknown" = "unknown",
): void {
  for (const { schema, name, isBare } of callsIn([...tokensOf(sql, mysql.lexis)])) {
    const isBuiltIn = schema === null && (builtIn[flavor].has(name) || (isBare && syntax.has(name)));
    const inSchema = `${schema ?? defaultSchema.toLowerCase()}.${name}`;
    const whole = schema === null ? name : inSchema;
    const isAllowed = allowed.includes(name) || allowed.includes(inSchema);
    if (!isBuiltIn && !isAllowed)
      throw new SourceError(
        "refused",
        `The function ${whole} is not allowed: an Admin can allow it on the data source`,
      );
  }
}

type Call = { schema: string | null; name: string; isBare: boolean };

const textOf = (token: Token | undefined) =>
  token?.kind === "word" || token?.kind === "quoted" ? token.text : null;

/** Every name before a parenthesis, except those before a table's column list and types in casts. */
function* callsIn(tokens: readonly Token[]): Generator<Call> {
  const closings = closingsOf(tokens);
  for (const [at, token] of tokens.entries()) {
    const name = textOf(token);
    if (name === null || tokens[at + 1]?.kind !== "open") continue;
    const before = tokens[at - 1];
    const isQualified = before?.kind === "dot";
    const schema = isQualified ? textOf(tokens[at - 2]) : null;
    if (!isQualified && namesColumns(tokens, at, closings)) continue;
    yield { schema: isQualified ? (schema ?? "") : null, name, isBare: token.kind === "word" };
  }
}

function namesColumns(tokens: readonly Token[], at: number, closings: ReadonlyMap<number, number>): boolean {
  const before = tokens[at - 1];
  // `cast(a as decimal(5, 2))`, `(select 1) as t (a)`, `(select 1) t (a)`.
  if (before?.kind === "close") return true;
  if (before?.kind === "word" && before.text === "as") return true;
  // `with a (x) as (select …)`.
  const end = closings.get(at + 1) ?? tokens.length;
  return textOf(tokens[end + 1]) === "as" && tokens[end + 2]?.kind === "open";
}

/** The closing position of each opening parenthesis. */
function closingsOf(tokens: readonly Token[]): ReadonlyMap<number, number> {
  const closings = new Map<number, number>();
  const opened: number[] = [];
  for (const [at, { kind }] of tokens.entries()) {
    if (kind === "open") opened.push(at);
    const start = kind === "close" ? opened.pop() : undefined;
    if (start !== undefined) closings.set(start, at);
  }
  return closings;
}

import { type Cell, SourceError } from "../engine.ts";
import { callsOf, type Name } from "./calls.ts";

/**
 * Which functions a statement may call. A denylist is never complete, so the server's catalog is checked before the
 * statement is sent:
 *
 * - PostgreSQL's own functions that are declared free of side effects, and of the others only those in `harmless`;
 * - likewise for the extensions in `trustedExtensions`; anything else only if an Admin has allowed it;
 * - user-defined operators and casts that call a volatile function, only if that function may be called.
 *
 * A name is allowed if every function that it could mean to this login is. What views, domains, policies, and
 * allowed functions call is their owner's responsibility.
 */

/** Volatile functions of PostgreSQL that change nothing and access nothing beyond tables and their sizes. */
const harmless = `
  clock_timestamp timeofday random random_normal gen_random_uuid uuidv4 uuidv7 array_sample array_shuffle
  pg_sleep pg_sleep_for pg_sleep_until
  bernoulli system
  pg_column_size pg_database_size pg_indexes_size pg_relation_size pg_table_size pg_tablespace_size
  pg_total_relation_size pg_partition_ancestors pg_partition_tree pg_sequence_last_value
  pg_blocking_pids pg_safe_snapshot_blocking_pids
  pg_current_wal_flush_lsn pg_current_wal_insert_lsn pg_current_wal_lsn pg_get_wal_replay_pause_state
  pg_is_in_recovery pg_is_wal_replay_paused pg_last_wal_receive_lsn pg_last_wal_replay_lsn
  pg_last_xact_replay_timestamp pg_xact_commit_timestamp
`;

/** Extensions whose non-volatile functions are all allowed: none of them runs SQL given as text. */
const trustedExtensions = `
  btree_gin btree_gist citext cube earthdistance fuzzystrmatch h3 hll hstore intarray ip4r isn ltree pg_trgm pgcrypto
  postgis seg tdigest unaccent uuid-ossp vector
`;

/** Declared non-volatile, but they build SQL from text. */
const builders = "find_extent st_find_extent st_findextent";

/** Individual extension functions, regardless of their declaration. */
const harmlessExtensionFunctions = `
  pgcrypto.gen_random_bytes pgcrypto.gen_random_uuid pgcrypto.gen_salt
  timescaledb.approximate_row_count timescaledb.first timescaledb.histogram timescaledb.hypertable_size
  timescaledb.interpolate timescaledb.last timescaledb.locf
  timescaledb.time_bucket timescaledb.time_bucket_gapfill
  tsm_system_rows.system_rows tsm_system_time.system_time
  uuid-ossp.uuid_generate_v1 uuid-ossp.uuid_generate_v1mc uuid-ossp.uuid_generate_v4
`;

/** How long the server's answers are cached; new and changed functions count after that at the latest. */
const lifetimeMs = 60_000;
const maxKnown = 20_000;
/** In one statement; hand-written statements have a few dozen. */
const maxNames = 5_000;

type Kind = "function" | "attribute";
type Asked = Name & { kind: Kind };
/** An operator, or a cast to a type by any of its names, that calls a function that is not allowed. */
type Hazard = { kind: "operator" | "cast"; name: string; words: string[]; calls: string };

/** The question to ask on the connection before a statement may run. */
export type Inquiry = {
  /** A query of ours. */
  sql: string;
  /** Receives its rows. Throws "refused" if the statement must not run. */
  accept(rows: readonly Readonly<Record<string, Cell>>[]): void;
};

export class FunctionRules {
  readonly #allowed: readonly string[];
  /** By name, what is not allowed about it, or null. */
  #known = new Map<string, string | null>();
  #hazards: readonly Hazard[] | null = null;
  #until = 0;

  /**
   * `allowed`: names, optionally qualified by schema, in lowercase.
   */
  constructor(allowed: readonly string[] = []) {
    this.#allowed = allowed;
  }

  /** null if the statement may run according to the cache. Throws SourceError "refused". */
  inquiryOn(statement: string): Inquiry | null {
    const calls = callsOf(statement);
    const names: Asked[] = [
      ...calls.functions.map((name) => ({ ...name, kind: "function" as const })),
      ...calls.attributes.map((name) => ({ ...name, kind: "attribute" as const })),
    ];
    if (names.length > maxNames) throw refused("The statement names too many functions and columns");
    if (Date.now() > this.#until || this.#known.size > maxKnown) this.#forget();
    const judge = () => {
      for (const name of names) {
        const culprit = this.#known.get(keyOf(name));
        if (culprit) throw refused(`The function ${culprit} is not allowed: ${remedy}`);
      }
      for (const { kind, name, words, calls: culprit } of this.#hazards ?? [])
        if (kind === "operator" ? calls.operators.has(name) : words.some((word) => calls.words.has(word)))
          throw refused(
            kind === "operator"
              ? `The operator ${name} calls the function ${culprit}, which is not allowed: ${remedy}`
              : `A cast to ${name} calls the function ${culprit}, which is not allowed: ${remedy}`,
          );
    };
    const unknown = names.filter((name) => !this.#known.has(keyOf(name)));
    judge();
    if (unknown.length === 0 && this.#hazards !== null) return null;
    return {
      sql: inquirySql(unknown, this.#allowed),
      accept: (rows) => {
        this.#learn(unknown, rows);
        judge();
      },
    };
  }

  #forget() {
    this.#known = new Map();
    this.#hazards = null;
    this.#until = Date.now() + lifetimeMs;
  }

  #learn(asked: readonly Asked[], rows: readonly Readonly<Record<string, Cell>>[]) {
    for (const name of asked) this.#known.set(keyOf(name), null);
    const hazards: Hazard[] = [];
    for (const { kind, place, name, words, calls } of rows) {
      const culprit = String(calls);
      if (kind === "operator" || kind === "cast")
        hazards.push({ kind, name: String(name), words: wordsOf(String(words)), calls: culprit });
      else {
        const found = asked[Number(place) - 1];
        if (found) this.#known.set(keyOf(found), culprit);
      }
    }
    this.#hazards = hazards;
  }
}

const keyOf = ({ kind, schema, name }: Asked) => JSON.stringify([kind, schema, name]);

const remedy = "an Admin can allow it on the data source";

/** Synonyms of types, by the server's name. */
const otherWords: Record<string, readonly string[]> = {
  integer: ["int"],
  numeric: ["decimal", "dec"],
  character: ["char", "nchar", "national"],
  double: ["float"],
  real: ["float"],
};

const wordsOf = (text: string) => text.split(" ").flatMap((word) => [word, ...(otherWords[word] ?? [])]);

/** One literal, whatever the server's setting for backslashes. */
const literal = (text: string) => `E'${text.replaceAll("\\", "\\\\").replaceAll("'", "''")}'`;
const list = (text: string | readonly string[]) => {
  const names = typeof text === "string" ? text.trim().split(/\s+/) : text;
  return `array(select json_array_elements_text(${literal(JSON.stringify(names))}::json))`;
};

/** The requested functions that are not allowed, and every operator and cast that calls such a function. */
function inquirySql(asked: readonly Asked[], allowed: readonly string[]): string {
  const names = JSON.stringify(asked.map(({ kind, schema, name }) => [kind, schema, name]));
  // The cast truncates names exactly like the server.
  return `
    with asked as (
      select place, item->>0 as kind, (item->>1)::name as schema, (item->>2)::name as name
      from json_array_elements(${literal(names)}::json) with ordinality as items(item, place)
    ),
    allowed as (
      select ${list(allowed)} as by_admin, ${list(harmless)} as harmless, ${list(trustedExtensions)} as extensions,
        ${list(harmlessExtensionFunctions)} as of_extensions, ${list(builders)} as builders
    ),
    concerned as (
      select asked.kind, asked.place, p.oid as function, null::text as name, null::text as words
      from asked join pg_proc p on p.proname = asked.name
      where case
        when asked.kind = 'function' and asked.schema is not null
          then p.pronamespace = (select n.oid from pg_namespace n where n.nspname = asked.schema)
        when asked.kind = 'function' then pg_function_is_visible(p.oid)
        else pg_function_is_visible(p.oid) and p.pronargs > 0
          and (p.pronargs - p.pronargdefaults <= 1 or p.provariadic <> 0)
          and exists (
            select from pg_type t left join pg_type b on b.oid = t.typbasetype
            where t.oid = p.proargtypes[0]
              and (t.typtype = 'c' or b.typtype = 'c' or t.typname in
                ('any', 'anyelement', 'anynonarray', 'anycompatible', 'anycompatiblenonarray', 'record'))
              and not exists (
                select from pg_attribute a where a.attrelid = t.typrelid and a.attname = asked.name and a.attnum > 0))
          -- A table after its schema looks the same; what has no side effects gets the benefit of the doubt.
          and not (p.provolatile <> 'v' and exists (
            select from pg_class c join pg_namespace n on n.oid = c.relnamespace
            where c.relname = asked.name and n.nspname = asked.schema))
        end
      union all
      select 'operator', null, o.oprcode::oid, o.oprname::text, ''
      from pg_operator o join pg_proc p on p.oid = o.oprcode::oid
      where o.oprnamespace <> 'pg_catalog'::regnamespace and p.provolatile = 'v'
      union all
      select 'cast', null, c.castfunc, format_type(t.oid, null), t.typname || ' ' || format_type(t.oid, null)
      from pg_cast c join pg_proc p on p.oid = c.castfunc join pg_type t on t.oid = c.casttarget
      where p.provolatile = 'v'
    )
    select c.kind, c.place, c.name, c.words,
      case when n.nspname = 'pg_catalog' then '' else n.nspname || '.' end || p.proname as calls
    from concerned c
      join pg_proc p on p.oid = c.function
      join pg_namespace n on n.oid = p.pronamespace
      cross join allowed
      left join pg_depend d on d.classid = 'pg_proc'::regclass and d.objid = p.oid and d.deptype = 'e'
      left join pg_extension e on e.oid = d.refobjid
    where not (
      lower(p.proname) = any(allowed.by_admin) or lower(n.nspname || '.' || p.proname) = any(allowed.by_admin)
      or case
        when e.extname is null then n.nspname in ('pg_catalog', 'information_schema')
          and (p.provolatile <> 'v' or p.proname = any(allowed.harmless))
        else e.extname = any(allowed.extensions) and p.provolatile <> 'v' and p.proname <> all(allowed.builders)
          or e.extname || '.' || p.proname = any(allowed.of_extensions)
        end)
    order by c.place, calls`;
}

const refused = (message: string) => new SourceError("refused", message);

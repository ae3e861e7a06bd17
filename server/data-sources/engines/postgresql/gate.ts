import { SourceError } from "../engine.ts";

/**
 * Lets one reading statement through, before anything is sent. It is the first of three walls, and the one that
 * explains itself; the others are the read-only transaction and the rights of the login, which alone are a
 * boundary: a user-defined function can hide from this one.
 */

const readingWords = new Set(["select", "with", "values", "table"]);

/**
 * Functions whose effects a read-only transaction lets through: they reach other servers, files, other sessions
 * or settings, or run text that this gate has not seen.
 */
const refusedFunctions = new Set(
  `
  dblink dblink_connect dblink_connect_u dblink_exec dblink_open dblink_fetch dblink_send_query
  lo_creat lo_create lo_import lo_export lo_open lo_put lo_unlink lo_from_bytea lo_truncate lo_truncate64 lowrite
  pg_read_file pg_read_binary_file pg_file_write pg_file_unlink pg_file_rename pg_file_sync pg_stat_file
  pg_ls_dir pg_ls_logdir pg_ls_waldir pg_ls_tmpdir pg_ls_archive_statusdir
  pg_terminate_backend pg_cancel_backend pg_reload_conf pg_rotate_logfile pg_promote pg_notify
  pg_switch_wal pg_create_restore_point pg_backup_start pg_backup_stop pg_start_backup pg_stop_backup
  pg_wal_replay_pause pg_wal_replay_resume pg_logical_emit_message pg_replication_slot_advance
  pg_create_physical_replication_slot pg_create_logical_replication_slot pg_drop_replication_slot
  pg_logical_slot_get_changes pg_logical_slot_get_binary_changes
  pg_stat_reset pg_stat_reset_shared pg_stat_reset_single_table_counters pg_stat_statements_reset
  set_config nextval setval
  query_to_xml query_to_xmlschema query_to_xml_and_xmlschema cursor_to_xml ts_stat ts_rewrite crosstab connectby
  `
    .trim()
    .split(/\s+/),
);

/** Throws SourceError "refused", saying what is not allowed. */
export function refuseUnlessReading(sql: string): void {
  if (sql.includes("\u0000")) throw refused("The statement contains a NUL character");
  let firstWord: string | null = null;
  let ended = false;
  /** The last word, while nothing but space and comments has followed: with a parenthesis it is a call. */
  let name: string | null = null;
  for (const token of tokensOf(sql)) {
    if (token.kind === "end") {
      ended ||= firstWord !== null;
      if (firstWord === null) throw refused("The statement is empty");
      continue;
    }
    if (ended) throw refused("Only one statement is allowed");
    if (token.kind === "open" && name !== null && refusedFunctions.has(name))
      throw refused(`The function ${name} is not allowed`);
    if (firstWord === null && token.kind !== "open") {
      firstWord = token.kind === "word" ? token.text : "";
      if (!readingWords.has(firstWord))
        throw refused("Only a statement that reads is allowed: SELECT, WITH, VALUES or TABLE");
    }
    name = token.kind === "word" || token.kind === "quoted" ? token.text : null;
  }
  if (firstWord === null) throw refused("The statement is empty");
}

type Token =
  /** A key word or a name, in lower case. */
  | { kind: "word"; text: string }
  /** A name in quotation marks, without them. */
  | { kind: "quoted"; text: string }
  | { kind: "open" | "end" | "other" };

const space = /[ \t\n\r\f\v]+/y;
const lineComment = /--[^\n\r]*/y;
const wordText = /[A-Za-z_\u0080-\uffff][A-Za-z0-9_$\u0080-\uffff]*/y;
const quotedName = /"(?:[^"]|"")*"/y;
const plainString = /'(?:[^']|'')*'/y;
const escapeString = /'(?:[^'\\]|''|\\[\s\S])*'/y;
const dollarTag = /\$(?:[A-Za-z_\u0080-\uffff][A-Za-z0-9_\u0080-\uffff]*)?\$/y;
const digits = /[0-9][0-9.]*|\$[0-9]+/y;

/** The statement as PostgreSQL's own scanner cuts it, as far as the gate has to know. Comments are left out. */
function* tokensOf(sql: string): Generator<Token> {
  let at = 0;
  const take = (pattern: RegExp): string | null => {
    pattern.lastIndex = at;
    const found = pattern.exec(sql)?.[0] ?? null;
    if (found !== null) at += found.length;
    return found;
  };
  while (at < sql.length) {
    if (take(space) !== null || take(lineComment) !== null) continue;
    if (sql.startsWith("/*", at)) {
      at = endOfComment(sql, at);
      continue;
    }
    const word = take(wordText)?.toLowerCase();
    if (word !== undefined) {
      if (word === "e" && sql[at] === "'") {
        take(escapeString) ?? unfinished("string");
        // A string that goes on behind a line break keeps its escapes, which is more than is followed here.
        while (take(space) !== null || take(lineComment) !== null);
        if (sql[at] === "'") throw refused("A string with escapes must not go on after a line break");
        yield { kind: "other" };
      } else if (word === "u" && sql.startsWith('&"', at)) {
        throw refused('Names with Unicode escapes (U&"…") are not allowed');
      } else yield { kind: "word", text: word };
      continue;
    }
    if (sql[at] === '"') {
      const quoted = take(quotedName) ?? unfinished("name");
      yield { kind: "quoted", text: quoted.slice(1, -1).replaceAll('""', '"') };
      continue;
    }
    if (sql[at] === "'") {
      take(plainString) ?? unfinished("string");
      yield { kind: "other" };
      continue;
    }
    const tag = take(dollarTag);
    if (tag !== null) {
      const end = sql.indexOf(tag, at);
      if (end < 0) unfinished("string");
      at = end + tag.length;
      yield { kind: "other" };
      continue;
    }
    if (take(digits) !== null) {
      yield { kind: "other" };
      continue;
    }
    const character = sql[at++];
    yield { kind: character === "(" ? "open" : character === ";" ? "end" : "other" };
  }
}

/** PostgreSQL's comments nest. */
function endOfComment(sql: string, start: number): number {
  const marks = /\/\*|\*\//g;
  marks.lastIndex = start;
  let depth = 0;
  for (let mark = marks.exec(sql); mark; mark = marks.exec(sql)) {
    depth += mark[0] === "/*" ? 1 : -1;
    if (depth === 0) return marks.lastIndex;
  }
  return unfinished("comment");
}

function unfinished(what: "string" | "name" | "comment"): never {
  throw refused(`A ${what} is not finished`);
}

const refused = (message: string) => new SourceError("refused", message);

import { SourceError } from "../engine.ts";
import { tokensOf } from "./tokens.ts";

/**
 * Lets one reading statement through, before anything is sent. It is the first of three walls, and the one that
 * explains itself; the others are the read-only session and transaction, and the rights of the login, which alone
 * are a boundary. A read-only transaction stops neither `INTO OUTFILE` nor functions that reach beyond the tables.
 */

const readingWords = new Set(["select", "with", "values", "table"]);

/** Reserved words that in a reading statement can only write, or lock rows. */
const refusedWords: Record<string, string> = {
  into: "INTO is not allowed: results go nowhere but here",
  update: "Only reading is allowed: no UPDATE, and no FOR UPDATE",
  delete: "Only reading is allowed: no DELETE",
};

/** Functions that reach files, other servers and other sessions, wait for or take locks, or change something. */
const refusedFunctions = new Set(
  `
  load_file get_lock release_lock release_all_locks
  sys_exec sys_eval sys_get sys_set lib_mysqludf_sys_info
  nextval setval
  master_pos_wait source_pos_wait master_gtid_wait
  wait_for_executed_gtid_set wait_until_sql_thread_after_gtids
  service_get_read_locks service_get_write_locks service_release_locks
  version_tokens_set version_tokens_edit version_tokens_delete
  version_tokens_lock_shared version_tokens_lock_exclusive version_tokens_unlock
  keyring_key_store keyring_key_generate keyring_key_remove keyring_key_fetch
  audit_log_filter_set_filter audit_log_filter_remove_filter audit_log_filter_set_user
  audit_log_filter_remove_user audit_log_filter_flush audit_log_encryption_password_set
  audit_log_rotate set_firewall_mode read_firewall_users read_firewall_whitelist
  asynchronous_connection_failover_add_source asynchronous_connection_failover_delete_source
  asynchronous_connection_failover_add_managed asynchronous_connection_failover_delete_managed
  asynchronous_connection_failover_reset
  group_replication_set_as_primary group_replication_switch_to_single_primary_mode
  group_replication_switch_to_multi_primary_mode group_replication_set_write_concurrency
  spider_direct_sql spider_bg_direct_sql spider_copy_tables spider_flush_table_mon_cache
  ps_thread_account mysqlx_error
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
  /** The word before it, when that was bare, too. */
  let bareBefore: string | null = null;
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
    const bare = token.kind === "word" ? token.text : null;
    if (bare !== null) refuseWord(bare, bareBefore);
    bareBefore = bare;
    name = token.kind === "word" || token.kind === "quoted" ? token.text : null;
  }
  if (firstWord === null) throw refused("The statement is empty");
}

function refuseWord(word: string, before: string | null): void {
  if (Object.hasOwn(refusedWords, word)) throw refused(refusedWords[word] ?? "");
  const locks = (before === "for" && word === "share") || (before === "lock" && word === "in");
  if (locks) throw refused("Only reading is allowed: no lock on rows");
  if (before === "value" && word === "for") throw refused("Sequences are not allowed");
}

const refused = (message: string) => new SourceError("refused", message);

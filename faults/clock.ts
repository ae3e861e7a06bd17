import { writeFileSync } from "node:fs";
import type { Sql } from "postgres";

/**
 * The service's clock, which can be set while it runs: its database's and its process's, together.
 *
 * Schedules, leases and retries use the database's now() and clock_timestamp(). The service's sessions find functions
 * of these names in a schema that comes before PostgreSQL's own on the search path, and these add the offset. The
 * process's clock is set by shifted-date.mjs. The machine's clock and PostgreSQL's internal use of time are not
 * changed.
 */
export class Clock {
  readonly file: string;
  #offMs = 0;

  constructor(file: string) {
    this.file = file;
    writeFileSync(file, "0");
  }

  /** Call before the service's first start: the defaults of its tables are bound when they are created. */
  async install(admin: Sql, database: string): Promise<void> {
    await admin.unsafe(`
      create schema faults_clock;
      create table faults_clock.off (by interval not null);
      insert into faults_clock.off values ('0');
      create function faults_clock.now() returns timestamptz language sql stable
        as 'select pg_catalog.now() + by from faults_clock.off';
      create function faults_clock.clock_timestamp() returns timestamptz language sql volatile
        as 'select pg_catalog.clock_timestamp() + by from faults_clock.off';
      alter database ${database} set search_path = public, faults_clock, pg_catalog;`);
  }

  get offMs(): number {
    return this.#offMs;
  }

  /** The time on this clock, in milliseconds since 1970. */
  now(): number {
    return Date.now() + this.#offMs;
  }

  /** Sets it forward or back by this many seconds. `reread` makes the process reread it. */
  async jump(admin: Sql, seconds: number, reread: () => void): Promise<void> {
    this.#offMs += seconds * 1000;
    writeFileSync(this.file, String(this.#offMs));
    await admin`update faults_clock.off set by = ${`${this.#offMs} milliseconds`}::interval`;
    reread();
  }
}

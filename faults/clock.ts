import { writeFileSync } from "node:fs";
import type { Sql } from "postgres";

/**
 * The clock that the service goes by, which can be set while it runs: its database's and its process's, together.
 *
 * Schedules, leases and retries go by the database's now() and clock_timestamp(). The service's sessions find
 * functions of these names in a schema that stands before PostgreSQL's own on the search path, and these add what the
 * clock is off by. The process's clock is set by shifted-date.mjs. The machine's clock, and what PostgreSQL does with
 * time by itself, are left alone.
 */
export class Clock {
  readonly file: string;
  #offMs = 0;

  constructor(file: string) {
    this.file = file;
    writeFileSync(file, "0");
  }

  /** Before the service's first start: what its tables have for defaults is bound when they are made. */
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

  /** The time by this clock, in milliseconds since 1970. */
  now(): number {
    return Date.now() + this.#offMs;
  }

  /** Sets it forward, or back, by so many seconds. `tell` has the process look. */
  async jump(admin: Sql, seconds: number, tell: () => void): Promise<void> {
    this.#offMs += seconds * 1000;
    writeFileSync(this.file, String(this.#offMs));
    await admin`update faults_clock.off set by = ${`${this.#offMs} milliseconds`}::interval`;
    tell();
  }
}

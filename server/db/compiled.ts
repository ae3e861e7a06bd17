import type { SQL } from "drizzle-orm";
import { PgDialect } from "drizzle-orm/pg-core";
import type { PostgresJsDatabase } from "drizzle-orm/postgres-js";
import { lookupDb } from "./client.ts";

export const dialect = new PgDialect({ casing: "snake_case" });

/** What Drizzle can prepare: a query that is built, but not run. */
type Buildable<Prepared> = { getSQL(): SQL; prepare(name: string): Prepared };

/**
 * A query that is built once, and planned once for each connection (`lookups`), for what nearly every request asks.
 * Building one, writing its text, and planning it cost several times what running it does. Its values are
 * `sql.placeholder(name)`, given to `execute`; constants become part of the text, so that the plan is made for them. Like
 * any other, it runs in the open transaction, if there is one.
 */
export function compiled<Prepared>(
  build: (db: PostgresJsDatabase) => Buildable<Prepared>,
  database: PostgresJsDatabase = lookupDb,
): () => Prepared {
  let prepared: Prepared | undefined;
  return () => {
    prepared ??= withConstants(build(database)).prepare("compiled");
    return prepared;
  };
}

function withConstants<Query extends Buildable<unknown>>(query: Query): Query {
  const getSQL = query.getSQL.bind(query);
  return Object.assign(query, { getSQL: () => getSQL().inlineParams() });
}

/** The same for a statement that is written by hand, on any connections. A list of rows is one value, as JSON. */
export function compiledStatement<
  Row extends Record<string, unknown>,
  Values extends Record<string, unknown>,
>(database: PostgresJsDatabase, build: () => SQL): (values: Values) => Promise<Row[]> {
  let prepared: { execute(values: Values): Promise<unknown> } | undefined;
  return async (values) => {
    prepared ??= database._.session.prepareQuery(dialect.sqlToQuery(build()), undefined, undefined, false);
    return [...((await prepared.execute(values)) as Row[])];
  };
}

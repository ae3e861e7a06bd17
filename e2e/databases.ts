import postgres, { type Sql } from "postgres";

/** The databases of a journey, on the server of the run. */
const serverUrl = process.env.TEST_DATABASE_URL ?? "";

export const addressOf = (name: string): URL => Object.assign(new URL(serverUrl), { pathname: `/${name}` });

export const createDatabases = (...names: string[]): Promise<void> =>
  onServer(
    names.flatMap((name) => [`drop database if exists ${name} with (force)`, `create database ${name}`]),
  );

export const dropDatabases = (...names: string[]): Promise<void> =>
  onServer(names.map((name) => `drop database if exists ${name} with (force)`));

async function onServer(statements: readonly string[]): Promise<void> {
  const server: Sql = postgres(serverUrl, { max: 1, onnotice: () => {} });
  for (const statement of statements) await server.unsafe(statement);
  await server.end();
}

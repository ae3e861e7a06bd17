import { dialectOf } from "./dialects/dialects.ts";
import { type ServerKind, serverKinds } from "./kinds.ts";

/** The parts of a pasted connection URL: postgres://user:password@host:5432/database. */
export type DatabaseAddress = {
  kind: ServerKind;
  connection: {
    host: string;
    port: number;
    database: string;
    user: string;
    password: string;
    ssl: boolean;
  };
};

/** Parses a database URL; null if it isn't one. */
export function databaseAddress(text: string): DatabaseAddress | null {
  if (!URL.canParse(text.trim())) return null;
  const url = new URL(text.trim());
  const kind = serverKinds.find((each) =>
    dialectOf(each).connection.schemes.some((scheme) => url.protocol === `${scheme}:`),
  );
  if (!kind || url.hostname === "") return null;
  const { defaultPort, encryptsBy } = dialectOf(kind).connection;
  try {
    return {
      kind,
      connection: {
        host: url.hostname.replace(/^\[|\]$/g, ""),
        port: url.port ? Number(url.port) : defaultPort,
        database: decodeURIComponent(url.pathname.slice(1)),
        user: decodeURIComponent(url.username),
        password: decodeURIComponent(url.password),
        ssl: encryptsBy(url.searchParams),
      },
    };
  } catch {
    return null;
  }
}

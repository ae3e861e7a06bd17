/** What a form needs from an address that somebody has copied: postgres://user:password@host:5432/database. */
export type PostgresAddress = {
  host: string;
  port: number;
  database: string;
  user: string;
  password: string;
  ssl: boolean;
};

/** The parts of a PostgreSQL address, or null when the text is none. */
export function postgresAddress(text: string): PostgresAddress | null {
  if (!/^postgres(ql)?:\/\//i.test(text.trim()) || !URL.canParse(text.trim())) return null;
  const url = new URL(text.trim());
  if (url.hostname === "") return null;
  const sslMode = url.searchParams.get("sslmode");
  try {
    return {
      host: url.hostname.replace(/^\[|\]$/g, ""),
      port: url.port ? Number(url.port) : 5432,
      database: decodeURIComponent(url.pathname.slice(1)),
      user: decodeURIComponent(url.username),
      password: decodeURIComponent(url.password),
      ssl: sslMode !== null && sslMode !== "disable",
    };
  } catch {
    return null;
  }
}

/** "db.example.com:5432", with the brackets that an IPv6 address needs. */
export function serverOf({ host, port }: { host: string; port: number }): string {
  return host.includes(":") ? `[${host}]:${port}` : `${host}:${port}`;
}

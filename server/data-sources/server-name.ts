/**
 * Parses a SQL Server's host as its tools write it: `tcp:db.example.com,1433`,
 * `db.example.com\SALES`, `.` or `(local)` for this machine. With a port, the instance name is not needed; without one
 * it stays part of the host, and the server's browser service provides the port.
 */
export function serverNamed(text: string): { host: string; port?: number } {
  const [, server = "", , port] = /^(?:tcp:)?\s*([^,]*?)\s*(,\s*(\d{1,5})\s*)?$/i.exec(text.trim()) ?? [];
  if (server === "") return { host: text };
  const [name = "", instance] = server.split("\\", 2);
  const host = /^(\.|\(local\))$/i.test(name) ? "localhost" : name;
  if (port !== undefined) return { host, port: Number(port) };
  return { host: instance && !/^mssqlserver$/i.test(instance) ? `${host}\\${instance}` : host };
}

/** A named instance's host and name; no name if it listens on its own port. */
export function partsOfServer(server: string): { host: string; instance: string | null } {
  const [host = "", instance] = server.split("\\", 2);
  return { host, instance: instance || null };
}

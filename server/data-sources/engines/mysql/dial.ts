import { isIP, type Socket } from "node:net";
import type { DatabaseConnection } from "../../connections/database-server.ts";
import { dial as dialPlain, waitForEvent } from "../dial.ts";
import { SourceError } from "../engine.ts";

/**
 * A socket to the server after its greeting. The driver continues from there, using TLS if configured. Throws the
 * network's error, or SourceError.
 */
export function dial(connection: DatabaseConnection, timeoutMs: number): Promise<Socket> {
  return dialPlain(connection, timeoutMs, async (plain) => {
    await greets(plain);
    // The driver only verifies a certificate against a name. For an address, Node falls back to the socket's host,
    // which is only set for names; without it, any certificate for "localhost" would pass.
    if (isIP(connection.host)) Object.assign(plain, { _host: connection.host });
    return plain;
  });
}

/** Peeks at the server's first message without consuming it: another protocol's would confuse the driver. */
async function greets(socket: Socket): Promise<void> {
  await waitForEvent(socket, "readable");
  const said: Buffer | null = socket.read();
  if (said === null)
    throw new SourceError("unreachable", "The server closed the connection before the login");
  socket.unshift(said);
  // A packet begins with a three-byte length and a sequence number; then comes the protocol version, or an error.
  const [, , isLong, sequence, version] = said;
  const isGreeting = isLong === 0 && sequence === 0 && (version === 10 || version === 255);
  if (!isGreeting) throw new SourceError("unreachable", "The server on this host and port is not MySQL");
}

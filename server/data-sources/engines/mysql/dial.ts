import { isIP, type Socket } from "node:net";
import type { DatabaseConnection } from "../../schema.ts";
import { dial as dialPlain, happened } from "../dial.ts";
import { SourceError } from "../engine.ts";

/**
 * A socket to the server, which has said its greeting. The driver goes on from there, in TLS where the connection
 * says so. Throws what the network says, or SourceError.
 */
export function dial(connection: DatabaseConnection, timeoutMs: number): Promise<Socket> {
  return dialPlain(connection, timeoutMs, async (plain) => {
    await greets(plain);
    // The driver verifies a certificate against a name only. For an address Node falls back to what the socket
    // was connected to, which it notes for names alone; without it, any certificate for "localhost" would do.
    if (isIP(connection.host)) Object.assign(plain, { _host: connection.host });
    return plain;
  });
}

/** Looks at what the server says first, and leaves it to be read: a stranger's words would confuse the driver. */
async function greets(socket: Socket): Promise<void> {
  await happened(socket, "readable");
  const said: Buffer | null = socket.read();
  if (said === null)
    throw new SourceError("unreachable", "The server closed the connection before the login");
  socket.unshift(said);
  // A packet begins with three bytes of length and one that counts; then comes the protocol's version, or an error.
  const [, , isLong, sequence, version] = said;
  const isGreeting = isLong === 0 && sequence === 0 && (version === 10 || version === 255);
  if (!isGreeting) throw new SourceError("unreachable", "What answers on this host and port is no MySQL");
}

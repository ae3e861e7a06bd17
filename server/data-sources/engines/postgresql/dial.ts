import { isIP, type Socket } from "node:net";
import { connect as secure } from "node:tls";
import type { DatabaseConnection } from "../../connections/database-server.ts";
import { dial as dialPlain, waitForEvent } from "../dial.ts";
import { SourceError } from "../engine.ts";

/** Asks the server to switch to TLS; it responds with one byte, S or N. */
const tlsRequest = Buffer.from([0, 0, 0, 8, 0x04, 0xd2, 0x16, 0x2f]);

/** A socket to the server, with TLS if configured, before signing in. Throws the network's error, or SourceError. */
export function dial(connection: DatabaseConnection, timeoutMs: number): Promise<Socket> {
  return dialPlain(connection, timeoutMs, async (plain, isUnderWay) => {
    if (!connection.ssl) return plain;
    await offersTls(plain);
    const socket = secure({
      socket: plain,
      host: connection.host,
      servername: isIP(connection.host) ? "" : connection.host,
      rejectUnauthorized: !connection.trustServerCertificate,
      ca: connection.caCertificate,
    });
    isUnderWay(socket);
    await waitForEvent(socket, "secureConnect");
    return socket;
  });
}

async function offersTls(socket: Socket): Promise<void> {
  const answered = new Promise<Buffer>((resolve) => socket.once("data", resolve));
  socket.write(tlsRequest);
  const answer = await Promise.race([answered, waitForEvent(socket, "end").then(() => Buffer.alloc(0))]);
  // Anything after the one byte could have been injected before encryption began.
  if (answer.length !== 1 || answer[0] !== 0x53)
    throw new SourceError(
      "unreachable",
      "The server does not offer TLS: turn off SSL here, or turn it on at the server",
    );
}

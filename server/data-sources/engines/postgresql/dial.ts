import { connect, isIP, type Socket } from "node:net";
import { connect as secure } from "node:tls";
import type { DatabaseConnection } from "../../schema.ts";
import { SourceError } from "../engine.ts";

/** Asks the server to go on in TLS; it answers with one byte, S or N. */
const tlsRequest = Buffer.from([0, 0, 0, 8, 0x04, 0xd2, 0x16, 0x2f]);

/**
 * A socket to the server, in TLS where the connection says so, before anybody has signed in. The host is a name
 * or an address, never a path or a list. Throws what the network says, or SourceError.
 */
export async function dial(connection: DatabaseConnection, timeoutMs: number): Promise<Socket> {
  const plain = connect({ host: connection.host, port: connection.port, noDelay: true });
  let socket = plain;
  const tooLate = setTimeout(() => {
    const seconds = Math.round(timeoutMs / 1000);
    socket.destroy(new SourceError("unreachable", `The host did not answer within ${seconds} s`));
  }, timeoutMs);
  try {
    await happened(plain, "connect");
    if (connection.ssl) {
      await offersTls(plain);
      socket = secure({
        socket: plain,
        host: connection.host,
        servername: isIP(connection.host) ? "" : connection.host,
        rejectUnauthorized: !connection.trustServerCertificate,
      });
      await happened(socket, "secureConnect");
    }
  } catch (error) {
    plain.destroy();
    socket.destroy();
    throw error;
  } finally {
    clearTimeout(tooLate);
  }
  // Whoever takes the socket over listens for its errors; until then one must not end the process.
  socket.on("error", () => {});
  return socket;
}

async function offersTls(socket: Socket): Promise<void> {
  const answered = new Promise<Buffer>((resolve) => socket.once("data", resolve));
  socket.write(tlsRequest);
  const answer = await Promise.race([answered, happened(socket, "end").then(() => Buffer.alloc(0))]);
  // More than the one byte would be text that somebody slipped in before the encryption began.
  if (answer.length !== 1 || answer[0] !== 0x53)
    throw new SourceError(
      "unreachable",
      "The server does not offer TLS: switch SSL off, or on at the server",
    );
}

function happened(socket: Socket, event: "connect" | "secureConnect" | "end"): Promise<void> {
  return new Promise((resolve, reject) => {
    socket.once(event, () => resolve());
    socket.once("error", reject);
    socket.once("close", () =>
      reject(new SourceError("unreachable", "The server closed the connection before the login")),
    );
  });
}

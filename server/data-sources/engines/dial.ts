import { connect, type Socket } from "node:net";
import type { DatabaseConnection } from "../connections/database-server.ts";
import { SourceError } from "./engine.ts";

/**
 * A socket to the server, before signing in; `greet` performs the protocol's first steps and may return another socket
 * on top. The host is a name or an address, never a path or a list. Throws the network's error, or SourceError.
 */
export async function dial(
  { host, port }: Pick<DatabaseConnection, "host" | "port">,
  timeoutMs: number,
  greet: (plain: Socket, isUnderWay: (socket: Socket) => void) => Promise<Socket>,
): Promise<Socket> {
  const plain = connect({ host, port, noDelay: true });
  let socket = plain;
  const tooLate = setTimeout(() => {
    const seconds = Math.round(timeoutMs / 1000);
    socket.destroy(new SourceError("unreachable", `The host did not respond within ${seconds} s`));
  }, timeoutMs);
  try {
    await waitForEvent(plain, "connect");
    socket = await greet(plain, (other) => {
      socket = other;
    });
  } catch (error) {
    plain.destroy();
    socket.destroy();
    throw error;
  } finally {
    clearTimeout(tooLate);
  }
  // The new owner of the socket listens for errors; until then they must not crash the process.
  socket.on("error", () => {});
  return socket;
}

export function waitForEvent(
  socket: Socket,
  event: "connect" | "secureConnect" | "end" | "readable",
): Promise<void> {
  return new Promise((resolve, reject) => {
    socket.once(event, () => resolve());
    socket.once("error", reject);
    socket.once("close", () =>
      reject(new SourceError("unreachable", "The server closed the connection before the login")),
    );
  });
}

import { once } from "node:events";
import { type AddressInfo, connect, createServer, type Socket } from "node:net";

/**
 * A proxy for a database that a test can close, block, and reopen, to simulate a database that stops and comes back.
 */
export type DatabaseProxy = {
  url: string;
  /** The number of connections made through it. */
  connections(): number;
  /** Closes every connection and accepts no more, like a stopped server. */
  close(): Promise<void>;
  /** Accepts connections but transfers nothing, like a network that drops packets. */
  block(): void;
  open(): Promise<void>;
};

export async function databaseProxy(target: string): Promise<DatabaseProxy> {
  const { hostname, port } = new URL(target);
  const sockets = new Set<Socket>();
  let isBlocked = false;
  let made = 0;

  const server = createServer((inner) => {
    made += 1;
    const outer = connect(Number(port || 5432), hostname);
    for (const [from, to] of [
      [inner, outer],
      [outer, inner],
    ] as const) {
      sockets.add(from);
      from.on("data", (chunk) => isBlocked || to.write(chunk));
      from.on("error", () => to.destroy());
      from.on("close", () => {
        sockets.delete(from);
        to.destroy();
      });
    }
  });
  const listen = async (at: number) => {
    server.listen(at, "127.0.0.1");
    await once(server, "listening");
  };
  await listen(0);
  const own = (server.address() as AddressInfo).port;

  return {
    url: Object.assign(new URL(target), { hostname: "127.0.0.1", port: String(own) }).href,
    connections: () => made,
    async close() {
      const closed = new Promise((resolve) => server.close(resolve));
      for (const socket of sockets) socket.destroy();
      await closed;
    },
    block() {
      isBlocked = true;
    },
    async open() {
      isBlocked = false;
      if (!server.listening) await listen(own);
    },
  };
}

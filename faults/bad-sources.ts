import { randomBytes } from "node:crypto";
import { once } from "node:events";
import { type AddressInfo, createServer, type Socket } from "node:net";

/** Data sources that do not work: each is a TCP port on this machine. */
export async function startBadSources() {
  const open = new Set<Socket>();
  const listen = async (greet: (socket: Socket) => void) => {
    const server = createServer((socket) => {
      open.add(socket);
      socket.on("error", () => {});
      socket.once("close", () => open.delete(socket));
      greet(socket);
    }).listen(0, "127.0.0.1");
    await once(server, "listening");
    return { port: (server.address() as AddressInfo).port, close: () => server.close() };
  };
  /** Accepts connections, reads everything, and never responds. */
  const hanging = await listen((socket) => socket.resume());
  /** Responds to everything with random bytes. */
  const garbage = await listen((socket) => socket.on("data", () => socket.write(randomBytes(200))));
  /** Nothing listens there anymore. */
  const refusing = await listen(() => {});
  refusing.close();
  return {
    ports: { hanging: hanging.port, refusing: refusing.port, garbage: garbage.port },
    stop() {
      hanging.close();
      garbage.close();
      for (const socket of open) socket.destroy();
    },
  };
}

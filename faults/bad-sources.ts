import { randomBytes } from "node:crypto";
import { once } from "node:events";
import { type AddressInfo, createServer, type Socket } from "node:net";

/** Data sources that are none: each is a TCP port on this machine. */
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
  /** Takes connections and whatever is sent, and never says a word. */
  const hanging = await listen((socket) => socket.resume());
  /** Answers whatever is sent with bytes that mean nothing. */
  const garbage = await listen((socket) => socket.on("data", () => socket.write(randomBytes(200))));
  /** Nobody listens any more. */
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

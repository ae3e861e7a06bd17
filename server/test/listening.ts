import { createServer, type Server, type Socket, connect as tcp } from "node:net";

/** A server on a free port of this machine; errors on its sockets do not fail the test. */
export async function listening(
  onConnection: (socket: Socket) => void,
): Promise<{ server: Server; port: number }> {
  const server = createServer((socket) => {
    socket.on("error", () => {});
    onConnection(socket);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address = server.address();
  return { server, port: typeof address === "object" && address ? address.port : 0 };
}

/** A server that relays everything to another one, until it falls silent. */
export async function aRelay(target: { host: string; port: number }) {
  const sockets: Socket[] = [];
  let silent = false;
  const { server, port } = await listening((near) => {
    const far = tcp({ host: target.host, port: target.port });
    sockets.push(near, far);
    near.on("data", (chunk) => silent || far.write(chunk));
    far.on("data", (chunk) => silent || near.write(chunk));
    near.on("error", () => {}).on("close", () => far.destroy());
    far.on("error", () => {}).on("close", () => silent || near.destroy());
  });
  return {
    port,
    fallSilent: () => {
      silent = true;
    },
    close: () => {
      for (const socket of sockets) socket.destroy();
      return new Promise((resolve) => server.close(resolve));
    },
  };
}

/** The number of TCP connections of this process; one closed by the other side counts until this process notices. */
export const openSockets = () =>
  process.getActiveResourcesInfo().filter((name) => name === "TCPSocketWrap").length;

/** Waits until the condition is true, and fails if it never is. */
export async function until(isTrue: () => Promise<boolean>): Promise<void> {
  for (let tries = 0; tries < 200; tries++) {
    if (await isTrue()) return;
    await new Promise((resolve) => setTimeout(resolve, 30));
  }
  throw new Error("It did not happen");
}

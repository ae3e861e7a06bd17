import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { startHub } from "./hub.ts";

/** A second process with a hub: prints its port, and stops on SIGTERM. */
const hub = await startHub();
const server = createServer();
server.on("upgrade", (request, socket, head) => hub.upgrade(request, socket, head, "127.0.0.1"));
server.listen(0, "127.0.0.1", () => process.send?.((server.address() as AddressInfo).port));
process.on("SIGTERM", async () => {
  await hub.stop();
  process.exit(0);
});

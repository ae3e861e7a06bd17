import { once } from "node:events";
import { createServer, type RequestListener } from "node:http";
import type { AddressInfo } from "node:net";
import { log } from "../telemetry/log.ts";

/**
 * Opens a page once, so that whoever opens the first one does not wait until what all pages share is loaded, which takes a
 * quarter of a second. On a server of its own: it is no request that anyone has sent, and is neither logged nor counted. Without
 * a session, the page leads to the one for signing in, so both are loaded.
 */
export async function openFirstPage(answer: RequestListener): Promise<void> {
  const server = createServer(answer).listen(0, "127.0.0.1");
  try {
    await once(server, "listening");
    const { port } = server.address() as AddressInfo;
    const response = await fetch(`http://127.0.0.1:${port}/home`);
    await response.text();
  } catch (err) {
    log.debug({ err }, "The first page could not be opened beforehand");
  } finally {
    server.close();
    server.closeAllConnections();
  }
}

import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { handleRest } from "../server/doors/rest/dispatch.ts";

/** The REST API on a port of its own, for the command in its own process. */
export async function startRest() {
  const server = createServer(async (request, response) => {
    const body = Buffer.from(await new Response(request as never).arrayBuffer());
    const answer = await handleRest(
      new Request(`http://localhost${request.url}`, {
        method: request.method ?? "GET",
        headers: request.headers as Record<string, string>,
        ...(body.length > 0 && { body }),
      }),
    );
    response.writeHead(answer.status, Object.fromEntries(answer.headers)).end(await answer.text());
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return { url, close: () => void server.close() };
}

import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";

export type ReceivedRequest = {
  path: string;
  headers: IncomingMessage["headers"];
  bytes: Buffer<ArrayBuffer>;
  text: string;
  json: ReturnType<typeof JSON.parse>;
};

/** null for what is not JSON, such as a form. */
function jsonIn(text: string) {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

type Answer = (response: ServerResponse, request: ReceivedRequest) => void;

/** A real HTTP server on this machine, for example for webhooks; `answer` can be changed at any time. */
export async function anHttpReceiver(answer: Answer = (response) => response.end("ok")) {
  const requests: ReceivedRequest[] = [];
  const receiver = { requests, answer, port: 0, url: "", stop };
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on("data", (chunk: Buffer) => chunks.push(chunk));
    request.on("end", () => {
      const bytes = Buffer.concat(chunks);
      const text = bytes.toString();
      const received = { path: request.url ?? "", headers: request.headers, bytes, text, json: jsonIn(text) };
      requests.push(received);
      receiver.answer(response, received);
    });
  });
  function stop() {
    server.closeAllConnections();
    return new Promise<void>((resolve) => server.close(() => resolve()));
  }
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  receiver.port = (server.address() as AddressInfo).port;
  receiver.url = `http://127.0.0.1:${receiver.port}`;
  return receiver;
}

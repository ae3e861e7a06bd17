import { createServer, type IncomingHttpHeaders, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";

/** What the server answers next, or does instead of answering. */
export type Reply =
  /** A structured answer: `answer` as JSON. */
  | { answer: unknown; usage?: Usage; finishReason?: string; afterMs?: number }
  /** The model's words as they are, such as JSON that is none. */
  | { text: string; usage?: Usage; finishReason?: string }
  | { refusal: string; usage?: Usage }
  /** An error in OpenAI's form; `headers` such as retry-after, in lower case. */
  | { status: number; message?: string; code?: string; headers?: Record<string, string> }
  /** A whole body that is not OpenAI's. */
  | { body: string; status?: number }
  /** Never answers, and keeps the connection open. */
  | "hang"
  /** Ends the connection without an answer. */
  | "disconnect";

export type Usage = { input: number; output: number };

export type AskedOfModel = {
  path: string;
  headers: IncomingHttpHeaders;
  body: {
    model: string;
    messages: { role: string; content: string }[];
    max_tokens?: number;
    max_completion_tokens?: number;
    temperature?: number;
    response_format?: { type: string; json_schema?: { name: string; strict: boolean; schema: unknown } };
  };
};

const usualUsage: Usage = { input: 1000, output: 200 };

/** Of a note that sets no field. */
export const nothingRead = {
  ...{ tables: [], exclude: [], checks: [], schedule: null, maxChecks: null, leaveOut: [], rest: [] },
};

/**
 * A server that speaks OpenAI's chat completions, for tests to script: replies are given in the order in which they
 * were added, one a request. A request that finds none waits for the next, unless there is a usual one; `url` is for
 * OPENAI_BASE_URL. What asks to read a note is apart: it has its own replies, and reads nothing unless told so.
 */
export async function startModelServer() {
  const replies: Reply[] = [];
  let usual: Reply | null = null;
  const waiting: ((reply: Reply) => void)[] = [];
  const requests: AskedOfModel[] = [];
  const readings: AskedOfModel[] = [];
  const readingReplies: Reply[] = [];
  const watchers: { count: number; tell(): void }[] = [];

  const nextReply = () =>
    new Promise<Reply>((resolve) => {
      const reply = replies.shift() ?? usual;
      if (reply) resolve(reply);
      else waiting.push(resolve);
    });

  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on("data", (chunk: Buffer) => chunks.push(chunk));
    request.on("end", async () => {
      const text = Buffer.concat(chunks).toString();
      const asked: AskedOfModel = {
        path: request.url ?? "",
        headers: request.headers,
        body: JSON.parse(text),
      };
      if (asked.body.response_format?.json_schema?.name === "wishes") {
        readings.push(asked);
        const usage = { input: 0, output: 0 };
        return send(response, readingReplies.shift() ?? { answer: nothingRead, usage });
      }
      requests.push(asked);
      for (const { count, tell } of watchers) if (requests.length >= count) tell();
      send(response, await nextReply());
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));

  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`,
    requests,
    /** Requests to read a note, and what the next of them are answered. */
    readings,
    replyToReading: (...more: Reply[]) => void readingReplies.push(...more),
    /** Adds replies for the next requests, or answers those that wait. */
    reply(...more: Reply[]) {
      for (const reply of more) {
        const waiter = waiting.shift();
        if (waiter) waiter(reply);
        else replies.push(reply);
      }
    },
    /** What requests are answered that find no other reply; null for nothing. */
    replyUsually(reply: Reply | null) {
      usual = reply;
    },
    /** Resolves when so many requests have come in all. */
    asked(count: number): Promise<void> {
      return new Promise((resolve) => {
        if (requests.length >= count) resolve();
        else watchers.push({ count, tell: resolve });
      });
    },
    close() {
      server.closeAllConnections();
      return new Promise<void>((resolve) => server.close(() => resolve()));
    },
  };
}

export type ModelServer = Awaited<ReturnType<typeof startModelServer>>;

function send(response: ServerResponse, reply: Reply): void {
  if (reply === "hang") return;
  if (reply === "disconnect") {
    response.destroy();
    return;
  }
  const write = (status: number, body: string, headers: Record<string, string> = {}) =>
    response.writeHead(status, { "content-type": "application/json", ...headers }).end(body);
  if ("body" in reply) {
    write(reply.status ?? 200, reply.body);
    return;
  }
  if ("status" in reply) {
    const error = { message: reply.message ?? "No", type: "error", param: null, code: reply.code ?? null };
    write(reply.status, JSON.stringify({ error }), reply.headers);
    return;
  }
  const { input, output } = reply.usage ?? usualUsage;
  const message =
    "refusal" in reply
      ? { role: "assistant", content: null, refusal: reply.refusal }
      : {
          role: "assistant",
          content: "text" in reply ? reply.text : JSON.stringify(reply.answer),
          refusal: null,
        };
  const finishReason = "finishReason" in reply ? reply.finishReason : "stop";
  const body = JSON.stringify({
    id: "chatcmpl-1",
    object: "chat.completion",
    created: Math.floor(Date.now() / 1000),
    model: "scripted",
    choices: [{ index: 0, message, finish_reason: finishReason ?? "stop", logprobs: null }],
    usage: { prompt_tokens: input, completion_tokens: output, total_tokens: input + output },
  });
  const afterMs = "afterMs" in reply ? reply.afterMs : undefined;
  if (afterMs) setTimeout(() => write(200, body), afterMs);
  else write(200, body);
}

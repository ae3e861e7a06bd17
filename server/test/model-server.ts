import { createServer, type IncomingHttpHeaders, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";

/** The server's next response, or what it does instead. */
export type Reply =
  /** A structured response: `answer` as JSON. */
  | { answer: unknown; usage?: Usage; finishReason?: string; afterMs?: number }
  /** The model's text as it is, such as invalid JSON. */
  | { text: string; usage?: Usage; finishReason?: string }
  | { refusal: string; usage?: Usage }
  /** An error in OpenAI's format; `headers` such as retry-after, in lowercase. */
  | { status: number; message?: string; code?: string; headers?: Record<string, string> }
  /** A complete body that is not in OpenAI's format. */
  | { body: string; status?: number }
  /** Never responds, and keeps the connection open. */
  | "hang"
  /** Closes the connection without a response. */
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

/** The reading of a note that sets no field. */
export const nothingRead = {
  ...{ tables: [], exclude: [], checks: [], schedule: null, maxChecks: null, leaveOut: [], rest: [] },
};

/**
 * A server for OpenAI's chat completions API, scripted by tests: replies are returned in the order in which they were
 * added, one per request. A request without a reply waits for the next one, unless there is a default; `url` is for
 * OPENAI_BASE_URL. Requests to read a note are separate: they have their own replies, and read nothing by default.
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
    /** Requests to read a note, and the replies to the next ones. */
    readings,
    replyToReading: (...more: Reply[]) => void readingReplies.push(...more),
    /** Adds replies for the next requests, or answers waiting ones. */
    reply(...more: Reply[]) {
      for (const reply of more) {
        const waiter = waiting.shift();
        if (waiter) waiter(reply);
        else replies.push(reply);
      }
    },
    /** The default reply to requests without any other; null for none. */
    replyUsually(reply: Reply | null) {
      usual = reply;
    },
    /** Resolves when this many requests have arrived in total. */
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

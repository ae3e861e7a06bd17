import { createServer, type Server, type Socket } from "node:net";
import { createServer as createSecureServer } from "node:tls";

/**
 * Enough of SQL Server's wire protocol for a driver to sign in, begin, read, cancel, roll back, and reset: for what can
 * only be seen on the wire. It runs no SQL; the text of a statement determines its response.
 *
 * - `-- rows N`: N rows of one number; `-- forever`: rows until it is cancelled; `-- silent`: nothing until then.
 * - `-- endless`: one row with one value that never ends.
 * - `-- exact`: one row of a numeric(18,4), a money, and a sql_variant that contains a date.
 * - `-- error N`: the error N; `-- error N in a transaction`: only while one is open; `-- fails`: the error 208.
 * - `-- breaks`: the connection ends.
 */
export type TdsServer = {
  port: number;
  heard: string[];
  /** The content of each login. */
  logins: Buffer[];
  close(): void;
};

const kind = { batch: 1, rpc: 3, response: 4, attention: 6, transaction: 14, login: 16, prelogin: 18 };
const endOfMessage = 1;
const resetsConnection = 8;

type Options = {
  /** Matching statements get the error 229: permission denied. */
  refuses?: RegExp;
  /** The errors that logins get in turn, before one works. */
  refusedLogins?: number[];
  /** Speaks TDS 8.0, inside of TLS, with this certificate. */
  strict?: { cert: string; key: string };
};

export async function tdsServer({ refuses, refusedLogins = [], strict }: Options = {}): Promise<TdsServer> {
  const heard: string[] = [];
  const logins: Buffer[] = [];
  const waiting = [...refusedLogins];
  const sockets = new Set<Socket>();
  const listener = (socket: Socket) => {
    sockets.add(socket);
    socket.on("error", () => {});
    let stop = () => {};
    let rest = Buffer.alloc(0);
    let message = Buffer.alloc(0);
    socket.on("data", (chunk) => {
      rest = Buffer.concat([rest, chunk]);
      while (rest.length >= 8 && rest.length >= rest.readUInt16BE(2)) {
        const packet = rest.subarray(0, rest.readUInt16BE(2));
        // What is no packet has no length of one.
        if (packet.length < 8) return void socket.destroy();
        rest = rest.subarray(packet.length);
        message = Buffer.concat([message, packet.subarray(8)]);
        if (!((packet[1] ?? 0) & endOfMessage)) continue;
        const whole = message;
        message = Buffer.alloc(0);
        if ((packet[1] ?? 0) & resetsConnection) heard.push("reset");
        if (packet[0] === kind.attention) {
          heard.push("cancel");
          stop();
          stop = () => {};
          send(socket, done(0x20));
          continue;
        }
        if (packet[0] === kind.login) logins.push(whole);
        const refusal = packet[0] === kind.login ? waiting.shift() : undefined;
        if (refusal !== undefined)
          send(socket, Buffer.concat([failure(refusal, "The server says no."), done(2)]));
        else stop = answer(socket, packet[0] ?? 0, whole, { heard, refuses });
      }
    });
    socket.on("close", () => stop());
  };
  const server: Server = strict
    ? createSecureServer({ ...strict, ALPNProtocols: ["tds/8.0"] }, listener)
    : createServer(listener);
  // A client that does not trust the certificate says so.
  server.on("tlsClientError", () => {});
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address = server.address();
  if (typeof address !== "object" || address === null) throw new Error("The server has no port");
  return {
    port: address.port,
    heard,
    logins,
    close() {
      for (const socket of sockets) socket.destroy();
      server.close();
    },
  };
}

/** Responds to one message; calling the result ends a response in progress. */
function answer(
  socket: Socket,
  type: number,
  message: Buffer,
  { heard, refuses }: { heard: string[]; refuses: RegExp | undefined },
): () => void {
  const nothing = () => {};
  if (type === kind.prelogin) {
    // A version, and no encryption.
    send(socket, Buffer.from([0, 0, 11, 0, 6, 1, 0, 17, 0, 1, 255, 16, 0, 0, 0, 0, 0, 2]));
    return nothing;
  }
  if (type === kind.login) {
    heard.push("login");
    const acknowledged = Buffer.concat([Buffer.from([1, 0x74, 0, 0, 4]), shortText("Test"), Buffer.alloc(4)]);
    send(socket, Buffer.concat([token(0xad, acknowledged), done(0)]));
    return nothing;
  }
  if (type === kind.transaction) {
    // The headers are followed by the request type: 5 begins, 8 rolls back.
    const begins = message.readUInt16LE(message.readUInt32LE(0)) === 5;
    heard.push(begins ? "begin" : "rollback");
    const id = Buffer.from([8, 1, 0, 0, 0, 0, 0, 0, 0]);
    const change = begins
      ? Buffer.concat([Buffer.from([8]), id, Buffer.of(0)])
      : Buffer.concat([Buffer.from([10, 0]), id]);
    send(socket, Buffer.concat([token(0xe3, change), done(0)]));
    return nothing;
  }
  const [statement, text] = textsIn(message);
  if (type === kind.rpc) heard.push(statement);
  if (text.includes("-- breaks")) socket.destroy();
  // What was requested gets a response, however short, before a cancellation is acknowledged.
  if (text.includes("-- silent")) return () => packet(socket, done(2), true);
  if (text.includes("-- fails")) {
    send(socket, Buffer.concat([failure(208, "Invalid object name 'flights'."), done(2)]));
    return nothing;
  }
  const isOpen = heard.findLast((line) => line === "begin" || line === "rollback") === "begin";
  const [, said, inTransaction] = /-- error (\d+)( in a transaction)?/.exec(text) ?? [];
  const number = refuses?.test(text) ? "229" : said;
  if (number !== undefined && (!inTransaction || isOpen)) {
    send(socket, Buffer.concat([failure(Number(number), "The server says no."), done(2)]));
    return nothing;
  }
  if (text.includes("-- exact")) {
    send(socket, Buffer.concat([exactColumns, exactRow, done(0)]));
    return nothing;
  }
  if (text.includes("-- endless")) {
    packet(socket, Buffer.concat([textColumn, endlessValue]), false);
    const timer = setInterval(() => {
      for (let count = 0; count < 100; count++) packet(socket, chunkOfText, false);
    }, 1);
    socket.once("close", () => clearInterval(timer));
    return () => clearInterval(timer);
  }
  if (text.includes("-- forever")) {
    packet(socket, Buffer.concat([oneColumn, row(1)]), false);
    const timer = setInterval(() => packet(socket, row(1), false), 1);
    return () => {
      clearInterval(timer);
      packet(socket, done(2), true);
    };
  }
  const rows = Number(/-- rows (\d+)/.exec(text)?.[1] ?? 0);
  const numbers = Array.from({ length: rows }, (_, index) => row(index + 1));
  send(socket, Buffer.concat([...(type === kind.rpc ? [oneColumn, ...numbers] : []), done(0)]));
  return nothing;
}

/** The statement in a message, from its first setting on, and all texts in it, including bound ones. */
function textsIn(message: Buffer): [statement: string, all: string] {
  const start = message.indexOf(Buffer.from("set nocount", "utf16le"));
  const bytes = start < 2 ? 0 : message.readUInt16LE(start - 2);
  const statement = message.subarray(start, start + bytes).toString("utf16le");
  // Two bytes are a character, and a text may start at an odd offset. Whole characters only: given an odd number of
  // bytes at an odd address, Node 24 writes one of them beyond the memory that it has reserved, and may crash later
  // (nodejs/node#64697).
  const wholeFrom = (first: number) =>
    message.subarray(first, message.length - ((message.length - first) % 2)).toString("utf16le");
  return [statement, `${wholeFrom(0)}\n${wholeFrom(1)}`];
}

const oneColumn = Buffer.concat([
  Buffer.from([0x81, 1, 0]),
  // No user type, nullable, INTN of four bytes.
  Buffer.from([0, 0, 0, 0, 1, 0, 0x26, 4]),
  shortText("n"),
]);

/** NVARCHAR of any length, in parts. */
const textColumn = Buffer.concat([
  Buffer.from([0x81, 1, 0]),
  Buffer.from([0, 0, 0, 0, 1, 0, 0xe7, 0xff, 0xff, 9, 4, 0xd0, 0, 0x34]),
  shortText("t"),
]);
/** A row whose value is of unknown length, and one part of it. */
const endlessValue = Buffer.from([0xd1, 0xfe, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff]);
const chunkOfText = Buffer.concat([Buffer.from([0xa0, 0x0f, 0, 0]), Buffer.alloc(4000, "x\0")]);

const exactColumns = Buffer.concat([
  Buffer.from([0x81, 3, 0]),
  // NUMERICN of nine bytes with 18 digits, 4 of them behind the point; MONEYN of eight; SSVARIANT.
  Buffer.from([0, 0, 0, 0, 1, 0, 0x6c, 9, 18, 4]),
  shortText("sum"),
  Buffer.from([0, 0, 0, 0, 1, 0, 0x6e, 8]),
  shortText("cost"),
  Buffer.from([0, 0, 0, 0, 1, 0, 0x62, 0x49, 0x1f, 0, 0]),
  shortText("any"),
]);

/** 12345678901234.5678, the largest money, and 31 March 2024, which is day 738975. */
const exactRow = Buffer.concat([
  Buffer.from([0xd1, 9, 1]),
  Buffer.from([0x4e, 0xf3, 0x30, 0xa6, 0x4b, 0x9b, 0xb6, 0x01]),
  Buffer.from([8, 0xff, 0xff, 0xff, 0x7f, 0xff, 0xff, 0xff, 0xff]),
  Buffer.from([5, 0, 0, 0, 0x28, 0, 0x9f, 0x46, 0x0b]),
]);

function row(number: number): Buffer {
  const bytes = Buffer.from([0xd1, 4, 0, 0, 0, 0]);
  bytes.writeInt32LE(number, 2);
  return bytes;
}

function failure(number: number, message: string): Buffer {
  const head = Buffer.alloc(6);
  head.writeInt32LE(number, 0);
  head.set([1, 16], 4);
  const length = Buffer.alloc(2);
  length.writeUInt16LE(message.length);
  const text = Buffer.concat([length, Buffer.from(message, "utf16le")]);
  return token(0xaa, Buffer.concat([head, text, shortText("db.internal"), shortText(""), Buffer.alloc(4)]));
}

function done(status: number): Buffer {
  const bytes = Buffer.alloc(13);
  bytes[0] = 0xfd;
  bytes.writeUInt16LE(status, 1);
  return bytes;
}

function token(type: number, content: Buffer): Buffer {
  const head = Buffer.from([type, 0, 0]);
  head.writeUInt16LE(content.length, 1);
  return Buffer.concat([head, content]);
}

function shortText(text: string): Buffer {
  return Buffer.concat([Buffer.of(text.length), Buffer.from(text, "utf16le")]);
}

/** A whole message, in packets that the driver takes. */
function send(socket: Socket, content: Buffer): void {
  const size = 4000;
  for (let at = 0; at < content.length || at === 0; at += size)
    packet(socket, content.subarray(at, at + size), at + size >= content.length);
}

function packet(socket: Socket, content: Buffer, isLast: boolean): void {
  if (socket.destroyed) return;
  const head = Buffer.from([kind.response, isLast ? endOfMessage : 0, 0, 0, 0, 0, 1, 0]);
  head.writeUInt16BE(head.length + content.length, 2);
  socket.write(Buffer.concat([head, content]));
}

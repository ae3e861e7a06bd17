import { once } from "node:events";
import { type AddressInfo, createServer, type Socket } from "node:net";
import { expect, test } from "vitest";
import { connect } from "./connection.ts";
import { relativeIn } from "./relatives.ts";

/** As these servers answer `version()`, by their documentation. */
const redshift =
  "PostgreSQL 8.0.2 on i686-pc-linux-gnu, compiled by GCC gcc (GCC) 3.4.2 20041017 (Red Hat 3.4.2-6.fc3), Redshift 1.0.12103";
const greenplum = (version: string, base: string) =>
  `PostgreSQL ${base} (Greenplum Database ${version} build commit:2da9d96) on x86_64-unknown-linux-gnu, compiled by gcc`;
const cockroach = "CockroachDB CCL v23.2.4 (x86_64-pc-linux-gnu, built 2024/04/08 21:59:26, go1.21.8)";

test.each([
  [redshift, "Amazon Redshift 1.0.12103", true],
  [greenplum("6.25.3", "9.4.26"), "Greenplum 6.25.3", true],
  [greenplum("7.1.0", "12.12"), "Greenplum 7.1.0", false],
  [cockroach, "CockroachDB 23.2.4", false],
])("%s", (version, name, isRefused) => {
  const relative = relativeIn(version);
  expect([relative?.name, relative?.refusal !== null]).toEqual([name, isRefused]);
});

test("PostgreSQL is no relative of itself", () => {
  expect(
    relativeIn("PostgreSQL 15.20 (Debian 15.20-0+deb12u1) on x86_64-pc-linux-gnu, compiled by gcc"),
  ).toBe(null);
});

/** A message of the protocol: its type, its length, and what it says. */
const message = (type: string, ...parts: Buffer[]) => {
  const body = Buffer.concat(parts);
  const length = Buffer.alloc(4);
  length.writeInt32BE(body.length + 4);
  return Buffer.concat([Buffer.from(type), length, body]);
};
const int = (size: 2 | 4, value: number) => {
  const bytes = Buffer.alloc(size);
  bytes.writeIntBE(value, 0, size);
  return bytes;
};
const text = (value: string) => Buffer.from(`${value}\0`);

/** Lets everyone in, and answers each query with one text. */
function answerWith(version: string, socket: Socket, heard: string[]): void {
  const ready = message("Z", Buffer.from("I"));
  socket.once("data", () => {
    socket.write(
      Buffer.concat([
        message("R", int(4, 0)),
        message("S", text("server_version"), text("8.0.2")),
        message("K", int(4, 1), int(4, 2)),
        ready,
      ]),
    );
    socket.on("data", (asked) => {
      if (String.fromCharCode(asked[0] ?? 0) !== "Q") return;
      heard.push(asked.subarray(5, -1).toString());
      const field = [text("version"), int(4, 0), int(2, 0), int(4, 25), int(2, -1), int(4, -1), int(2, 0)];
      const value = Buffer.from(version);
      socket.write(
        Buffer.concat([
          message("T", int(2, 1), ...field),
          message("D", int(2, 1), int(4, value.length), value),
          message("C", text("SELECT 1")),
          ready,
        ]),
      );
    });
  });
}

test("a server that cannot be read says so when it is connected, and gets no other statement", async () => {
  const heard: string[] = [];
  const server = createServer((socket) => answerWith(redshift, socket, heard)).listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  const login = { host: "127.0.0.1", port, database: "dev", user: "reader", password: "", ssl: false };
  try {
    await expect(connect(login)).rejects.toMatchObject({
      ...{ kind: "unreachable", message: expect.stringMatching(/^Amazon Redshift is not supported: /) },
    });
    expect(heard).toEqual(["select pg_catalog.version() as version"]);
  } finally {
    server.close();
  }
});

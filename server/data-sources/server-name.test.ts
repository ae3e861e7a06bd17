import { expect, test } from "vitest";
import { serverNamed } from "./server-name.ts";

test.each([
  ["db.example.com", { host: "db.example.com" }],
  ["db.example.com,14330", { host: "db.example.com", port: 14330 }],
  ["db.example.com , 14330", { host: "db.example.com", port: 14330 }],
  ["tcp:db.database.windows.net,1433", { host: "db.database.windows.net", port: 1433 }],
  ["TCP:10.0.0.7", { host: "10.0.0.7" }],
  ["db\\SALES", { host: "db\\SALES" }],
  ["db\\SALES,50123", { host: "db", port: 50123 }],
  // The default instance is implied without a name.
  ["db\\MSSQLSERVER", { host: "db" }],
  [".\\SQLEXPRESS", { host: "localhost\\SQLEXPRESS" }],
  ["(local)", { host: "localhost" }],
  ["fe80::1", { host: "fe80::1" }],
  // Anything else stays unchanged, and fails as a host.
  ["db,port", { host: "db,port" }],
  ["", { host: "" }],
])("%j is %j", (text, server) => {
  expect(serverNamed(text)).toEqual(server);
});

import { expect, test } from "vitest";
import { serverNamedIn } from "./address.ts";

test("a server name in SQL Server's notation fills host and port; a plain host is left alone", () => {
  expect(serverNamedIn("SqlServer", "tcp:db.example.com,14330")).toEqual({
    host: "db.example.com",
    port: 14330,
  });
  expect(serverNamedIn("SqlServer", ".\\SQLEXPRESS")).toEqual({ host: "localhost\\SQLEXPRESS" });
  expect(serverNamedIn("SqlServer", " db.example.com ")).toBeNull();
});

import { expect, test } from "vitest";
import { databaseAddress, serverOf, sqlServerNamed } from "./address.ts";

test("a copied address falls into its parts, decoded", () => {
  expect(
    databaseAddress(" postgresql://reader:p%40ss%2Fword@db.example.com:6432/ware%20house?sslmode=require "),
  ).toEqual({
    kind: "PostgreSql",
    connection: {
      host: "db.example.com",
      port: 6432,
      database: "ware house",
      user: "reader",
      password: "p@ss/word",
      ssl: true,
    },
  });
});

test("what an address leaves out has the kind's defaults", () => {
  const empty = { user: "", password: "", ssl: false };
  expect(databaseAddress("postgres://[::1]/shop?sslmode=disable")).toEqual({
    kind: "PostgreSql",
    connection: { ...empty, host: "::1", port: 5432, database: "shop" },
  });
  expect(databaseAddress("mysql://db/shop?ssl-mode=DISABLED")).toEqual({
    kind: "MySql",
    connection: { ...empty, host: "db", port: 3306, database: "shop" },
  });
  expect(databaseAddress("mssql://db/shop")).toEqual({
    kind: "SqlServer",
    connection: { ...empty, host: "db", port: 1433, database: "shop", ssl: true },
  });
  expect(databaseAddress("sqlserver://db:14330/shop?encrypt=false")).toMatchObject({
    kind: "SqlServer",
    connection: { port: 14330, ssl: false },
  });
  expect(databaseAddress("mariadb://db")).toMatchObject({ kind: "MySql", connection: { ssl: false } });
});

test.each(["db.example.com", "http://root@db/shop", "postgres://", "postgres://u:%E0%A4%A@h/d"])(
  "%s is no such address",
  (text) => {
    expect(databaseAddress(text)).toBeNull();
  },
);

test("a server is written with its port", () => {
  expect(serverOf({ host: "db", port: 5432 })).toBe("db:5432");
  expect(serverOf({ host: "::1", port: 5432 })).toBe("[::1]:5432");
});

test("a server's name as SQL Server's tools write it fills host and port; a plain host is left alone", () => {
  expect(sqlServerNamed("tcp:db.example.com,14330")).toEqual({ host: "db.example.com", port: 14330 });
  expect(sqlServerNamed(".\\SQLEXPRESS")).toEqual({ host: "localhost\\SQLEXPRESS" });
  expect(sqlServerNamed(" db.example.com ")).toBeNull();
});

import { expect, test } from "vitest";
import { postgresAddress, serverOf } from "./address.ts";

test("a copied address falls into its parts, decoded", () => {
  expect(
    postgresAddress(" postgresql://reader:p%40ss%2Fword@db.example.com:6432/ware%20house?sslmode=require "),
  ).toEqual({
    host: "db.example.com",
    port: 6432,
    database: "ware house",
    user: "reader",
    password: "p@ss/word",
    ssl: true,
  });
});

test("what an address leaves out has PostgreSQL's defaults", () => {
  expect(postgresAddress("postgres://[::1]/shop?sslmode=disable")).toEqual({
    host: "::1",
    port: 5432,
    database: "shop",
    user: "",
    password: "",
    ssl: false,
  });
});

test.each(["db.example.com", "mysql://root@db/shop", "postgres://", "postgres://u:%E0%A4%A@h/d"])(
  "%s is no such address",
  (text) => {
    expect(postgresAddress(text)).toBeNull();
  },
);

test("a server is written with its port", () => {
  expect(serverOf({ host: "db", port: 5432 })).toBe("db:5432");
  expect(serverOf({ host: "::1", port: 5432 })).toBe("[::1]:5432");
});

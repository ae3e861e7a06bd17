import { expect, test } from "vitest";
import { databaseAddress } from "./database-address.ts";

test("a pasted URL is split into decoded parts", () => {
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

test("missing parts get the kind's defaults", () => {
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
  expect(databaseAddress("trino://reader@db/lake/sales")).toEqual({
    kind: "Trino",
    connection: { ...empty, host: "db", port: 8443, database: "lake/sales", user: "reader", ssl: true },
  });
  expect(databaseAddress("trino://db:8080/lake?SSL=false")).toMatchObject({
    kind: "Trino",
    connection: { port: 8080, database: "lake", ssl: false },
  });
  expect(databaseAddress("mariadb://db")).toMatchObject({ kind: "MySql", connection: { ssl: false } });
});

test.each(["db.example.com", "http://root@db/shop", "postgres://", "postgres://u:%E0%A4%A@h/d"])(
  "%s is not a database URL",
  (text) => {
    expect(databaseAddress(text)).toBeNull();
  },
);

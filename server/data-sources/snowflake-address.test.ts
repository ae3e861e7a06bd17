import { expect, test } from "vitest";
import { createDataSourceInput } from "./schema.ts";
import { snowflakeAddress } from "./snowflake-address.ts";

test("a URL names the account, the user, the database, and what is optional", () => {
  expect(snowflakeAddress("snowflake://reader@myorg-account123/SHOP")).toEqual({
    ...{ account: "myorg-account123", user: "reader", database: "SHOP", schema: "PUBLIC" },
  });
  expect(
    snowflakeAddress(
      "snowflake://reader:a%2Fb@xy12345.eu-central-1.snowflakecomputing.com/shop/raw?warehouse=W&role=R&privateKeyFile=%2Fk.p8",
    ),
  ).toEqual({
    ...{ account: "xy12345.eu-central-1", user: "reader", database: "shop", schema: "raw" },
    ...{ warehouse: "W", role: "R", token: "a/b", privateKeyFile: "/k.p8" },
  });
});

test.each([
  "postgres://reader@myorg/shop",
  "snowflake://reader@myorg",
  "snowflake://myorg/shop",
  "snowflake://reader@myorg:443/shop",
  "snowflake://reader@myorg%2f.evil.com/shop",
  "snowflake://reader@[::1]/shop",
  "snowflake://reader@myorg/shop/raw/more",
])("%s is none", (text) => {
  expect(snowflakeAddress(text)).toBeNull();
});

const given = (connection: object) =>
  createDataSourceInput.safeParse({
    ...{ projectId: 1, name: "Shop", kind: "Snowflake" },
    connection: { account: "myorg-account123", user: "reader", database: "SHOP", ...connection },
  });

test.each([
  "myorg-account123",
  "xy12345",
  "xy12345.eu-central-1",
  "xy12345.us-east-1.privatelink",
  "MYORG-ACCOUNT_NAME",
])("%s is an account identifier", (account) => {
  expect(given({ account }).success).toBe(true);
});

// Each would make another host of https://<account>.snowflakecomputing.com.
test.each([
  ...["evil.com/", "evil.com#", "evil.com?", "evil.com:443", "a@evil.com", "evil.com\\", "a b", "a\nb"],
  ...[
    "127.0.0.1/x",
    "[::1]",
    "a..b",
    ".a",
    "a.",
    "-a",
    "a%2e",
    "аcme",
    "https://myorg",
    "myorg.snowflakecomputing.com",
  ],
  ...["a.b.c.d.e", "", "x".repeat(300)],
])("%j is not", (account) => {
  expect(given({ account }).success).toBe(false);
});

test("secrets fit the way of signing in, and what is optional has its default", () => {
  expect(given({ token: "t" }).success).toBe(false);
  expect(given({ authentication: "OAuth", privateKey: "k" }).success).toBe(false);
  expect(given({ passphrase: "p" }).success).toBe(false);
  expect(given({ authentication: "OAuth", token: "t" }).success).toBe(true);
  expect(given({ privateKey: "k", passphrase: "p" }).data?.connection).toMatchObject({
    ...{ authentication: "KeyPair", schema: "PUBLIC", queryTag: "plumbline" },
  });
});

test("only a kind whose statements cost something has a budget", () => {
  const connection = { host: "h", port: 1, database: "d", user: "u" };
  const common = { projectId: 1, name: "Shop", dailyBudget: 600 };
  expect(createDataSourceInput.safeParse({ ...common, kind: "PostgreSql", connection }).success).toBe(false);
  expect(
    createDataSourceInput.safeParse({
      ...{ ...common, kind: "Snowflake" },
      connection: { account: "myorg", user: "u", database: "d" },
    }).success,
  ).toBe(true);
});

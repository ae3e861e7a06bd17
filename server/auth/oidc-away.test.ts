import { once } from "node:events";
import { type AddressInfo, createServer } from "node:net";
import { afterEach, beforeAll, expect, test, vi } from "vitest";
import { db } from "../db/client.ts";
import { log } from "../telemetry/log.ts";
import { anOidcProvider, audience } from "../test/oidc-provider.ts";
import { rest } from "../test/rest-client.ts";
import { hashPassword } from "./password.ts";
import { signIn } from "./service/sign-in.ts";
import { users } from "./tables.ts";

/** What stops working while a provider is down, and what does not. */
let port: number;
const issuer = () => `http://127.0.0.1:${port}`;

beforeAll(async () => {
  const reserved = createServer().listen(0, "127.0.0.1");
  await once(reserved, "listening");
  port = (reserved.address() as AddressInfo).port;
  await new Promise((resolve) => reserved.close(resolve));
  Object.assign(process.env, {
    OIDC_ISSUER: issuer(),
    OIDC_CLIENT_ID: "plumbline",
    OIDC_CLIENT_SECRET: "a secret that only tests use",
    OIDC_DEFAULT_ROLE: "Viewer",
    OIDC_AUDIENCE: audience,
  });
  const passwordHash = await hashPassword("a long enough password");
  await db.insert(users).values({ name: "Ada", email: "ada@example.com", role: "Admin", passwordHash });
});
afterEach(() => {
  vi.useRealTimers();
  vi.restoreAllMocks();
});

const later = (ms: number) => vi.useFakeTimers({ toFake: ["Date"], now: Date.now() + ms });

test("JWTs are rejected and the log says why; passwords still work; the provider may recover", async () => {
  const warn = vi.spyOn(log, "warn");
  const elsewhere = await anOidcProvider("http://localhost:3000");
  const claims = { iss: issuer(), aud: audience, sub: "grace", exp: Math.floor(Date.now() / 1000) + 3600 };
  const token = await elsewhere.sign(claims);
  await elsewhere.close();
  const me = (jwt: string) => rest("GET", "/auth/me", { headers: { authorization: `Bearer ${jwt}` } });

  expect((await me(token)).status).toBe(401);
  expect((await me(token)).status).toBe(401);
  expect(warn).toHaveBeenCalledOnce();
  expect(warn.mock.calls[0]?.[1]).toMatch(/OIDC provider cannot be used/);
  expect(await signIn("ada@example.com", "a long enough password", "10.0.0.1")).toMatchObject({
    user: { name: "Ada" },
  });

  const provider = await anOidcProvider("http://localhost:3000", port);
  expect((await me(await provider.sign(claims))).status).toBe(401);
  later(6_000);
  expect((await me(await provider.sign(claims))).body).toMatchObject({ kind: "Jwt", role: "Viewer" });

  // Down again: what it has published is used for ten minutes, and no longer.
  const known = await provider.sign(claims);
  await provider.close();
  expect((await me(known)).status).toBe(200);
  later(11 * 60_000);
  expect((await me(known)).status).toBe(401);
});

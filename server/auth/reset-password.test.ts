import { eq } from "drizzle-orm";
import { expect, test } from "vitest";
import { db } from "../db/client.ts";
import { aUser, cookieOf } from "../test/factories/sessions.ts";
import { rest } from "../test/rest-client.ts";
import { resetPassword } from "./service/reset-password.ts";
import { signIn } from "./service/sign-in.ts";
import { users } from "./tables.ts";

test("an operator gives someone a new password, who is enabled, and whose sessions end", async () => {
  const user = await aUser("Admin");
  const cookie = await cookieOf(user);
  const recorded: unknown[] = [];
  const reset = await resetPassword(user.email.toUpperCase(), async (change) => void recorded.push(change));
  expect(reset).toEqual({
    name: user.name,
    password: expect.stringMatching(/^[\w-]{16}$/),
    hadSecondFactor: false,
  });
  expect(await signIn(user.email, reset?.password ?? "", "10.0.0.1")).toMatchObject({
    user: { id: user.id },
  });
  expect((await rest("GET", "/auth/me", { cookie })).status).toBe(401);
  expect(recorded).toMatchObject([{ action: "users.update", objectId: user.id }]);
  expect(JSON.stringify(recorded)).not.toContain(reset?.password);

  await db.update(users).set({ enabled: false }).where(eq(users.id, user.id));
  const again = await resetPassword(user.email, async () => {});
  expect(await signIn(user.email, again?.password ?? "", "10.0.0.1")).toMatchObject({
    user: { id: user.id },
  });
  expect(await resetPassword("nobody@example.com", async () => {})).toBeNull();
});

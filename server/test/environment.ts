import { vi } from "vitest";

/** The environment of every test, whoever runs it. */
process.env.ENCRYPTION_KEY = "11".repeat(32);
process.env.NEXTAUTH_SECRET = "a secret that only tests use, 32+ characters";
process.env.LOG_LEVEL = "silent";
// No test calls the language model of the person who runs it.
for (const name of Object.keys(process.env)) if (/^(OPENAI|LLM)_/.test(name)) delete process.env[name];

// A sign-in costs a fifth of a second for safety's sake, which only the tests of that cost have to pay.
vi.mock("../auth/password-cost.ts", () => ({ passwordCost: { N: 2 ** 10, r: 8, p: 1 } }));

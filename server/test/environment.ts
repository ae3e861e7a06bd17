import { forgetSettings } from "../env.ts";

/** The environment of every test, whoever runs it. A file that shares its process with others finds what the first did. */
const shared = globalThis as { firstEnvironment?: NodeJS.ProcessEnv };
shared.firstEnvironment ??= { ...process.env };
for (const name of Object.keys(process.env)) if (!(name in shared.firstEnvironment)) delete process.env[name];
Object.assign(process.env, shared.firstEnvironment);

process.env.ENCRYPTION_KEY = "11".repeat(32);
process.env.NEXTAUTH_SECRET = "a secret that only tests use, 32+ characters";
process.env.LOG_LEVEL = "silent";
// No test calls the language model of the person who runs it.
for (const name of Object.keys(process.env)) if (/^(OPENAI|LLM)_/.test(name)) delete process.env[name];
forgetSettings();

/** The environment of every test, whoever runs it. */
process.env.ENCRYPTION_KEY = "11".repeat(32);
process.env.NEXTAUTH_SECRET = "a secret that only tests use, 32+ characters";
process.env.LOG_LEVEL = "silent";
// No test calls the language model of the person who runs it.
for (const name of Object.keys(process.env)) if (/^(OPENAI|LLM)_/.test(name)) delete process.env[name];

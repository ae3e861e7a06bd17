/** What every test finds set, whoever runs it. */
process.env.ENCRYPTION_KEY = "11".repeat(32);
process.env.NEXTAUTH_SECRET = "a secret that only tests use, 32+ characters";
process.env.LOG_LEVEL = "silent";
// No test asks the language model of whoever runs it.
for (const name of Object.keys(process.env)) if (/^(OPENAI|LLM)_/.test(name)) delete process.env[name];

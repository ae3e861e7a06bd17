import { z } from "zod";
import { flag, optionalText, type Refuse, type Values, wholeNumber } from "./values.ts";

/** US dollars per million tokens: `2.50`. */
const price = z
  .string()
  .regex(/^\d{1,6}(\.\d{1,6})?$/, "must be US dollars per million tokens, such as 2.50")
  .transform(Number)
  .optional();

/** An API's base URL; /chat/completions is appended to it. */
const apiBase = z
  .url({ protocol: /^https?$/, message: "must be an http or https address" })
  .refine((address) => {
    if (!URL.canParse(address)) return false;
    const { username, password, search, hash } = new URL(address);
    return !username && !password && !search && !hash;
  }, "must be a URL without user, password, query, or fragment");

/** The model that AI actors use, and what they may use of it. */
export const languageModelSettings = {
  // fetch rejects a header that it cannot send with an error that quotes the whole key.
  OPENAI_API_KEY: z
    .string()
    .regex(/^[\x21-\x7e]+$/, "must be one word of ASCII")
    .optional()
    .describe(
      "The API key of OpenAI, or of the server at OPENAI_BASE_URL. AI actors use the built-in planner unless one of the two is set.",
    ),
  OPENAI_BASE_URL: apiBase
    .optional()
    .describe(
      "A server with an OpenAI-compatible chat completions API, such as http://localhost:11434/v1. Some need no OPENAI_API_KEY.",
    ),
  LLM_MODEL: optionalText.describe(
    "The model to use. Required with OPENAI_BASE_URL; defaults to gpt-6.1-terra at OpenAI.",
  ),
  LLM_OUTPUT: z
    .enum(["schema", "json"])
    .default("schema")
    .describe(
      "schema|json: how to request structured output. Use json if the server supports JSON mode but not JSON Schema.",
    ),
  LLM_FINDINGS: flag
    .default(false)
    .describe(
      "on|off: scans show each table to the model, which may move and reword findings and propose its own. It is sent masked examples of values.",
    ),
  LLM_PRICE_INPUT: price.describe(
    "US dollars per million input tokens. Defaults to the list price, if known. 0 if the model is free.",
  ),
  LLM_PRICE_OUTPUT: price.describe("US dollars per million output tokens."),
  LLM_TIMEOUT_S: wholeNumber(1, 290, 120).describe(
    "Timeout of a call to the model in seconds, including its retries after 429 and similar errors.",
  ),
  LLM_CONCURRENCY: wholeNumber(1, 1000, 4).describe(
    "Maximum number of concurrent calls to the model, across all processes. Further calls wait.",
  ),
  LLM_REQUESTS_PER_MINUTE: wholeNumber(1, 100_000, 60).describe(
    "Maximum number of calls to the model per minute, across all processes. Further calls wait.",
  ),
};

/** Refuses a server without a model, a model without a server, and half a price. */
export function checkLanguageModel(s: Values<typeof languageModelSettings>, refuse: Refuse): void {
  if (s.OPENAI_BASE_URL && !s.LLM_MODEL) refuse("LLM_MODEL", "is required by OPENAI_BASE_URL");
  if (s.LLM_MODEL && !(s.OPENAI_API_KEY ?? s.OPENAI_BASE_URL))
    refuse("LLM_MODEL", "requires OPENAI_API_KEY or OPENAI_BASE_URL");
  if ((s.LLM_PRICE_INPUT === undefined) !== (s.LLM_PRICE_OUTPUT === undefined))
    refuse("LLM_PRICE_INPUT", "and LLM_PRICE_OUTPUT go together: set both, or neither for the list price");
}

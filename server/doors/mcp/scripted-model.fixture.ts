import { afterAll } from "vitest";
import { startModelServer } from "../../test/model-server.ts";

/** A language model, without which there is no tool `ask`; it says what a test has it say. To be imported first. */
export const model = await startModelServer();
process.env.OPENAI_BASE_URL = model.url;
process.env.LLM_MODEL = "scripted";
process.env.LLM_PRICE_INPUT = "2";
process.env.LLM_PRICE_OUTPUT = "8";
process.env.LLM_REQUESTS_PER_MINUTE = "1000";
process.env.LLM_TIMEOUT_S = "5";

afterAll(() => model.close());

import { createOpenAI } from "@ai-sdk/openai";
import { extractJsonMiddleware, type LanguageModelMiddleware, wrapLanguageModel } from "ai";
import type { Settings } from "../../env.ts";
import { log } from "../../telemetry/log.ts";
import type { Model } from "./language-model.ts";

// Such as settings that a model does not accept: not worth a message on standard error.
globalThis.AI_SDK_LOG_WARNINGS = ({ warnings, model }) =>
  log.debug({ warnings, model }, "Warnings about a language model");

/** A normal response is a few kilobytes; larger ones than this are rejected. */
export const maxAnswerBytes = 4_000_000;

/** The default if LLM_MODEL is not set: OpenAI's mid-size model, whose price is known. */
const usualModel = "gpt-6.1-terra";

export const isConfigured = ({ OPENAI_API_KEY, OPENAI_BASE_URL }: Settings) =>
  Boolean(OPENAI_API_KEY ?? OPENAI_BASE_URL);

/** OpenAI, or a server with a compatible chat completions API. Sends nothing until it is called. */
export function openaiModel(settings: Settings): Model {
  const { OPENAI_API_KEY, OPENAI_BASE_URL, LLM_MODEL = usualModel, LLM_OUTPUT } = settings;
  const openai = createOpenAI({
    baseURL: OPENAI_BASE_URL ?? "https://api.openai.com/v1",
    // The SDK requires a key; this one is not sent.
    apiKey: OPENAI_API_KEY ?? "none",
    fetch: (address, request) => askServer(address, request, Boolean(OPENAI_API_KEY)),
  });
  return wrapLanguageModel({
    model: openai.chat(LLM_MODEL),
    modelId: LLM_MODEL,
    middleware: [
      extractJsonMiddleware({ transform: bareJson }),
      ...(LLM_OUTPUT === "json" ? [withoutSchema] : []),
    ],
  });
}

/** Removes what some models put around the requested JSON: their reasoning before it, and Markdown. */
export function bareJson(text: string): string {
  return text
    .trim()
    .replace(/^<think>[\s\S]*?<\/think>/, "")
    .trim()
    .replace(/^```(?:json)?/, "")
    .replace(/```$/, "")
    .trim();
}

/** Requests plain JSON: the prompt describes the format, and the response is validated anyway. */
const withoutSchema: LanguageModelMiddleware = {
  specificationVersion: "v4",
  transformParams: async ({ params }) => ({ ...params, responseFormat: { type: "json" } }),
};

async function askServer(address: string | URL | Request, request: RequestInit = {}, hasKey: boolean) {
  const headers = new Headers(request.headers);
  if (!hasKey) headers.delete("authorization");
  // The prompt is only sent to the configured address.
  const response = await fetch(address, { ...request, headers, redirect: "manual" });
  if (!response.body) return response;
  let bytes = 0;
  const counted = response.body.pipeThrough(
    new TransformStream<Uint8Array, Uint8Array>({
      transform(chunk, controller) {
        bytes += chunk.byteLength;
        if (bytes > maxAnswerBytes) controller.error(new Error("The answer is too long"));
        else controller.enqueue(chunk);
      },
    }),
  );
  const { status, statusText } = response;
  return new Response(counted, { status, statusText, headers: response.headers });
}

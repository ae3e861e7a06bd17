import { createOpenAI } from "@ai-sdk/openai";
import { extractJsonMiddleware, type LanguageModelMiddleware, wrapLanguageModel } from "ai";
import type { Settings } from "../../env.ts";
import { log } from "../../telemetry/log.ts";
import type { Model } from "./language-model.ts";

// Of settings that a model does not take: nobody needs to know, and standard error is no place for it.
globalThis.AI_SDK_LOG_WARNINGS = ({ warnings, model }) =>
  log.debug({ warnings, model }, "A language model's warnings");

/** An answer of a model is a few kilobytes; a server that sends more than this is not believed. */
export const maxAnswerBytes = 4_000_000;

/** Unless LLM_MODEL says otherwise: of OpenAI's own, the middle one, whose price is known. */
const usualModel = "gpt-6.1-terra";

export const isConfigured = ({ OPENAI_API_KEY, OPENAI_BASE_URL }: Settings) =>
  Boolean(OPENAI_API_KEY ?? OPENAI_BASE_URL);

/** OpenAI, or a server that speaks its chat completions. Nothing is sent before it is asked. */
export function openaiModel(settings: Settings): Model {
  const { OPENAI_API_KEY, OPENAI_BASE_URL, LLM_MODEL = usualModel, LLM_OUTPUT } = settings;
  const openai = createOpenAI({
    baseURL: OPENAI_BASE_URL ?? "https://api.openai.com/v1",
    // The SDK insists on a key; where there is none, none is sent.
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

/** Without what some models put around the JSON that they were asked for: their thoughts before it, and Markdown. */
export function bareJson(text: string): string {
  return text
    .trim()
    .replace(/^<think>[\s\S]*?<\/think>/, "")
    .trim()
    .replace(/^```(?:json)?/, "")
    .replace(/```$/, "")
    .trim();
}

/** Asks for JSON alone: the prompt says of what form, and the answer is checked in any case. */
const withoutSchema: LanguageModelMiddleware = {
  specificationVersion: "v4",
  transformParams: async ({ params }) => ({ ...params, responseFormat: { type: "json" } }),
};

async function askServer(address: string | URL | Request, request: RequestInit = {}, hasKey: boolean) {
  const headers = new Headers(request.headers);
  if (!hasKey) headers.delete("authorization");
  // The prompt goes to the address that the operator named, and to no other.
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

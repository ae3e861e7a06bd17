import type { LanguageModel } from "ai";

/** What the AI SDK asks of a model, in its version 4. */
export type Model = Extract<LanguageModel, { specificationVersion: "v4" }>;
export type Call = Parameters<Model["doGenerate"]>[0];

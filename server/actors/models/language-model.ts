import type { LanguageModel } from "ai";

/** A model as the AI SDK defines it, in version 4 of its interface. */
export type Model = Extract<LanguageModel, { specificationVersion: "v4" }>;
export type Call = Parameters<Model["doGenerate"]>[0];

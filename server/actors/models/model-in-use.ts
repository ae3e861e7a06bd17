import { env, type Settings } from "../../env.ts";
import { builtInModel, builtInName } from "./built-in.ts";
import type { Model } from "./language-model.ts";
import { isConfigured, openaiModel } from "./openai.ts";
import { listPriceOf, type Price } from "./prices.ts";

export type ModelInUse = {
  model: Model;
  /** The display name, shown with its work. */
  name: string;
  isBuiltIn: boolean;
  /** null if unknown, which is not the same as free. */
  price: Price | null;
};

/** The model that actors use: the configured language model, or the built-in planner. */
export function modelInUse(settings: Settings = env()): ModelInUse {
  if (!isConfigured(settings))
    return {
      model: builtInModel,
      name: builtInName,
      isBuiltIn: true,
      price: { inputPerMillion: 0, outputPerMillion: 0 },
    };
  const model = openaiModel(settings);
  return { model, name: model.modelId, isBuiltIn: false, price: priceOf(model.modelId, settings) };
}

function priceOf(name: string, { LLM_PRICE_INPUT, LLM_PRICE_OUTPUT }: Settings): Price | null {
  if (LLM_PRICE_INPUT === undefined || LLM_PRICE_OUTPUT === undefined) return listPriceOf(name);
  return { inputPerMillion: LLM_PRICE_INPUT, outputPerMillion: LLM_PRICE_OUTPUT };
}

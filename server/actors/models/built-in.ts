import type { Briefing } from "../briefing.ts";
import { proposeByRule } from "../planner/propose-by-rule.ts";
import type { Repair } from "../repair.ts";
import type { Call, Model } from "./language-model.ts";

export const builtInName = "Built-in planner (no language model)";

/** The key under which a call carries the built-in planner's briefing, because the planner does not read prompts. */
const namespace = "plumbline";

type Question = { briefing: Briefing; repair: Repair | null };

/** For `providerOptions` of a call, which the SDK passes through unchanged. */
export function questionFor(question: Question): NonNullable<Call["providerOptions"]> {
  return { [namespace]: question as unknown as NonNullable<Call["providerOptions"]>[string] };
}

function questionIn({ providerOptions }: Call): Question {
  const question = providerOptions?.[namespace];
  if (!question) throw new Error("The built-in planner was called without a briefing");
  return question as unknown as Question;
}

const none = { total: 0, noCache: 0, cacheRead: 0, cacheWrite: 0 };

/** The built-in planner as an SDK model, so that its calls take the same path as any other model's. It is free. */
export const builtInModel: Model = {
  specificationVersion: "v4",
  provider: "plumbline",
  modelId: builtInName,
  supportedUrls: {},
  async doGenerate(call) {
    const { briefing, repair } = questionIn(call);
    return {
      content: [{ type: "text", text: JSON.stringify(proposeByRule(briefing, repair)) }],
      finishReason: { unified: "stop", raw: undefined },
      usage: { inputTokens: none, outputTokens: { total: 0, text: 0, reasoning: 0 } },
      warnings: [],
    };
  },
  async doStream() {
    throw new Error("The built-in planner does not support streaming");
  },
};

import type { Briefing } from "../briefing.ts";
import { proposeByRule } from "../planner/propose-by-rule.ts";
import type { Repair } from "../repair.ts";
import type { Call, Model } from "./language-model.ts";

export const builtInName = "Built-in planner (no language model)";

/** Where a call of the built-in planner carries what it thinks about: it reads no prompt. */
const namespace = "plumbline";

type Question = { briefing: Briefing; repair: Repair | null };

/** For `providerOptions` of a call. The SDK hands them through as they are. */
export function questionFor(question: Question): NonNullable<Call["providerOptions"]> {
  return { [namespace]: question as unknown as NonNullable<Call["providerOptions"]>[string] };
}

function questionIn({ providerOptions }: Call): Question {
  const question = providerOptions?.[namespace];
  if (!question) throw new Error("The built-in planner was called without a briefing");
  return question as unknown as Question;
}

const none = { total: 0, noCache: 0, cacheRead: 0, cacheWrite: 0 };

/** The built-in planner as a model of the SDK, so that its calls take the same path as any other's. It costs nothing. */
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

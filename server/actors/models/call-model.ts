import { generateText, type LanguageModelUsage, NoObjectGeneratedError } from "ai";
import { rejectInTransaction } from "../../db/ambient.ts";
import type { Settings } from "../../env.ts";
import { log } from "../../telemetry/log.ts";
import { clock, metrics } from "../../telemetry/metrics.ts";
import { failSpan, traced } from "../../telemetry/tracing.ts";
import type { Call } from "./language-model.ts";
import { failureIn, ModelFailure, unreadable } from "./model-failure.ts";
import type { ModelInUse } from "./model-in-use.ts";
import { costOf } from "./prices.ts";
import type { structuredOutput } from "./structured-output.ts";

export type Asked<T> = {
  /** The instructions that all such calls share, and the prompt of this one. */
  instructions?: string;
  prompt: string;
  /** For the built-in planner, which does not read prompts. */
  providerOptions?: NonNullable<Call["providerOptions"]>;
  output: ReturnType<typeof structuredOutput<T>>;
  /** What the model should return, as a word for error messages: `proposal`. */
  wanted: string;
  maxOutputTokens: number;
  /** Why the response may be cut off early; null if its maximum length is the usual one. */
  whyShort?: string | null;
  /** Identifies the call in the log. */
  about: Record<string, unknown>;
};

export type Tokens = { input: number; output: number };

/** The outcome of a call. Its tokens count even if the response cannot be used. */
export type Outcome<T> = { tokens: Tokens } & (
  | { answer: T; failure: null }
  | { answer: null; failure: ModelFailure }
);

/** Calls a model once, within the time limit. Throws only because of bugs. */
export function callModel<T>(
  inUse: ModelInUse,
  asked: Asked<T>,
  settings: Pick<Settings, "LLM_TIMEOUT_S">,
): Promise<Outcome<T>> {
  rejectInTransaction("A language model");
  const took = clock();
  const model = inUse.name;
  return traced(
    "model call",
    { "gen_ai.operation.name": "chat", "gen_ai.request.model": model },
    async (span) => {
      const called = await generate(inUse, asked, settings);
      const { input, output } = called.tokens;
      metrics.llmCalls.inc({ model, outcome: called.failure ? "failed" : "answered" });
      metrics.llmSeconds.observe({ model }, took());
      metrics.llmTokens.inc({ model, direction: "input" }, input);
      metrics.llmTokens.inc({ model, direction: "output" }, output);
      metrics.llmCost.inc({ model }, costOf(called.tokens, inUse.price) ?? 0);
      span?.setAttributes({ "gen_ai.usage.input_tokens": input, "gen_ai.usage.output_tokens": output });
      if (called.failure) failSpan(span, called.failure.name);
      return called;
    },
    { kind: "CLIENT" },
  );
}

async function generate<T>(
  inUse: ModelInUse,
  asked: Asked<T>,
  { LLM_TIMEOUT_S }: Pick<Settings, "LLM_TIMEOUT_S">,
): Promise<Outcome<T>> {
  const time = AbortSignal.timeout(LLM_TIMEOUT_S * 1000);
  const { instructions, prompt, providerOptions, output, wanted, maxOutputTokens } = asked;

  function failed(failure: ModelFailure, tokens: Tokens, finishReason?: string): Outcome<T> {
    const isCutOff = finishReason === "length" && asked.whyShort;
    const words = isCutOff ? `${failure.message}. ${asked.whyShort}` : failure.message;
    log.info({ ...asked.about, model: inUse.name, reason: words }, `The model returned no ${wanted}`);
    return { tokens, answer: null, failure: new ModelFailure(words) };
  }
  /** Estimates about four characters per token if the server does not report usage, so that budgets still apply. */
  function tokensIn(usage: LanguageModelUsage | undefined, text: string): Tokens {
    const said = (tokens: number | undefined, otherwise: string) =>
      Math.round(Math.min(Math.max(tokens ?? otherwise.length / 4, 0), 1_000_000_000));
    const sent = inUse.isBuiltIn ? "" : (instructions ?? "") + prompt;
    return { input: said(usage?.inputTokens, sent), output: said(usage?.outputTokens, text) };
  }

  try {
    const result = await generateText({
      model: inUse.model,
      output,
      ...(instructions !== undefined && { instructions }),
      prompt,
      ...(providerOptions && { providerOptions }),
      maxOutputTokens,
      // The SDK omits it for models known to reject it.
      temperature: 0.2,
      maxRetries: 2,
      abortSignal: time,
    });
    const { usage, text, finishReason } = result;
    const tokens = tokensIn(usage, text);
    // A response that ended without any text has no output to parse.
    if (text === "" && finishReason !== "stop")
      return failed(
        new ModelFailure(unreadable({ finishReason, cause: undefined }, wanted)),
        tokens,
        finishReason,
      );
    return { tokens, answer: result.output as T, failure: null };
  } catch (error) {
    const failure = failureIn(error, { timedOutAfter: time.aborted ? LLM_TIMEOUT_S : null, wanted });
    if (!failure) throw error;
    return NoObjectGeneratedError.isInstance(error)
      ? failed(failure, tokensIn(error.usage, error.text ?? ""), error.finishReason)
      : failed(failure, { input: 0, output: 0 });
  }
}

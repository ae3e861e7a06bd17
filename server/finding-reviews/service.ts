import { newFences } from "../actors/models/fences.ts";
import { modelInUse } from "../actors/models/model-in-use.ts";
import { structuredOutput } from "../actors/models/structured-output.ts";
import { askNow } from "../actors/service/ask-now.ts";
import { env, type Settings } from "../env.ts";
import { problemIn } from "../errors.ts";
import {
  type ModelToAsk,
  type Review,
  type Reviewed,
  reviewSchema,
  type ToldTable,
} from "../findings/review.ts";
import { reviewPrompt } from "./prompt.ts";

const output = structuredOutput("review", reviewSchema);
const maxOutputTokens = 4000;

/** Asks the language model about a table's findings, where one is configured and LLM_FINDINGS lets it. */
export function modelReviewer(settings: Settings = env()): ModelToAsk | null {
  const model = modelInUse(settings);
  if (!settings.LLM_FINDINGS || model.isBuiltIn) return null;
  return {
    ask: (table) => reviewTable(table, settings),
    // Each prompt has another boundary; beside that, only what it says counts.
    shown: (table) => JSON.stringify([model.name, reviewPrompt(table, newFences("boundary"))]),
  };
}

async function reviewTable(table: ToldTable, settings: Settings): Promise<Reviewed> {
  const { schemaName, tableName } = table;
  try {
    const { answer, failure, model, tokensUsed } = await askNow<Review>(
      {
        ...reviewPrompt(table),
        ...{ output, wanted: "review", maxOutputTokens },
        about: { asks: "for a review of findings", schemaName, tableName },
      },
      settings,
      "review",
    );
    return answer === null
      ? { model, tokensUsed, review: null, failure: failure ?? "The language model gave no answer" }
      : { model, tokensUsed, review: answer, failure: null };
  } catch (error) {
    const problem = problemIn(error);
    if (!problem) throw error;
    return { model: "", tokensUsed: 0, review: null, failure: problem.detail };
  }
}

import type { Briefing } from "../briefing.ts";
import { ModelFailure } from "../models/model-failure.ts";
import { modelInUse } from "../models/model-in-use.ts";
import { readingOutput, readingPrompt } from "../models/reading-prompt.ts";
import { escaped } from "../planner/plain-text.ts";
import { fillingIn, type Reading, readingInWords, storableReading, together, wishesIn } from "../reading.ts";
import { isNote } from "../wish-words.ts";
import { askOnce } from "./ask-once.ts";

type Cycle = { actorId: number; executionId: number; briefing: Briefing; isWanted: () => Promise<void> };

const maxOutputTokens = 4000;

/**
 * Has the language model fill in the fields that a person left empty, from the note in their request or revision.
 * `said` is for the plan: what was read, and what was not; null if there was nothing to read, and with the built-in
 * planner, which reads no text and says so itself.
 *
 * A failure to read the note does no harm: the model plans with the note anyway. Throws what `isWanted` throws, and
 * BudgetExhausted.
 */
export async function readNote({
  briefing,
  ...call
}: Cycle): Promise<{ briefing: Briefing; said: string | null }> {
  const { occasion, tables } = briefing;
  const note = occasion.revision?.feedback ?? occasion.instruction;
  if (modelInUse().isBuiltIn || !isNote(note, occasion.wishes)) return { briefing, said: null };
  try {
    const { answer } = await askOnce<Reading>({
      ...call,
      step: "read",
      maxOutputTokens,
      asked: () => ({
        ...readingPrompt(note, briefing),
        output: readingOutput,
        wanted: "reading of the note",
      }),
      storable: storableReading,
    });
    const { wishes, unfit } = wishesIn(answer, { tables, actions: occasion.revision?.actions.length ?? 0 });
    const fills = fillingIn(wishes, occasion.wishes);
    return {
      briefing: { ...briefing, occasion: { ...occasion, wishes: together(occasion.wishes, fills) } },
      said: readingInWords(fills, { rest: answer.rest, unfit }),
    };
  } catch (error) {
    if (!(error instanceof ModelFailure)) throw error;
    return { briefing, said: `Your note set no fields: ${escaped(error.message, 400)}.` };
  }
}

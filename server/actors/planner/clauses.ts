import { withPlainPhrases } from "./vocabulary.ts";

/**
 * What people write, in clauses, and what each wants to happen with what it names. A few rules about a few words:
 * what they do not cover is left alone, and the plan says what was understood.
 */
export type Stance = "include" | "only" | "exclude";
export type Clause = {
  /** As it was written. */
  text: string;
  /** In lower case, with phrases made plain. */
  words: string;
  stance: Stance;
  /** Whether a word of its own says so, and not the clause before it. */
  isOwnStance: boolean;
  /** The clauses of one sentence have one number. */
  sentence: number;
};

const notWatched =
  /\b(do not|don'?t|don’t|never|not|no need to|stop) (please )?(watch|monitor|check|look|propose|include|alert|bother|track|report|test)\w*\b/;
const excluding =
  /\b(ignor\w*|skip\w*|exclud\w*|except|omit\w*|leave .{0,100}\b(out|alone)|leave out|leaving out)\b/;
export const removing =
  /^(please |also |and )*(archive|remove|delete|drop|stop|cancel|disable|discard|unwatch|get rid of|turn off|take out|throw out)\b/;
const denying = /^(please )?(but )?(no|not|without|nor|neither)\b/;
/** What says how things are to be, rather than what is to be watched: "there must be no duplicates". */
const stating =
  /\b(must|should|shall|may|can|cannot|can'?t|ensure|make sure|there (is|are|be)|has|have|having|when|whenever|if|that|contains?|guarantee|expects?|allowed)\b/;
const limiting =
  /\b(only|just|solely|exclusively|nothing but)\b(?! (when|if|once|after|on|at|during|in|between|every)\b)/;
/** "check" is a verb at the beginning, and behind words like these; elsewhere it is a thing. */
const including =
  /(?:^|\b(?:please|also|to|should|must|now|always|then|just|you) )check(ing)?\b|\b(watch|monitor|focus|look|add|track|tell|alert|notify|include|also|use|start|propose|create|care|important|prioriti[sz]e|cover)(s|es|ing|d|ed)?\b/;

export function clausesOf(text: string): Clause[] {
  const clauses: Clause[] = [];
  for (const [sentence, written] of sentencesOf(text).entries()) {
    let stance: Stance = "include";
    let isStated = false;
    for (const part of partsOf(written)) {
      const words = withPlainPhrases(part.toLowerCase());
      isStated ||= stating.test(words);
      const own = stanceOf(words, isStated);
      stance = own ?? stance;
      clauses.push({ text: part, words, stance, isOwnStance: own !== null, sentence });
    }
  }
  return clauses;
}

function stanceOf(words: string, isStated: boolean): Stance | null {
  if (notWatched.test(words) || excluding.test(words) || removing.test(words)) return "exclude";
  if (isStated) return "include";
  if (denying.test(words)) return "exclude";
  if (limiting.test(words)) return "only";
  return including.test(words) ? "include" : null;
}

/** A dot inside a name or a time ends nothing. */
const sentencesOf = (text: string) =>
  text
    .split(/(?<![.!?;])[.!?;]+(?=\s|$)|[\n\r]+/)
    .map((each) => each.trim())
    .filter((each) => each !== "");

const partsOf = (sentence: string) =>
  sentence
    .split(
      /,|\s[–—-]\s|:(?=\s)|\b(?:and|but|then|or)\b(?=\s)|(?=\bexcept\b)|(?<=\b(?:all|everything|tables|checks))\s+(?=without\b)/i,
    )
    .map((each) => each.trim())
    .filter((each) => each !== "");

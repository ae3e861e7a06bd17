import type { ProposedAction } from "./proposal.ts";
import { choiceLabel, isNote } from "./wish-words.ts";
import { checkNames, type WishedCheck } from "./wished-checks.ts";
import type { Exclusion, RequestWishes, TableChoice } from "./wishes.ts";

/**
 * The parts of what a person asked an actor for, so that each gets an answer: every choice in a field, and every
 * sentence of the note. The browser loads this file too.
 */
export type Clause = {
  /** As it is shown: the person's own words, or the choice in words. */
  text: string;
  /** null for a part of the note, which only a language model can read. */
  choice: Choice | null;
};

export type Choice =
  | { kind: "Table"; table: TableChoice }
  | { kind: "Exclude"; exclusion: Exclusion }
  | { kind: "Check"; check: WishedCheck }
  | { kind: "Schedule"; cronExpression: string; timezone: string }
  | { kind: "MaxChecks"; maxChecks: number }
  /** `index` of an action in the plan that was sent back. */
  | { kind: "LeaveOut"; index: number };

/** The answer to one clause. `because` is given if it was not done, and never otherwise. */
export type FeedbackAnswer = { asked: string; isDone: boolean; because: string | null };

/** Longer notes, and choices beyond this number, keep their last clauses together in one. */
export const maxClauses = 40;
export const maxClauseLength = 300;

/** The clauses of a request or of feedback on a plan: the note's first, in its order. Empty if nothing was asked. */
export function clausesOf(
  { note, wishes }: { note: string | null; wishes: RequestWishes | null },
  formerActions: readonly ProposedAction[] = [],
): Clause[] {
  const parts = isNote(note, wishes) ? sentencesOf(note) : [];
  const clauses = [
    ...parts.map((text): Clause => ({ text, choice: null })),
    ...choicesOf(wishes).map((choice): Clause => ({ text: choiceInWords(choice, formerActions), choice })),
  ];
  return clauses
    .slice(0, maxClauses)
    .map(({ text, choice }) => ({ text: clipped(text.replace(/\s+/g, " ").trim()), choice }));
}

const sentences = new Intl.Segmenter("en", { granularity: "sentence" });
const listMark = /^\s*(?:[-*•–]|\d{1,3}[.)])\s+/;

/** Lines, without the marks of a list, and the sentences in them. Text without letters and digits is none. */
function sentencesOf(note: string): string[] {
  const parts = note
    .split(/\n+/)
    .flatMap((line) =>
      [...sentences.segment(line.replace(listMark, ""))].map(({ segment }) => segment.trim()),
    )
    .filter((part) => /[\p{L}\p{N}]/u.test(part));
  return parts.length <= maxClauses
    ? parts
    : [...parts.slice(0, maxClauses - 1), parts.slice(maxClauses - 1).join(" ")];
}

function choicesOf(wishes: RequestWishes | null): Choice[] {
  if (!wishes) return [];
  const { tables, exclude, checks, schedule, maxChecks, leaveOut = [] } = wishes;
  return [
    ...leaveOut.map((index): Choice => ({ kind: "LeaveOut", index })),
    ...tables.map((table): Choice => ({ kind: "Table", table })),
    ...exclude.map((exclusion): Choice => ({ kind: "Exclude", exclusion })),
    ...checks.map((check): Choice => ({ kind: "Check", check })),
    ...(schedule ? [{ kind: "Schedule", ...schedule } as const] : []),
    ...(maxChecks ? [{ kind: "MaxChecks", maxChecks } as const] : []),
  ];
}

function choiceInWords(choice: Choice, formerActions: readonly ProposedAction[]): string {
  switch (choice.kind) {
    case "Table":
      return `Table: ${choiceLabel(choice.table)}`;
    case "Exclude":
      return `Exclude: ${choiceLabel(choice.exclusion)}`;
    case "Check":
      return `Check: ${checkNames[choice.check]}`;
    case "Schedule":
      return `Schedule: ${choice.cronExpression} (${choice.timezone})`;
    case "MaxChecks":
      return `At most ${choice.maxChecks} ${choice.maxChecks === 1 ? "check" : "checks"}`;
    case "LeaveOut": {
      const action = formerActions[choice.index];
      const number = `action ${choice.index + 1}`;
      return action ? `Leave out ${number}: ${titleOf(action)}` : `Leave out ${number}`;
    }
  }
}

function titleOf(action: ProposedAction): string {
  switch (action.kind) {
    case "CreateQuery":
      return `query “${action.name}”`;
    case "CreateSubscription":
      return `subscription to ${action.queryName ? `“${action.queryName}”` : `query ${action.queryId}`}`;
    case "RefineQuery":
      return `change of query ${action.queryId}`;
    case "ArchiveQuery":
      return `end of query ${action.queryId}`;
    case "ArchiveSubscription":
      return `end of subscription ${action.subscriptionId}`;
    case "SendNotification":
      return `message “${action.subject}”`;
    case "CreateContract":
      return `contract “${action.name}”`;
    case "AddRules":
      return `rules of contract ${action.contractId}`;
  }
}

const clipped = (text: string) =>
  text.length <= maxClauseLength ? text : `${text.slice(0, maxClauseLength - 1).toWellFormed()}…`;

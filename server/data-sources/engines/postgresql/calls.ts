import { postgresql } from "../../dialects/postgresql.ts";
import { tokensOf } from "../tokens.ts";

/** A name as written, with its schema if it had one. */
export type Name = { schema: string | null; name: string };

/** Everything in a statement that could be a call, by name; only the server knows what it is. */
export type Calls = {
  /** Names before a parenthesis. */
  functions: Name[];
  /** Names after a dot: `t.f` and `(t).f` call the function f with a row that has no such column. */
  attributes: Name[];
  operators: Set<string>;
  /** All words and names, because a cast names its type. */
  words: Set<string>;
};

type ReadName = Name & { isBare: boolean; followsDot: boolean; before: string | null };

/** Not calls before a parenthesis: unquoted, they cannot be function names. */
const syntax = new Set(
  `
  all any array as asymmetric both case cast check collate current_time current_timestamp distinct else except
  fetch for from group having in intersect into lateral leading limit localtime localtimestamp not offset on only
  or and order placing returning select some symmetric table then to trailing union unique using variadic when where
  window with
  coalesce exists greatest grouping least nullif row values
  `
    .trim()
    .split(/\s+/),
);

/** After these, a parenthesis following the name lists columns or belongs to a type. */
const naming = new Set(["as", "with", "recursive"]);

/** Operators written as keywords; the server resolves these by name like any other. */
const keywordOperators: Record<string, readonly string[]> = {
  like: ["~~", "!~~"],
  ilike: ["~~*", "!~~*"],
  similar: ["~", "!~"],
  between: ["<", "<=", ">", ">="],
  in: ["=", "<>"],
  using: ["="],
  natural: ["="],
  nullif: ["="],
  case: ["="],
  distinct: ["="],
};

/** The operator as stored: `!=` is an alias. */
const stored = (operator: string) => (operator === "!=" ? "<>" : operator);

/** What a statement might call. Throws SourceError "refused" for a text that cannot be tokenized. */
export function callsOf(sql: string): Calls {
  const functions = new Map<string, Name>();
  const attributes = new Map<string, Name>();
  const operators = new Set<string>();
  const words = new Set<string>();
  const add = (to: Map<string, Name>, name: Name) => to.set(JSON.stringify([name.schema, name.name]), name);

  /** The last name, until anything but a dot or a parenthesis follows. */
  let last = null as ReadName | null;
  let afterDot = false;
  /** The unquoted word before, if the last token was one. */
  let before: string | null = null;
  const endName = (isCall: boolean) => {
    if (last === null) return;
    const { schema, name, isBare, followsDot } = last;
    const isKeyWord = isBare && !followsDot && (syntax.has(name) || naming.has(last.before ?? ""));
    if (isCall && !isKeyWord) add(functions, { schema, name });
    if (!isCall && followsDot) add(attributes, { schema, name });
  };
  for (const token of tokensOf(sql, postgresql.lexis)) {
    if (token.kind === "word" || token.kind === "quoted") {
      const isBare = token.kind === "word";
      endName(false);
      const schema: string | null = afterDot ? (last?.name ?? null) : null;
      last = { schema, name: token.text, isBare, followsDot: afterDot, before };
      words.add(token.text);
      if (isBare) for (const operator of keywordOperators[token.text] ?? []) operators.add(operator);
      before = isBare && !afterDot ? token.text : null;
      afterDot = false;
      continue;
    }
    if (token.kind === "dot") {
      afterDot = true;
      before = null;
      continue;
    }
    endName(token.kind === "open");
    last = null;
    afterDot = false;
    before = null;
    if (token.kind === "operator") operators.add(stored(token.text));
  }
  endName(false);
  return {
    functions: [...functions.values()],
    attributes: [...attributes.values()],
    operators,
    words,
  };
}

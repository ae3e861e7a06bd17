import type { Completion, CompletionResult, CompletionSource } from "@codemirror/autocomplete";
import type { SQLDialect } from "@codemirror/lang-sql";
import { reservedWords } from "@/server/data-sources/dialects/clauses.ts";
import { type CompletionKind, type Known, offersAt } from "./sql-completion.ts";

/** The editor's completion: what `offersAt` finds, in sections with keywords last. */
export function sqlCompletionSource(known: () => Known): CompletionSource {
  return ({ state, pos, explicit }) => {
    const found = offersAt(state.doc.toString(), pos, explicit, known());
    if (!found) return null;
    const { from, to, offers, endsAtKeyword } = found;
    const isMixed = offers.some(({ kind }) => kind !== offers[0]?.kind);
    const options = offers.map(({ kind, label, apply, detail, info }): Completion => {
      const said = { ...(detail && { detail }), ...(info && { info }), ...(apply !== label && { apply }) };
      return { label, type: kind, ...said, ...(isMixed && { section: sections[kind] }) };
    });
    const isSame = (text: string) =>
      isOneName(text) && !(endsAtKeyword && reservedWords.has(text.toLowerCase()));
    const result: CompletionResult = { from, options, validFor: isSame };
    return to === pos ? result : { ...result, to };
  };
}

const tables = { name: "Tables", rank: 2 };
const sections: Record<CompletionKind, { name: string; rank: number }> = {
  parameter: { name: "Parameters", rank: 0 },
  column: { name: "Columns", rank: 1 },
  table: tables,
  schema: tables,
  keyword: { name: "Keywords", rank: 3 },
};

const isOneName = (text: string) => /^(?:\{\{\s*|@@?)?[\p{L}\p{N}_$#]*$/u.test(text);

/** The words of a dialect that are not names. */
export function keywordsOf({ spec: { keywords = "", types = "" } }: SQLDialect): readonly string[] {
  return [...new Set(`${keywords} ${types}`.split(" "))].filter((word) => word !== "");
}

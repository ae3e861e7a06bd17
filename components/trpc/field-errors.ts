import type { FieldPath, FieldValues, UseFormReturn } from "react-hook-form";
import { factsOf } from "./errors.ts";

/**
 * Shows the server's errors on the fields they name, and focuses the first. Errors for other paths, and failures that
 * are not about fields, go to `errors.root`: show that with `FormError`.
 *
 * Returns the paths of the invalid fields. `pathOf` and `wordsOf` translate the server's path and message into the
 * form's, where they differ.
 */
export function applyFieldErrors<Values extends FieldValues>(
  form: UseFormReturn<Values>,
  error: unknown,
  {
    pathOf = (path: string) => path,
    wordsOf = (message: string) => message,
  }: { pathOf?: (path: string) => string; wordsOf?: (message: string) => string } = {},
): string[] {
  const { message, errors, code, requestId } = factsOf(error);
  const known = new Set(Object.keys(form.getValues()));
  const placed: string[] = [];
  const homeless: string[] = [];
  for (const { path: named, message: wrong } of errors) {
    const path = pathOf(named);
    if (!known.has(path.split(".")[0] ?? "")) homeless.push(named ? `${named} ${wrong}` : wrong);
    else {
      form.setError(
        path as FieldPath<Values>,
        { type: "server", message: wordsOf(wrong) },
        { shouldFocus: placed.length === 0 },
      );
      placed.push(path);
    }
  }
  if (placed.length > 0 && homeless.length === 0) return placed;
  const id = code === "INTERNAL_SERVER_ERROR" && requestId ? ` (request ${requestId})` : "";
  form.setError("root", { type: "server", message: homeless.join("; ") || `${message}${id}` });
  return placed;
}

import type { FieldPath, FieldValues, UseFormReturn } from "react-hook-form";
import { factsOf } from "./errors.ts";

/**
 * Puts what the service found wrong beside the fields it names, and focuses the first. What belongs to no field
 * of the form, and failures that are not about fields, go to `errors.root`: show that with `FormError`.
 */
export function applyFieldErrors<Values extends FieldValues>(
  form: UseFormReturn<Values>,
  error: unknown,
): void {
  const { message, errors, code, requestId } = factsOf(error);
  const known = new Set(Object.keys(form.getValues()));
  const [placed, homeless] = [true, false].map((wanted) =>
    errors.filter(({ path }) => known.has(path.split(".")[0] ?? "") === wanted),
  ) as [typeof errors, typeof errors];
  placed.forEach(({ path, message: wrong }, index) => {
    form.setError(
      path as FieldPath<Values>,
      { type: "server", message: wrong },
      { shouldFocus: index === 0 },
    );
  });
  if (placed.length > 0 && homeless.length === 0) return;
  const rest = homeless.map(({ path, message: wrong }) => (path ? `${path} ${wrong}` : wrong)).join("; ");
  const id = code === "INTERNAL_SERVER_ERROR" && requestId ? ` (request ${requestId})` : "";
  form.setError("root", { type: "server", message: rest || `${message}${id}` });
}

import type { UseFormRegisterReturn } from "react-hook-form";
import { Field, type FieldProblem } from "../ui/field.tsx";
import { Textarea } from "../ui/textarea.tsx";

/** The CA that a server's certificate must come from, for servers of a company's own. */
export function CaCertificateField({ error, ...field }: UseFormRegisterReturn & { error: FieldProblem }) {
  return (
    <Field
      label="CA certificate"
      optional
      hint="In PEM format, if the server's certificate comes from a CA of your own. Then only that CA is trusted. It is not a secret."
      error={error}
    >
      <Textarea mono spellCheck={false} rows={3} placeholder="-----BEGIN CERTIFICATE-----" {...field} />
    </Field>
  );
}

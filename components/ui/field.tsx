"use client";
import { createContext, type ReactNode, useContext, useId } from "react";
import { cn } from "./class-names.ts";
/**
 * Field: a label, its control, and a hint or an error.
 *
 * The control inside (Input, Textarea, Select, Combobox, …) gets its id, `aria-describedby`, and `aria-invalid`
 * from here. `error` accepts react-hook-form's `errors.name` or a string.
 *
 *   <Field label="Name" error={errors.name}><Input {...register("name")} /></Field>
 */
import { CircleAlert } from "./icons.tsx";
import { Label } from "./label.tsx";

type FieldControl = { id: string; "aria-describedby": string | undefined; "aria-invalid": true | undefined };

const FieldContext = createContext<FieldControl | null>(null);

/** Props for the control's focusable element; empty outside a Field. */
export function useFieldControl(): Partial<FieldControl> {
  return useContext(FieldContext) ?? {};
}

export type FieldProblem = string | { message?: string | undefined } | null | undefined;

export function Field({
  label,
  hint,
  error,
  optional = false,
  action,
  className,
  children,
}: {
  label: ReactNode;
  hint?: ReactNode;
  error?: FieldProblem;
  /** Shows "optional" next to the label. Required fields are not marked. */
  optional?: boolean;
  /** A small element at the end of the label's line. */
  action?: ReactNode;
  className?: string;
  children: ReactNode;
}) {
  const id = useId();
  const message = sentence(label, typeof error === "string" ? error : error?.message);
  const described = message ? `${id}-error` : hint ? `${id}-hint` : undefined;
  return (
    <FieldContext value={{ id, "aria-describedby": described, "aria-invalid": message ? true : undefined }}>
      <div className={cn("flex min-w-0 flex-col gap-1", className)}>
        <div className="flex items-baseline justify-between gap-2">
          <Label htmlFor={id}>
            {label}
            {optional && <span className="ml-1.5 font-normal text-ink-3">optional</span>}
          </Label>
          {action}
        </div>
        {children}
        {message ? (
          <FieldError id={`${id}-error`}>{message}</FieldError>
        ) : (
          hint && (
            <div id={`${id}-hint`} className="text-xs text-ink-3">
              {hint}
            </div>
          )
        )}
      </div>
    </FieldContext>
  );
}

/** Validation messages are predicates ("must be a number"), so the label becomes the subject. */
function sentence(label: ReactNode, message: string | undefined): string | undefined {
  return message && typeof label === "string" && /^\p{Ll}/u.test(message) ? `${label} ${message}` : message;
}

/** An error message. Field shows it; use it directly for an error about a group of controls. */
export function FieldError({ id, children }: { id?: string; children: ReactNode }) {
  return (
    <p id={id} role="alert" className="flex items-start gap-1 text-xs text-critical">
      <CircleAlert aria-hidden className="mt-0.5 size-3 shrink-0" />
      <span className="min-w-0 break-words first-letter:uppercase">{children}</span>
    </p>
  );
}

/** An error about the whole form, shown above its buttons. */
export function FormError({ children }: { children: ReactNode }) {
  if (!children) return null;
  return (
    <div
      role="alert"
      className="flex items-start gap-2 rounded-md border border-critical/40 bg-critical-soft px-3 py-2 text-sm text-critical"
    >
      <CircleAlert aria-hidden className="mt-0.5 size-4 shrink-0" />
      <div className="min-w-0 break-words">{children}</div>
    </div>
  );
}

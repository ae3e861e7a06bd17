"use client";
/**
 * Field: a label, its control, and beside the control a hint or what is wrong with it.
 *
 * The control inside (Input, Textarea, Select, Combobox, …) finds its id, `aria-describedby` and `aria-invalid`
 * here by itself. `error` takes react-hook-form's `errors.name` as it is, or a text.
 *
 *   <Field label="Name" error={errors.name}><Input {...register("name")} /></Field>
 */
import { CircleAlert } from "lucide-react";
import { createContext, type ReactNode, useContext, useId } from "react";
import { cn } from "./class-names.ts";
import { Label } from "./label.tsx";

type FieldControl = { id: string; "aria-describedby": string | undefined; "aria-invalid": true | undefined };

const FieldContext = createContext<FieldControl | null>(null);

/** What a control spreads on its focusable element; nothing when it stands outside a Field. */
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
  /** Says "optional" beside the label. What is not optional is required, so required is not marked. */
  optional?: boolean;
  /** Something small at the end of the label's line. */
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

/** What is wrong is told of the field ("must be a number"), so the label begins the sentence. */
function sentence(label: ReactNode, message: string | undefined): string | undefined {
  return message && typeof label === "string" && /^\p{Ll}/u.test(message) ? `${label} ${message}` : message;
}

/** One thing that is wrong, in words. Field shows it; use it alone where a group of controls is wrong together. */
export function FieldError({ id, children }: { id?: string; children: ReactNode }) {
  return (
    <p id={id} role="alert" className="flex items-start gap-1 text-xs text-critical">
      <CircleAlert aria-hidden className="mt-0.5 size-3 shrink-0" />
      <span className="min-w-0 break-words first-letter:uppercase">{children}</span>
    </p>
  );
}

/** Wrong about the form as a whole: above its buttons. */
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

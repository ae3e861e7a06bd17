"use client";
import { useRouter } from "next/navigation";
import { type ReactNode, useMemo, useRef } from "react";
import {
  type DefaultValues,
  type FieldErrors,
  type FieldValues,
  FormProvider,
  type Resolver,
  set,
  type UseFormReturn,
  useForm,
} from "react-hook-form";
import { FormDraft } from "@/components/drafts/form-draft.tsx";
import { type EditBase, type Edition, useEditBase } from "@/components/edits/use-edit-base.ts";
import { useProject } from "@/components/projects/use-project.ts";
import { LeaveGuard } from "@/components/shell/leave-guard.tsx";
import { applyFieldErrors } from "@/components/trpc/field-errors.ts";
import { toast } from "@/components/ui/toaster.tsx";
import { EditorFooter } from "./editor-footer.tsx";
import { useFocusInvalid } from "./use-focus-invalid.ts";

type Problem = { path: string; message: string };
type Awaitable<Value> = Value | Promise<Value>;

/**
 * The frame of an editor that is a form, for contracts, subscriptions, and actors.
 *
 * `problemsOf` validates the form and reports problems by field path. Unsaved changes are kept in this browser as a
 * draft, and leaving asks for confirmation. For things with `revisions`, a save that would overwrite someone else's is
 * rejected and offers a merge. A successful save shows a toast and goes to `hrefOf`; a failed one shows each problem on
 * its field and focuses the first.
 */
export function FormEditor<Values extends FieldValues, Saved>({
  kind,
  id,
  start,
  problemsOf,
  revisions,
  meanwhile,
  save,
  saved,
  hrefOf,
  placeErrors = applyFieldErrors,
  onInvalid,
  cancelHref,
  submit,
  submitAlso,
  note,
  children,
}: {
  /** What is being edited; part of the draft's key. */
  kind: string;
  /** Omitted for a new one. */
  id: number | undefined;
  /** The initial form values. */
  start: Values;
  /** Validates the values with the server's own schema, which is loaded when it is needed. */
  problemsOf: (values: Values) => Awaitable<readonly Problem[]>;
  revisions?: {
    /** The stored state as last known; null for a new one. Must keep its identity while unchanged. */
    current: Edition<Values> | null;
    /** Reloads the stored state. */
    load: () => Promise<Edition<Values>>;
  };
  /** Shows that someone else has saved in the meantime, and merges. */
  meanwhile?: (edit: EditBase<Values>, save: () => void) => ReactNode;
  /** Saves on top of the given revision. */
  save: (values: Values, revision: number | undefined) => Promise<Saved>;
  /** Updates the caches; returns the toast's text. */
  saved: (saved: Saved, values: Values) => string;
  /** The page to go to after saving; the project is added. */
  hrefOf: (saved: Saved) => string;
  /** Shows the server's errors on their fields. */
  placeErrors?: (form: UseFormReturn<Values>, error: unknown) => void;
  /** Expands the invalid fields before the first of them is focused. */
  onInvalid?: (errors: FieldErrors<Values>) => void;
  cancelHref: string;
  /** The submit button's text. */
  submit: string;
  /** A second button that saves, and then does something else. */
  submitAlso?: { label: string; onSaved: (saved: Saved) => void } | undefined;
  /** What saving will do. */
  note: ReactNode;
  children: ReactNode;
}) {
  const { href } = useProject();
  const router = useRouter();
  const resolver = useMemo(() => resolverOf(problemsOf), [problemsOf]);
  const form = useForm<Values>({
    defaultValues: start as DefaultValues<Values>,
    resolver,
    mode: "onSubmit",
    // Pickers are not native inputs, and fields may be collapsed: the first invalid field is focused below.
    shouldFocusError: false,
  });
  const { ref, focusInvalid } = useFocusInvalid<HTMLFormElement>();
  const edit = useEditBase(form, revisions?.current ?? null, async () => {
    if (!revisions) throw new Error(`A ${kind} has no revisions`);
    return revisions.load();
  });

  /** Whether the second button was pressed. */
  const isAlso = useRef(false);
  const store = async (values: Values): Promise<void> => {
    try {
      const stored = await save(values, edit.revision());
      // Saved values no longer count as unsaved changes.
      form.reset(values);
      toast.success(saved(stored, values));
      if (isAlso.current) submitAlso?.onSaved(stored);
      router.push(href(hrefOf(stored)));
    } catch (error) {
      const refused = await edit.onRefused(error);
      if (refused === "again") return store(values);
      if (refused === "asked") return;
      placeErrors(form, error);
      focusInvalid();
    }
  };
  const onSubmit = form.handleSubmit(
    (values) => store(values as unknown as Values),
    (errors) => {
      onInvalid?.(errors);
      focusInvalid();
    },
  );

  return (
    <FormProvider {...form}>
      <form ref={ref} onSubmit={onSubmit} noValidate>
        {id !== undefined && meanwhile?.(edit, () => void onSubmit())}
        <FormDraft of={kind} id={id} {...(revisions && { edit })} />
        {children}
        <EditorFooter
          isNew={id === undefined}
          cancelHref={href(cancelHref)}
          submit={submit}
          submitAlso={submitAlso?.label}
          onChoose={(also) => {
            isAlso.current = also;
          }}
          note={note}
        />
      </form>
      <LeaveGuard />
    </FormProvider>
  );
}

function resolverOf<Values extends FieldValues>(
  problemsOf: (values: Values) => Awaitable<readonly Problem[]>,
): Resolver<Values> {
  return async (values) => {
    const errors: FieldErrors<Values> = {};
    for (const { path, message } of await problemsOf(values)) set(errors, path, { type: "invalid", message });
    return Object.keys(errors).length === 0 ? { values, errors: {} } : { values: {}, errors };
  };
}

"use client";
import { useEffect } from "react";
import { Controller, useForm, useWatch } from "react-hook-form";
import { useMe } from "../auth/use-me.ts";
import { trpc } from "../trpc/client.tsx";
import { applyFieldErrors } from "../trpc/field-errors.ts";
import { Button } from "../ui/button.tsx";
import { ChoiceList } from "../ui/choice-list.tsx";
import { DialogClose, DialogFooter } from "../ui/dialog.tsx";
import { Field, FormError } from "../ui/field.tsx";
import { Input } from "../ui/input.tsx";
import { Select } from "../ui/select.tsx";
import { useZone } from "../ui/zone.tsx";
import { expiriesWithin, expiryMoment, longestExpiry } from "./expiry.ts";
import { ExpiryField } from "./expiry-field.tsx";
import type { NewKeyValues } from "./new-key-values.ts";
import { ProjectsField } from "./projects-field.tsx";
import { scopeChoices } from "./scope-choices.ts";
import { type KeyOwner, useKeyOwners } from "./use-key-owners.ts";

export function NewKeyForm({
  onMade,
  suggested = {},
  owner = null,
}: {
  onMade: (key: { name: string; rawKey: string }) => void;
  suggested?: Partial<NewKeyValues> | undefined;
  /** The service account that the key is for, if that is settled. */
  owner?: KeyOwner | null;
}) {
  const { role, projectIds } = useMe();
  const accounts = useKeyOwners(owner);
  const zone = useZone();
  const { data: policy } = trpc.apiKeys.policy.useQuery();
  const create = trpc.apiKeys.create.useMutation();
  const form = useForm<NewKeyValues>({
    defaultValues: {
      ...{
        name: "",
        owner: owner ? String(owner.id) : "me",
        scope: "Read",
        expiry: "90",
        day: "",
        networks: "",
      },
      // Someone limited to projects can only give a key some of theirs.
      ...{ isLimited: projectIds !== null, projectIds: projectIds ?? [] },
      ...suggested,
      ...(projectIds !== null && { isLimited: true }),
    },
  });
  const { register, control, formState } = form;
  const { errors, isSubmitting } = formState;
  const [scope, ownerId] = useWatch({ control, name: ["scope", "owner"] });
  const account = accounts.find(({ id }) => String(id) === ownerId);
  const scopes = scopeChoices(account?.role ?? role);
  const maxDays = policy?.maxDays ?? null;
  useEffect(() => {
    if (maxDays !== null && !expiriesWithin(maxDays).includes(form.getValues("expiry")))
      form.setValue("expiry", longestExpiry(maxDays));
  }, [maxDays, form]);

  const submit = form.handleSubmit(async (values) => {
    const expiresAt = expiryMoment(values.expiry, values.day, new Date(), zone);
    try {
      const { name, rawKey } = await create.mutateAsync({
        name: values.name,
        scopes: [values.scope],
        ...(account && { serviceAccountId: account.id }),
        ...(expiresAt && { expiresAt: expiresAt.toISOString() }),
        ...(values.isLimited && { allowedProjectIds: values.projectIds }),
        ...(values.networks.trim() !== "" && { allowedNetworks: values.networks.trim().split(/[\s,]+/) }),
      });
      onMade({ name, rawKey });
    } catch (error) {
      applyFieldErrors(form, error);
    }
  });

  return (
    <form onSubmit={submit} className="flex flex-col gap-4" noValidate>
      <Field label="Name" hint="What will use it" error={errors.name}>
        <Input
          data-autofocus
          placeholder="Nightly pipeline"
          {...register("name", { required: "is required" })}
        />
      </Field>
      {!owner && accounts.length > 0 && (
        <Controller
          control={control}
          name="owner"
          render={({ field }) => (
            <Field label="Owner" hint="A service account’s keys keep working when you leave">
              <Select
                value={field.value}
                onValueChange={(id) => {
                  field.onChange(id);
                  form.setValue("scope", "Read");
                }}
                options={[
                  { value: "me", label: "You" },
                  ...accounts.map(({ id, name }) => ({ value: String(id), label: name })),
                ]}
              />
            </Field>
          )}
        />
      )}
      <Controller
        control={control}
        name="scope"
        render={({ field }) => (
          <ChoiceList label="Scope" value={field.value} onValueChange={field.onChange} options={scopes} />
        )}
      />
      <ExpiryField form={form} maxDays={maxDays} />
      <ProjectsField form={form} mayReachFurther={scope === "Admin"} />
      <Field
        label="Only from addresses"
        hint="IP addresses or CIDRs; empty: from anywhere"
        error={errors.networks}
      >
        <Input spellCheck={false} placeholder="203.0.113.7, 10.0.0.0/8" {...register("networks")} />
      </Field>
      <FormError>{errors.root?.message}</FormError>
      <DialogFooter>
        <DialogClose>
          <Button>Cancel</Button>
        </DialogClose>
        <Button type="submit" variant="primary" pending={isSubmitting}>
          Create key
        </Button>
      </DialogFooter>
    </form>
  );
}

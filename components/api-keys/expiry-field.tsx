"use client";
import { Controller, type UseFormReturn, useWatch } from "react-hook-form";
import { dayIn } from "@/server/zoned-time.ts";
import { Field } from "../ui/field.tsx";
import { formatDate } from "../ui/format.ts";
import { Input } from "../ui/input.tsx";
import { useNow } from "../ui/moment.tsx";
import { Select } from "../ui/select.tsx";
import { useZone } from "../ui/zone.tsx";
import { expiriesWithin, expiryLabels, expiryMoment } from "./expiry.ts";
import type { NewKeyValues } from "./new-key-values.ts";

/** When the key expires: a preset, or a date. */
export function ExpiryField({
  form: { control, register, formState },
  maxDays,
}: {
  form: UseFormReturn<NewKeyValues>;
  /** The longest lifetime that the operator allows; null: any. */
  maxDays: number | null;
}) {
  const [expiry, day] = useWatch({ control, name: ["expiry", "day"] });
  const zone = useZone();
  const now = new Date(useNow() ?? Date.now());
  const end = expiryMoment(expiry, day, now, zone);
  const hint =
    end === null ? "Works until someone revokes it" : end && `Works until ${formatDate(end, now, zone)}`;
  return (
    <div className="grid gap-4 sm:grid-cols-2">
      <Controller
        control={control}
        name="expiry"
        render={({ field }) => (
          <Field label="Expires" hint={expiry === "date" ? undefined : hint}>
            <Select
              value={field.value}
              onValueChange={field.onChange}
              options={expiriesWithin(maxDays).map((each) => ({ value: each, label: expiryLabels[each] }))}
            />
          </Field>
        )}
      />
      {expiry === "date" && (
        <Field
          label="Last day"
          hint={end && "Through the end of the day in your time zone"}
          error={formState.errors.day}
        >
          <Input
            type="date"
            min={dayIn(now, zone)}
            {...register("day", {
              validate: (picked, { expiry: chosen }) => {
                if (chosen !== "date") return true;
                const moment = expiryMoment("date", picked, new Date(), zone);
                if (!moment) return "is required";
                return moment.getTime() > Date.now() || "is in the past";
              },
            })}
          />
        </Field>
      )}
    </div>
  );
}

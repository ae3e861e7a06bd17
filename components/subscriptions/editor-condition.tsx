"use client";
import dynamic from "next/dynamic";
import { useController, useFormContext } from "react-hook-form";
import { EditorSection } from "@/components/editors/editor-section.tsx";
import { ChoiceList } from "@/components/ui/choice-list.tsx";
import { Field } from "@/components/ui/field.tsx";
import { Input } from "@/components/ui/input.tsx";
import { Switch } from "@/components/ui/switch.tsx";
import type { ConditionKind } from "@/server/subscriptions/schema.ts";
import { needsThreshold, type SubscriptionForm } from "./subscription-form.ts";

const BacktestLine = dynamic(async () => (await import("./backtest-line.tsx")).BacktestLine, {
  loading: () => null,
});

const words: Record<ConditionKind, { label: string; hint: string }> = {
  RowsFound: {
    label: "Rows are found",
    hint: "For queries that find bad rows: no rows is the normal result.",
  },
  RowCountAbove: {
    label: "There are more rows than a threshold",
    hint: "Some rows are normal. Runs with rows up to the threshold count as not successful.",
  },
  RowCountBelow: {
    label: "There are fewer rows than a threshold",
    hint: "For rows that must exist. Enough rows means no notification.",
  },
  Always: { label: "It has run", hint: "A report: the result is always sent, even with no rows." },
};
const order = ["RowsFound", "RowCountAbove", "RowCountBelow", "Always"] as const;

/** What to look for in the result, and whether finding it opens a task. */
export function EditorCondition({ subscriptionId }: { subscriptionId?: number }) {
  const { control, register, formState } = useFormContext<SubscriptionForm>();
  const kind = useController({ control, name: "condition.kind" }).field;
  const createTasks = useController({ control, name: "createTasks" }).field;
  return (
    <EditorSection title="Condition" explanation="When to notify and open a task.">
      <ChoiceList
        label="Notify when"
        value={kind.value}
        onValueChange={kind.onChange}
        options={order.map((value) => ({ value, ...words[value] }))}
      />
      {needsThreshold(kind.value) && (
        <Field
          label="Threshold"
          error={formState.errors.condition?.threshold}
          hint={
            kind.value === "RowCountAbove"
              ? "Notifies above this number, not at it."
              : "Notifies below this number, not at it."
          }
          className="sm:w-56"
        >
          <Input inputMode="numeric" className="tabular-nums" {...register("condition.threshold")} />
        </Field>
      )}
      {subscriptionId !== undefined && <BacktestLine subscriptionId={subscriptionId} />}
      <Switch
        checked={createTasks.value}
        onCheckedChange={createTasks.onChange}
        label="Open a task"
        hint="One at a time, when rows meet the condition. It resolves automatically when a run finds none."
      />
    </EditorSection>
  );
}

"use client";
import { useController, useFormContext } from "react-hook-form";
import { EditorSection } from "@/components/shell/editor-section.tsx";
import { ChoiceList } from "@/components/ui/choice-list.tsx";
import { Field } from "@/components/ui/field.tsx";
import { Input } from "@/components/ui/input.tsx";
import { Switch } from "@/components/ui/switch.tsx";
import type { ConditionKind } from "@/server/subscriptions/schema.ts";
import { BacktestLine } from "./backtest-line.tsx";
import { needsThreshold, type SubscriptionForm } from "./subscription-form.ts";

const words: Record<ConditionKind, { label: string; hint: string }> = {
  RowsFound: {
    label: "Rows are found",
    hint: "For queries that find what should not be: no rows is how it ought to be.",
  },
  RowCountAbove: {
    label: "There are more rows than a threshold",
    hint: "Some rows are usual. Runs with rows up to the threshold count as not successful.",
  },
  RowCountBelow: {
    label: "There are fewer rows than a threshold",
    hint: "For what must be there. Enough rows means there is nothing to tell.",
  },
  Always: { label: "It has run", hint: "A report: the result is sent whatever it is, no rows included." },
};
const order = ["RowsFound", "RowCountAbove", "RowCountBelow", "Always"] as const;

/** What is looked for in the result, and what its being found leads to. */
export function EditorCondition({ subscriptionId }: { subscriptionId?: number }) {
  const { control, register, formState } = useFormContext<SubscriptionForm>();
  const kind = useController({ control, name: "condition.kind" }).field;
  const createTasks = useController({ control, name: "createTasks" }).field;
  return (
    <EditorSection
      title="Condition"
      explanation="What the result must be for anybody to be told, or a task to be opened."
    >
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
            kind.value === "RowCountAbove" ? "Notifies above it, not at it." : "Notifies below it, not at it."
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
        hint="One at a time, when the condition is met by rows. It resolves itself when a run finds none."
      />
    </EditorSection>
  );
}

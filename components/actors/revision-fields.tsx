"use client";
import type { Action, Plan } from "@/server/actors/schema.ts";
import { actionTitle, kindWords } from "./action-words.ts";
import { ChoicePicker } from "./choice-picker.tsx";
import { WishesFields } from "./wishes-fields.tsx";
import type { WishesForm } from "./wishes-form.ts";

type Chosen = { wishes: WishesForm; leaveOut: number[] };

/** What to change in the next version: remove actions, limit tables, change the schedule. */
export function RevisionFields({
  plan: { actions, dataSourceId },
  isBuiltIn,
  chosen,
  onChange,
}: {
  plan: Plan;
  isBuiltIn: boolean;
  chosen: Chosen;
  onChange: (chosen: Chosen) => void;
}) {
  const titleOf = (action: Action) =>
    `${action.index + 1}. ${kindWords[action.kind].word}: ${actionTitle(action)}`;
  return (
    <div className="flex flex-col gap-4">
      <ChoicePicker
        label="Leave out of the plan"
        hint="Leaving out a new query leaves out its subscriptions, too."
        placeholder="Nothing"
        searchPlaceholder="Search actions…"
        groups={[
          { items: actions.map((action) => ({ value: String(action.index), label: titleOf(action) })) },
        ]}
        chosen={chosen.leaveOut.flatMap((index) => {
          const action = actions.find((each) => each.index === index);
          return action ? [{ key: String(index), label: titleOf(action) }] : [];
        })}
        onChange={(keys) => onChange({ ...chosen, leaveOut: keys.map(Number) })}
      />
      <WishesFields
        wide
        dataSourceId={dataSourceId}
        isBuiltIn={isBuiltIn}
        value={chosen.wishes}
        onChange={(wishes) => onChange({ ...chosen, wishes })}
      />
    </div>
  );
}

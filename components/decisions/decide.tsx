"use client";
import { type ReactNode, useEffect, useRef, useState } from "react";
import { Button } from "@/components/ui/button.tsx";
import { FormError } from "@/components/ui/field.tsx";
import { Kbd } from "@/components/ui/kbd.tsx";
import { isReadingKey } from "@/components/ui/reading-key.ts";
import type { Choice } from "./choice.ts";
import { DecisionForm } from "./decision-form.tsx";

/** A decision: its effect, one button and shortcut per choice, and then the form for the reason. */
export function Decide<Decision extends string>({
  choices,
  consequence,
  blocked,
  fields,
  complete,
  decide,
  isDeciding,
  failure,
  forgetFailure,
}: {
  /** In the order of the buttons. */
  choices: readonly Choice<Decision>[];
  consequence: ReactNode;
  /** Decisions that are not possible, and why; one may become impossible while the reason is being written. */
  blocked?: Partial<Record<Decision, ReactNode>>;
  /** Additional fields in a decision's form. */
  fields?: Partial<Record<Decision, ReactNode>>;
  /** Decisions whose fields are filled in enough to make the reason optional. */
  complete?: Partial<Record<Decision, boolean>>;
  decide: (decision: Decision, text: string) => Promise<boolean>;
  isDeciding: boolean;
  failure: string | null;
  forgetFailure: () => void;
}) {
  const [asking, setAsking] = useState<Decision | null>(null);
  const [texts, setTexts] = useState<Partial<Record<Decision, string>>>({});
  const buttons = useRef(new Map<Decision, HTMLButtonElement>());
  const ask = (decision: Decision) => {
    if (blocked?.[decision]) return;
    forgetFailure();
    setAsking(decision);
  };
  useChoiceKeys(asking === null ? choices : [], ask);

  const asked = choices.find(({ decision }) => decision === asking);
  if (asked) {
    const { decision } = asked;
    const text = texts[decision] ?? "";
    return (
      <DecisionForm
        key={decision}
        choice={asked}
        text={text}
        blocked={blocked?.[decision]}
        fields={fields?.[decision]}
        isComplete={complete?.[decision] ?? false}
        failure={failure}
        pending={isDeciding}
        onText={(written) => setTexts({ ...texts, [decision]: written })}
        onSend={() => void decide(decision, text)}
        onCancel={() => {
          setAsking(null);
          forgetFailure();
          requestAnimationFrame(() => buttons.current.get(decision)?.focus());
        }}
      />
    );
  }
  return (
    <>
      {failure && (
        <div className="pb-3">
          <FormError>{failure}</FormError>
        </div>
      )}
      <div className="flex flex-wrap items-center justify-end gap-2">
        <p className="mr-auto min-w-0 text-ink-2">{consequence}</p>
        {choices.map(({ decision, button: { label, key, icon, variant } }) => (
          <Button
            key={decision}
            ref={(button: HTMLButtonElement | null) => {
              if (button) buttons.current.set(decision, button);
              else buttons.current.delete(decision);
            }}
            {...(variant && { variant })}
            icon={icon}
            aria-keyshortcuts={key}
            disabled={Boolean(blocked?.[decision])}
            onClick={() => ask(decision)}
          >
            {label}
            {/* Only on devices with a keyboard. */}
            <span className="hidden sm:contents">
              <Kbd>{key.toUpperCase()}</Kbd>
            </span>
          </Button>
        ))}
      </div>
    </>
  );
}

/** Each choice's shortcut, from anywhere on the page, including read-only texts. */
function useChoiceKeys<Decision extends string>(
  choices: readonly Choice<Decision>[],
  onKey: (decision: Decision) => void,
): void {
  const latest = useRef({ choices, onKey });
  useEffect(() => {
    latest.current = { choices, onKey };
  });
  useEffect(() => {
    const press = (event: KeyboardEvent) => {
      const choice = latest.current.choices.find(({ button }) => button.key === event.key);
      if (!choice || event.repeat || !isReadingKey(event)) return;
      event.preventDefault();
      latest.current.onKey(choice.decision);
    };
    document.addEventListener("keydown", press);
    return () => document.removeEventListener("keydown", press);
  }, []);
}

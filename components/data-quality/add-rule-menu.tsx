"use client";
import { Button } from "@/components/ui/button.tsx";
import { Menu, MenuContent, MenuItem, MenuTrigger } from "@/components/ui/dropdown-menu.tsx";
import { Plus } from "@/components/ui/icons.tsx";
import { useLatePart } from "@/components/ui/late-part.ts";
import type { RuleForm } from "./contract-form.ts";
import { lateRules } from "./late-rules.ts";

/** Adds a rule: lists every rule type with what it checks. */
export function AddRuleMenu({
  onAdd,
  isPrimary,
}: {
  onAdd: (rule: RuleForm) => void;
  /** Whether it is the primary action, while there are no rules. */
  isPrimary: boolean;
}) {
  const { part } = useLatePart(lateRules);
  return (
    <Menu needs={lateRules.load}>
      <MenuTrigger>
        <Button icon={Plus} variant={isPrimary ? "primary" : "secondary"} className="self-start">
          Add rule
        </Button>
      </MenuTrigger>
      <MenuContent align="start" className="w-96 max-w-[calc(100vw-2rem)]">
        {part?.ruleDefinitions.map(({ type, label, explanation }) => (
          <MenuItem key={type} onSelect={() => onAdd(part.emptyRule(type))}>
            <span className="block py-0.5">
              <span className="block font-medium">{label}</span>
              <span className="block text-xs whitespace-normal text-ink-2">{explanation}</span>
            </span>
          </MenuItem>
        ))}
      </MenuContent>
    </Menu>
  );
}

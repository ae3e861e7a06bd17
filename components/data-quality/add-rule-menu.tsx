"use client";
import { Button } from "@/components/ui/button.tsx";
import { Menu, MenuContent, MenuItem, MenuTrigger } from "@/components/ui/dropdown-menu.tsx";
import { Plus } from "@/components/ui/icons.tsx";
import { type RuleType, ruleDefinitions } from "@/server/data-quality/rules/rules.ts";

/** Adds a rule: lists every rule type with what it checks. */
export function AddRuleMenu({
  onAdd,
  isPrimary,
}: {
  onAdd: (type: RuleType) => void;
  /** Whether it is the primary action, while there are no rules. */
  isPrimary: boolean;
}) {
  return (
    <Menu>
      <MenuTrigger>
        <Button icon={Plus} variant={isPrimary ? "primary" : "secondary"} className="self-start">
          Add rule
        </Button>
      </MenuTrigger>
      <MenuContent align="start" className="w-96 max-w-[calc(100vw-2rem)]">
        {ruleDefinitions.map(({ type, label, explanation }) => (
          <MenuItem key={type} onSelect={() => onAdd(type)}>
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

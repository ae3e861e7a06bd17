"use client";
import { Plus } from "lucide-react";
import { Button } from "@/components/ui/button.tsx";
import { Menu, MenuContent, MenuItem, MenuTrigger } from "@/components/ui/dropdown-menu.tsx";
import { type RuleType, ruleTypes } from "@/server/data-quality/rules/configuration.ts";
import { ruleTypeWords } from "./rule-types.ts";

/** Every type of rule with what it checks, to add one of. */
export function AddRuleMenu({
  onAdd,
  isPrimary,
}: {
  onAdd: (type: RuleType) => void;
  /** While there is no rule, this is the first thing to do. */
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
        {ruleTypes.map((type) => (
          <MenuItem key={type} onSelect={() => onAdd(type)}>
            <span className="block py-0.5">
              <span className="block font-medium">{ruleTypeWords[type].label}</span>
              <span className="block text-xs whitespace-normal text-ink-2">
                {ruleTypeWords[type].explanation}
              </span>
            </span>
          </MenuItem>
        ))}
      </MenuContent>
    </Menu>
  );
}

"use client";
import { Select as Radix } from "radix-ui";
import type { ReactNode } from "react";
import { cn } from "./class-names.ts";
import { useFieldControl } from "./field.tsx";
/**
 * Select: one of a few options. For many options or search, use Combobox.
 *
 *   <Select value={value} onValueChange={onChange} options={[{ value: "Low", label: "Low" }]} />
 */
import { Check, ChevronDown } from "./icons.tsx";
import { controlClass } from "./input.tsx";
import { styleNonce } from "./style-nonce.ts";

export type SelectOption<Value extends string> = {
  value: Value;
  label: ReactNode;
  /** A second line in the open list. */
  hint?: ReactNode;
  disabled?: boolean;
};

export function Select<Value extends string>({
  value,
  onValueChange,
  options,
  placeholder = "Choose…",
  disabled,
  className,
  size = "md",
  ...aria
}: {
  value: Value | undefined;
  onValueChange: (value: Value) => void;
  options: readonly SelectOption<Value>[];
  placeholder?: string;
  disabled?: boolean;
  className?: string;
  size?: "sm" | "md";
  name?: string;
  "aria-label"?: string;
}) {
  const control = useFieldControl();
  return (
    <Radix.Root
      value={value ?? ""}
      onValueChange={(next) => onValueChange(next as Value)}
      {...(disabled === undefined ? {} : { disabled })}
    >
      <Radix.Trigger
        {...control}
        {...aria}
        className={cn(
          controlClass,
          "flex items-center justify-between gap-2 px-2 text-left hover:bg-hover data-placeholder:text-ink-3",
          size === "sm" ? "h-7 text-xs" : "h-8 text-sm",
          className,
        )}
      >
        <span className="truncate">
          <Radix.Value placeholder={placeholder} />
        </span>
        <Radix.Icon asChild>
          <ChevronDown aria-hidden className="size-4 shrink-0 text-ink-3" />
        </Radix.Icon>
      </Radix.Trigger>
      <Radix.Portal>
        <Radix.Content
          position="popper"
          sideOffset={4}
          className="z-50 max-h-(--radix-select-content-available-height) min-w-(--radix-select-trigger-width) animate-appear overflow-hidden rounded-lg border bg-surface shadow-float"
        >
          <Radix.Viewport nonce={styleNonce()} className="p-1">
            {options.map((option) => (
              <Radix.Item
                key={option.value}
                value={option.value}
                disabled={option.disabled ?? false}
                className="relative flex min-h-8 cursor-default flex-col justify-center rounded-md py-1 pr-2 pl-7 text-sm outline-none select-none data-disabled:text-ink-3 data-highlighted:bg-hover"
              >
                <Radix.ItemIndicator className="absolute left-2">
                  <Check aria-hidden className="size-4 text-accent" />
                </Radix.ItemIndicator>
                <Radix.ItemText>{option.label}</Radix.ItemText>
                {option.hint && <span className="text-xs text-ink-3">{option.hint}</span>}
              </Radix.Item>
            ))}
          </Radix.Viewport>
        </Radix.Content>
      </Radix.Portal>
    </Radix.Root>
  );
}

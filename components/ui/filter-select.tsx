"use client";
/**
 * FilterSelect: a filter with a few options; null means all, shown as `any`. A value from the URL that isn't an
 * option stays visible so that it can be cleared.
 */
import { cn } from "./class-names.ts";
import { Select } from "./select.tsx";

/** The select has no empty value, and options can have any name, so option values get a prefix. */
const all = "all";
const signed = (value: string) => `=${value}`;

export function FilterSelect<Value extends string>({
  label,
  any,
  value,
  onChange,
  options,
  className,
}: {
  label: string;
  /** For example, "Any status". */
  any: string;
  value: Value | null;
  onChange: (value: Value | null) => void;
  options: readonly { value: Value; label: string }[];
  /** Width on wide screens, and on phones if it isn't half the row. */
  className?: string;
}) {
  const isKnown = value === null || options.some((option) => option.value === value);
  return (
    <Select
      aria-label={label}
      className={cn("w-[calc(50%-0.25rem)]", className)}
      value={value === null ? all : signed(value)}
      onValueChange={(chosen) =>
        onChange(options.find((option) => signed(option.value) === chosen)?.value ?? null)
      }
      options={[
        { value: all, label: any },
        ...options.map((option) => ({ value: signed(option.value), label: option.label })),
        ...(isKnown ? [] : [{ value: signed(value), label: "Not found" }]),
      ]}
    />
  );
}

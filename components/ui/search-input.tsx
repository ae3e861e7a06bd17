"use client";
import { type ComponentProps, useEffect, useRef } from "react";
import { Button } from "./button.tsx";
import { cn } from "./class-names.ts";
/** SearchInput: a page's search field. `/` anywhere on the page focuses it; Escape clears it. */
import { Search, X } from "./icons.tsx";
import { controlClass } from "./input.tsx";
import { isTypingElsewhere } from "./keyboard.ts";

export function SearchInput({
  value,
  onValueChange,
  label = "Search",
  className,
  ...rest
}: Omit<ComponentProps<"input">, "value" | "onChange"> & {
  value: string;
  onValueChange: (value: string) => void;
  label?: string;
}) {
  const input = useRef<HTMLInputElement>(null);
  useEffect(() => {
    const focus = (event: KeyboardEvent) => {
      if (event.key !== "/" || isTypingElsewhere(event)) return;
      event.preventDefault();
      input.current?.focus();
      input.current?.select();
    };
    document.addEventListener("keydown", focus);
    return () => document.removeEventListener("keydown", focus);
  }, []);
  return (
    <div className={cn("relative w-full sm:w-56", className)}>
      <Search aria-hidden className="pointer-events-none absolute top-2 left-2 size-4 text-ink-3" />
      <input
        {...rest}
        ref={input}
        type="search"
        aria-label={label}
        aria-keyshortcuts="/"
        autoComplete="off"
        placeholder={rest.placeholder ?? label}
        value={value}
        onChange={(event) => onValueChange(event.target.value)}
        onKeyDown={(event) => {
          if (event.key !== "Escape") return;
          if (value === "") event.currentTarget.blur();
          onValueChange("");
        }}
        className={cn(
          controlClass,
          "h-8 pr-8 pl-8 text-base sm:text-sm [&::-webkit-search-cancel-button]:hidden",
        )}
      />
      {value !== "" && (
        <Button
          variant="ghost"
          size="icon-sm"
          icon={X}
          aria-label="Clear search"
          className="absolute top-0.5 right-0.5"
          onClick={() => {
            onValueChange("");
            input.current?.focus();
          }}
        />
      )}
    </div>
  );
}

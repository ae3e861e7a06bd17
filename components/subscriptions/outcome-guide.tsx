"use client";
import dynamic from "next/dynamic";
import { useState } from "react";
import { Button } from "@/components/ui/button.tsx";
import { CircleHelp } from "@/components/ui/icons.tsx";

// Loaded only when opened.
const OutcomeWords = dynamic(() => import("./outcome-words.tsx").then((module) => module.OutcomeWords), {
  ssr: false,
});

/** Opens the legend of what runs are said to be, the same on every page that lists them. */
export function OutcomeGuide() {
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <Button
        variant="ghost"
        size="icon"
        icon={CircleHelp}
        aria-label="What the words mean"
        onClick={() => setOpen(true)}
      />
      {isOpen && <OutcomeWords onClose={() => setOpen(false)} />}
    </>
  );
}

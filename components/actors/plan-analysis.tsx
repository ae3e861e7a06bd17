"use client";
import { useId, useState } from "react";
import { Button } from "@/components/ui/button.tsx";
import { cn } from "@/components/ui/class-names.ts";
import { useSize } from "@/components/ui/use-size.ts";
import { Markdown } from "./markdown.tsx";

/** Height in pixels that keeps the actions in view. */
const most = 180;

/** The actor's own analysis; a long one starts collapsed, since the decision is about the actions. */
export function PlanAnalysis({ text }: { text: string }) {
  const id = useId();
  const [isWhole, setIsWhole] = useState(false);
  const [ref, size] = useSize<HTMLDivElement>();
  const isLong = (size?.height ?? 0) > most + 60;
  const isCut = isLong && !isWhole;
  return (
    <>
      <div
        id={id}
        className={cn(
          "min-w-0",
          isCut && "overflow-hidden [mask-image:linear-gradient(black_80%,transparent)]",
        )}
        style={isCut ? { maxHeight: most } : undefined}
      >
        <div ref={ref}>
          <Markdown>{text}</Markdown>
        </div>
      </div>
      {isLong && (
        <Button
          size="sm"
          className="self-start"
          aria-expanded={isWhole}
          aria-controls={id}
          onClick={() => setIsWhole(!isWhole)}
        >
          {isWhole ? "Show less" : "Show the whole analysis"}
        </Button>
      )}
    </>
  );
}

"use client";
import dynamic from "next/dynamic";
import { Skeleton } from "@/components/ui/skeleton.tsx";

/** Text that a model wrote. Its reader is loaded where there is some to read. */
export const Markdown = dynamic(() => import("./markdown-view.tsx").then((module) => module.MarkdownView), {
  loading: () => (
    <span className="flex flex-col gap-2 py-1">
      <Skeleton className="w-full" />
      <Skeleton className="w-5/6" />
      <Skeleton className="w-2/3" />
    </span>
  ),
});

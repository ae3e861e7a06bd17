"use client";
import dynamic from "next/dynamic";
import { Skeleton } from "@/components/ui/skeleton.tsx";

/** Text written by a model. The renderer loads only when there is some. */
export const Markdown = dynamic(() => import("./markdown-view.tsx").then((module) => module.MarkdownView), {
  loading: () => (
    <span className="flex flex-col gap-2 py-1">
      <Skeleton className="w-full" />
      <Skeleton className="w-5/6" />
      <Skeleton className="w-2/3" />
    </span>
  ),
});

"use client";
import { useEffect } from "react";
import { toast } from "@/components/ui/toaster.tsx";

/** Dismisses the previous page's toasts, which would cover the buttons at the bottom of a form. */
export function useClearView(): void {
  useEffect(() => {
    toast.dismiss();
  }, []);
}

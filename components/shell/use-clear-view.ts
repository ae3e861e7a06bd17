"use client";
import { useEffect } from "react";
import { toast } from "@/components/ui/toaster.tsx";

/** Takes away what the page before has said: it would lie over the buttons at the foot of a form. */
export function useClearView(): void {
  useEffect(() => {
    toast.dismiss();
  }, []);
}

import type { ReactNode } from "react";
import { Console } from "@/components/shell/console.tsx";

export default function ConsoleLayout({ children }: { children: ReactNode }) {
  return <Console>{children}</Console>;
}

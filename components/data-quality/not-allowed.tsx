import { Lock } from "lucide-react";
import { Empty } from "@/components/ui/empty.tsx";

/** A page that the reader's role does not open, in place of a form that could not be sent. */
export function NotAllowed({ what }: { what: string }) {
  return (
    <Empty icon={Lock} title="Your role cannot do this">
      {what} Ask an Admin if you should be one of them.
    </Empty>
  );
}

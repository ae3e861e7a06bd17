"use client";
import { Dialog } from "../ui/dialog.tsx";
import { Kbd } from "../ui/kbd.tsx";

const shortcuts: readonly { keys: readonly string[]; does: string }[] = [
  { keys: ["Ctrl", "K"], does: "Go anywhere: search tables, columns, queries, contracts, pages" },
  { keys: ["/"], does: "Search this page" },
  { keys: ["j"], does: "Next row" },
  { keys: ["k"], does: "Previous row" },
  { keys: ["Enter"], does: "Open the row" },
  { keys: ["n"], does: "Next page of a long list" },
  { keys: ["p"], does: "Previous page of a long list" },
  { keys: ["r"], does: "Resolve the open task" },
  { keys: ["a"], does: "Approve the open change" },
  { keys: ["x"], does: "Reject the open change" },
  { keys: ["a"], does: "Make the finding a rule" },
  { keys: ["d"], does: "Mark the finding as not a problem" },
  { keys: ["Ctrl", "Enter"], does: "Run the SQL that is being written" },
  { keys: ["Ctrl", "Shift", "Enter"], does: "Run the selected SQL" },
  { keys: ["Esc"], does: "Close the panel or dialog" },
  { keys: ["?"], does: "This help" },
];

export function ShortcutHelp({ onClose }: { onClose: () => void }) {
  return (
    <Dialog open onOpenChange={onClose} title="Keyboard" size="sm">
      <dl className="divide-y border-y">
        {shortcuts.map(({ keys, does }) => (
          <div key={does} className="flex min-h-8 items-center justify-between gap-4 py-1">
            <dt>{does}</dt>
            <dd className="flex shrink-0 gap-1">
              {keys.map((key) => (
                <Kbd key={key}>{key}</Kbd>
              ))}
            </dd>
          </div>
        ))}
      </dl>
    </Dialog>
  );
}

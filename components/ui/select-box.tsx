/** SelectBox: the checkbox that selects a row, or with `isSome` a page that is selected in part. */
import { useEffect, useRef } from "react";

export function SelectBox({
  label,
  checked,
  isSome = false,
  onToggle,
}: {
  label: string;
  checked: boolean;
  isSome?: boolean;
  /** `isRange`: with Shift. */
  onToggle: (isRange: boolean) => void;
}) {
  const box = useRef<HTMLInputElement>(null);
  useEffect(() => {
    if (box.current) box.current.indeterminate = isSome && !checked;
  }, [isSome, checked]);
  return (
    <input
      ref={box}
      type="checkbox"
      aria-label={label}
      checked={checked}
      className="block size-4 cursor-pointer accent-accent"
      // The click says whether Shift was pressed; the change does not.
      onClick={(event) => onToggle(event.shiftKey)}
      onChange={() => {}}
    />
  );
}

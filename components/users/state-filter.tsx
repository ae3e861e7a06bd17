import { FilterSelect } from "../ui/filter-select.tsx";
import type { EnabledState } from "./enabled-parameter.ts";

/** Whether an account is enabled, as a filter of a list. */
export function StateFilter({
  value,
  onChange,
}: {
  value: EnabledState | null;
  onChange: (state: EnabledState | null) => void;
}) {
  return (
    <FilterSelect
      label="State"
      any="Any state"
      className="sm:w-32"
      value={value}
      onChange={onChange}
      options={[
        { value: "enabled", label: "Enabled" },
        { value: "disabled", label: "Disabled" },
      ]}
    />
  );
}

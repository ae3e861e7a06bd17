import type { PersonalDigest } from "@/server/notifications/personal.ts";
import { digestDays } from "@/server/notifications/personal-kinds.ts";
import { Field } from "../ui/field.tsx";
import { Input } from "../ui/input.tsx";
import { Select } from "../ui/select.tsx";
import { Switch } from "../ui/switch.tsx";

const dayWords = { EveryDay: "Every day", Weekdays: "Monday to Friday" } as const;
const days = digestDays.map((value) => ({ value, label: dayWords[value] }));
const usual: PersonalDigest = { at: "08:00", days: "Weekdays", evenIfNothingIsNew: false };

/** When the user gets a daily summary of what needs them; null: never. */
export function DigestField({
  zone,
  value,
  onChange,
}: {
  zone: string;
  value: PersonalDigest | null;
  onChange: (digest: PersonalDigest | null) => void;
}) {
  return (
    <div className="flex flex-col gap-3 py-3">
      <Switch
        label={<span className="font-medium">Daily digest</span>}
        hint={`One email with what waits for you, what is new, what was solved, and which scores moved. In your time zone, ${zone}.`}
        checked={value !== null}
        onCheckedChange={(on) => onChange(on ? usual : null)}
      />
      {value && (
        <div className="flex flex-col gap-3 pl-9">
          <div className="flex flex-wrap gap-4">
            <div className="w-32">
              <Field label="At">
                <Input
                  type="time"
                  required
                  value={value.at}
                  onChange={({ target }) => onChange({ ...value, at: target.value })}
                />
              </Field>
            </div>
            <div className="w-44">
              <Field label="On">
                <Select
                  value={value.days}
                  options={days}
                  onValueChange={(chosen) => onChange({ ...value, days: chosen })}
                />
              </Field>
            </div>
          </div>
          <Switch
            label="Send it even if nothing is new"
            checked={value.evenIfNothingIsNew}
            onCheckedChange={(evenIfNothingIsNew) => onChange({ ...value, evenIfNothingIsNew })}
          />
        </div>
      )}
    </div>
  );
}

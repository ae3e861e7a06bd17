"use client";
import dynamic from "next/dynamic";
import { useController, useFormContext } from "react-hook-form";
import { EditorSection } from "@/components/editors/editor-section.tsx";
import { ChoiceList } from "@/components/ui/choice-list.tsx";
import { Field } from "@/components/ui/field.tsx";
import { Input } from "@/components/ui/input.tsx";
import { Select } from "@/components/ui/select.tsx";
import { Switch } from "@/components/ui/switch.tsx";
import {
  type AnomalyMethod,
  anomalyMethods,
  anomalyMetrics,
  defaultSensitivity,
} from "@/server/subscriptions/kinds.ts";
import { methodWords, metricWords } from "./condition-words.ts";
import type { SubscriptionForm } from "./subscription-form.ts";

const BacktestLine = dynamic(async () => (await import("./backtest-line.tsx")).BacktestLine, {
  loading: () => null,
});

/** The one that a new subscription begins with is the first. */

/** Whether and how results are compared with earlier ones. */
export function EditorAnomalies({ subscriptionId }: { subscriptionId?: number }) {
  const { control, register, getValues, setValue, formState } = useFormContext<SubscriptionForm>();
  const enabled = useController({ control, name: "anomalyDetection.enabled" }).field;
  const method = useController({ control, name: "anomalyDetection.method" }).field;
  const metric = useController({ control, name: "anomalyDetection.metric" }).field;

  const choose = (next: AnomalyMethod) => {
    // Each method has its own unit, so an unedited sensitivity changes to the method's default.
    if (getValues("anomalyDetection.sensitivity") === String(defaultSensitivity[method.value]))
      setValue("anomalyDetection.sensitivity", String(defaultSensitivity[next]), { shouldDirty: true });
    method.onChange(next);
  };

  return (
    <EditorSection
      title="Anomalies"
      explanation="Each result is compared with earlier ones: those of the previous 30 days, at least 30, unless the method says otherwise. Recipients are notified of unusual results regardless of the condition."
    >
      <Switch checked={enabled.value} onCheckedChange={enabled.onChange} label="Look for anomalies" />
      {enabled.value && (
        <>
          <Field label="What is compared" className="sm:w-72">
            <Select
              value={metric.value}
              onValueChange={metric.onChange}
              options={anomalyMetrics.map((value) => ({ value, label: metricWords[value] }))}
            />
          </Field>
          <ChoiceList
            label="Method"
            value={method.value}
            onValueChange={choose}
            options={anomalyMethods.map((value) => ({
              value,
              label: methodWords[value].label,
              hint: methodWords[value].hint,
            }))}
          />
          <Field
            label="Sensitivity"
            error={formState.errors.anomalyDetection?.sensitivity}
            hint={`Usually ${defaultSensitivity[method.value]}. Lower values find more.`}
            className="max-w-md"
          >
            <div className="flex items-center gap-2">
              <Input
                inputMode="decimal"
                className="w-24 tabular-nums"
                {...register("anomalyDetection.sensitivity")}
              />
              <span className="text-ink-2">{methodWords[method.value].unit}</span>
            </div>
          </Field>
          {subscriptionId !== undefined && <BacktestLine subscriptionId={subscriptionId} />}
        </>
      )}
    </EditorSection>
  );
}

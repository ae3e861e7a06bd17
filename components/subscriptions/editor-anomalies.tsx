"use client";
import { useController, useFormContext } from "react-hook-form";
import { EditorSection } from "@/components/shell/editor-section.tsx";
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
} from "@/server/subscriptions/schema.ts";
import { BacktestLine } from "./backtest-line.tsx";
import { methodWords, metricWords } from "./condition-words.ts";
import type { SubscriptionForm } from "./subscription-form.ts";

/** Whether results are compared with those before them, and how. */
export function EditorAnomalies({ subscriptionId }: { subscriptionId?: number }) {
  const { control, register, getValues, setValue, formState } = useFormContext<SubscriptionForm>();
  const enabled = useController({ control, name: "anomalyDetection.enabled" }).field;
  const method = useController({ control, name: "anomalyDetection.method" }).field;
  const metric = useController({ control, name: "anomalyDetection.metric" }).field;

  const choose = (next: AnomalyMethod) => {
    // Each method counts in a unit of its own: what was not changed by hand follows it.
    if (getValues("anomalyDetection.sensitivity") === String(defaultSensitivity[method.value]))
      setValue("anomalyDetection.sensitivity", String(defaultSensitivity[next]), { shouldDirty: true });
    method.onChange(next);
  };

  return (
    <EditorSection
      title="Anomalies"
      explanation="Each result is compared with those of the 30 days before; it takes at least 30 of them. Recipients are told of what is unusual, whatever the condition says."
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
            hint={`Usually ${defaultSensitivity[method.value]}. Less finds more.`}
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

ALTER TABLE "executions" ADD COLUMN "metric_column" text;--> statement-breakpoint
ALTER TABLE "executions" ADD COLUMN "judged_metric" "anomaly_metric";--> statement-breakpoint
ALTER TABLE "executions" ADD COLUMN "usual_low" double precision;--> statement-breakpoint
ALTER TABLE "executions" ADD COLUMN "usual_high" double precision;--> statement-breakpoint
ALTER TABLE "executions" ADD COLUMN "silenced_until" timestamp (3) with time zone;--> statement-breakpoint
CREATE INDEX "deliveries_failed_idx" ON "deliveries" USING btree ("failed_at") WHERE "deliveries"."status" = 'Failed';
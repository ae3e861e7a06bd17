DROP INDEX "job_runs_due_idx";--> statement-breakpoint
ALTER TABLE "job_runs" ADD COLUMN "concurrency_key" text;--> statement-breakpoint
CREATE INDEX "job_events_old_idx" ON "job_events" USING btree ("fanned_out_at") WHERE "job_events"."fanned_out_at" is not null;--> statement-breakpoint
CREATE INDEX "job_runs_key_idx" ON "job_runs" USING btree ("function_id","concurrency_key","due_at","id") WHERE "job_runs"."finished_at" is null and "job_runs"."concurrency_key" is not null;--> statement-breakpoint
CREATE INDEX "job_runs_open_idx" ON "job_runs" USING btree ("id") WHERE "job_runs"."finished_at" is null;--> statement-breakpoint
CREATE INDEX "job_runs_failed_idx" ON "job_runs" USING btree ("finished_at") WHERE "job_runs"."status" in ('Failed', 'Cancelled');--> statement-breakpoint
CREATE INDEX "job_runs_completed_idx" ON "job_runs" USING btree ("function_id","finished_at") WHERE "job_runs"."status" = 'Completed';--> statement-breakpoint
CREATE INDEX "occurrences_old_idx" ON "occurrences" USING btree ("created_at");--> statement-breakpoint
CREATE INDEX "job_runs_due_idx" ON "job_runs" USING btree ("due_at","id") WHERE "job_runs"."finished_at" is null and "job_runs"."concurrency_key" is null;
CREATE TABLE "scan_schedules" (
	"id" integer PRIMARY KEY NOT NULL,
	"cron_expression" text NOT NULL,
	"timezone" text NOT NULL,
	"next_run_at" timestamp (3) with time zone
);
--> statement-breakpoint
ALTER TABLE "scan_schedules" ADD CONSTRAINT "scan_schedules_id_data_sources_id_fk" FOREIGN KEY ("id") REFERENCES "public"."data_sources"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "scan_schedules_due_idx" ON "scan_schedules" USING btree ("next_run_at") WHERE "scan_schedules"."next_run_at" is not null;
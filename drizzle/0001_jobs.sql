CREATE TYPE "public"."job_status" AS ENUM('Waiting', 'Running', 'Completed', 'Failed', 'Cancelled');--> statement-breakpoint
CREATE TABLE "job_crons" (
	"function_id" text NOT NULL,
	"expression" text NOT NULL,
	"done_until" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "job_crons_function_id_expression_pk" PRIMARY KEY("function_id","expression")
);
--> statement-breakpoint
CREATE TABLE "job_events" (
	"id" integer PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "job_events_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 2147483647 START WITH 1 CACHE 1),
	"key" text NOT NULL,
	"name" text NOT NULL,
	"data" json NOT NULL,
	"occurred_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"fanned_out_at" timestamp (3) with time zone
);
--> statement-breakpoint
CREATE TABLE "job_runs" (
	"id" integer PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "job_runs_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 2147483647 START WITH 1 CACHE 1),
	"function_id" text NOT NULL,
	"event_id" integer NOT NULL,
	"status" "job_status" DEFAULT 'Waiting' NOT NULL,
	"attempt" integer DEFAULT 0 NOT NULL,
	"due_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"fence" integer DEFAULT 0 NOT NULL,
	"error" text,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"started_at" timestamp (3) with time zone,
	"finished_at" timestamp (3) with time zone
);
--> statement-breakpoint
CREATE TABLE "job_steps" (
	"id" integer PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "job_steps_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 2147483647 START WITH 1 CACHE 1),
	"run_id" integer NOT NULL,
	"key" text NOT NULL,
	"name" text NOT NULL,
	"data" json,
	"error" json,
	"finished_at" timestamp (3) with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "occurrences" (
	"kind" text NOT NULL,
	"object_id" integer NOT NULL,
	"scheduled_for" timestamp (3) with time zone NOT NULL,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"dispatched_at" timestamp (3) with time zone,
	"claimed_by" text,
	"claimed_at" timestamp (3) with time zone,
	CONSTRAINT "occurrences_kind_object_id_scheduled_for_pk" PRIMARY KEY("kind","object_id","scheduled_for")
);
--> statement-breakpoint
ALTER TABLE "job_runs" ADD CONSTRAINT "job_runs_event_id_job_events_id_fk" FOREIGN KEY ("event_id") REFERENCES "public"."job_events"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "job_steps" ADD CONSTRAINT "job_steps_run_id_job_runs_id_fk" FOREIGN KEY ("run_id") REFERENCES "public"."job_runs"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE UNIQUE INDEX "job_events_key_idx" ON "job_events" USING btree ("key");--> statement-breakpoint
CREATE INDEX "job_events_waiting_idx" ON "job_events" USING btree ("id") WHERE "job_events"."fanned_out_at" is null;--> statement-breakpoint
CREATE UNIQUE INDEX "job_runs_event_idx" ON "job_runs" USING btree ("event_id","function_id");--> statement-breakpoint
CREATE INDEX "job_runs_due_idx" ON "job_runs" USING btree ("due_at") WHERE "job_runs"."finished_at" is null;--> statement-breakpoint
CREATE UNIQUE INDEX "job_steps_key_idx" ON "job_steps" USING btree ("run_id","key");--> statement-breakpoint
CREATE INDEX "occurrences_waiting_idx" ON "occurrences" USING btree ("kind","scheduled_for") WHERE "occurrences"."dispatched_at" is null;
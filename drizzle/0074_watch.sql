CREATE TYPE "public"."table_alert_kind" AS ENUM('Gone', 'Late', 'Volume', 'Column', 'Values', 'Schema');--> statement-breakpoint
CREATE TYPE "public"."watch_measure" AS ENUM('Interval', 'Rows', 'NewRows', 'HourRows', 'NullShare', 'BlankShare', 'DistinctShare', 'TopShare', 'Mean', 'Spread');--> statement-breakpoint
CREATE TYPE "public"."watch_run_kind" AS ENUM('Look', 'Profile');--> statement-breakpoint
ALTER TYPE "public"."problem_kind" ADD VALUE 'Late';--> statement-breakpoint
ALTER TYPE "public"."problem_kind" ADD VALUE 'Changed';--> statement-breakpoint
CREATE TABLE "table_alerts" (
	"id" integer PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "table_alerts_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 2147483647 START WITH 1 CACHE 1),
	"table_id" integer NOT NULL,
	"kind" "table_alert_kind" NOT NULL,
	"column_name" text,
	"measure" "watch_measure",
	"sentence" text NOT NULL,
	"opened_at" timestamp (3) with time zone NOT NULL,
	"last_seen_at" timestamp (3) with time zone NOT NULL,
	"ended_at" timestamp (3) with time zone,
	"expected_at" timestamp (3) with time zone,
	"expected_by_id" integer
);
--> statement-breakpoint
CREATE TABLE "watch_points" (
	"series_id" integer NOT NULL,
	"month" date NOT NULL,
	"times" integer[] NOT NULL,
	"values" double precision[] NOT NULL,
	CONSTRAINT "watch_points_series_id_month_pk" PRIMARY KEY("series_id","month")
);
--> statement-breakpoint
CREATE TABLE "watch_runs" (
	"id" integer PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "watch_runs_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 2147483647 START WITH 1 CACHE 1),
	"data_source_id" integer NOT NULL,
	"kind" "watch_run_kind" NOT NULL,
	"started_at" timestamp (3) with time zone NOT NULL,
	"seconds" double precision NOT NULL,
	"statements" integer NOT NULL,
	"rows_read" double precision NOT NULL,
	"tables" integer NOT NULL,
	"tables_left" integer NOT NULL
);
--> statement-breakpoint
CREATE TABLE "watch_series" (
	"id" integer PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "watch_series_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 2147483647 START WITH 1 CACHE 1),
	"table_id" integer NOT NULL,
	"column_name" text,
	"measure" "watch_measure" NOT NULL,
	CONSTRAINT "watch_series_name_idx" UNIQUE NULLS NOT DISTINCT("table_id","column_name","measure")
);
--> statement-breakpoint
CREATE TABLE "watched_tables" (
	"id" integer PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "watched_tables_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 2147483647 START WITH 1 CACHE 1),
	"data_source_id" integer NOT NULL,
	"schema_name" text NOT NULL,
	"table_name" text NOT NULL,
	"columns" jsonb NOT NULL,
	"first_seen_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"gone_at" timestamp (3) with time zone,
	"arrival_column" text,
	"is_arrival_cheap" boolean DEFAULT false NOT NULL,
	"last_state" text,
	"last_look_at" timestamp (3) with time zone,
	"last_change_at" timestamp (3) with time zone,
	"late_after" timestamp (3) with time zone,
	"row_estimate" double precision,
	"collapsed_at" timestamp (3) with time zone,
	"counted_until" timestamp (3) with time zone,
	"profiled_at" timestamp (3) with time zone,
	"problem" text,
	"categories" jsonb DEFAULT '{}'::jsonb NOT NULL,
	CONSTRAINT "watched_tables_name_idx" UNIQUE("data_source_id","schema_name","table_name")
);
--> statement-breakpoint
CREATE TABLE "watches" (
	"id" integer PRIMARY KEY NOT NULL,
	"cron_expression" text NOT NULL,
	"timezone" text NOT NULL,
	"next_run_at" timestamp (3) with time zone,
	"night_hour" integer NOT NULL,
	"next_night_at" timestamp (3) with time zone NOT NULL,
	"budget_seconds" integer NOT NULL,
	"enabled_by_id" integer,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"last_look_at" timestamp (3) with time zone,
	"problem" text
);
--> statement-breakpoint
ALTER TABLE "incident_problems" DROP CONSTRAINT "incident_problems_subject_check";--> statement-breakpoint
ALTER TABLE "incident_problems" ADD COLUMN "table_id" integer;--> statement-breakpoint
ALTER TABLE "table_alerts" ADD CONSTRAINT "table_alerts_table_id_watched_tables_id_fk" FOREIGN KEY ("table_id") REFERENCES "public"."watched_tables"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "table_alerts" ADD CONSTRAINT "table_alerts_expected_by_id_users_id_fk" FOREIGN KEY ("expected_by_id") REFERENCES "public"."users"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "watch_points" ADD CONSTRAINT "watch_points_series_id_watch_series_id_fk" FOREIGN KEY ("series_id") REFERENCES "public"."watch_series"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "watch_runs" ADD CONSTRAINT "watch_runs_data_source_id_data_sources_id_fk" FOREIGN KEY ("data_source_id") REFERENCES "public"."data_sources"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "watch_series" ADD CONSTRAINT "watch_series_table_id_watched_tables_id_fk" FOREIGN KEY ("table_id") REFERENCES "public"."watched_tables"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "watched_tables" ADD CONSTRAINT "watched_tables_data_source_id_data_sources_id_fk" FOREIGN KEY ("data_source_id") REFERENCES "public"."data_sources"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "watches" ADD CONSTRAINT "watches_id_data_sources_id_fk" FOREIGN KEY ("id") REFERENCES "public"."data_sources"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "watches" ADD CONSTRAINT "watches_enabled_by_id_users_id_fk" FOREIGN KEY ("enabled_by_id") REFERENCES "public"."users"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE UNIQUE INDEX "table_alerts_current_idx" ON "table_alerts" USING btree ("table_id","kind",coalesce("column_name", ''),coalesce("measure", 'Interval')) WHERE "table_alerts"."ended_at" is null;--> statement-breakpoint
CREATE INDEX "table_alerts_table_idx" ON "table_alerts" USING btree ("table_id","opened_at");--> statement-breakpoint
CREATE INDEX "watch_runs_source_idx" ON "watch_runs" USING btree ("data_source_id","kind","started_at");--> statement-breakpoint
CREATE INDEX "watched_tables_profile_idx" ON "watched_tables" USING btree ("data_source_id","profiled_at") WHERE "watched_tables"."gone_at" is null;--> statement-breakpoint
CREATE INDEX "watches_due_idx" ON "watches" USING btree ("next_run_at") WHERE "watches"."next_run_at" is not null;--> statement-breakpoint
CREATE UNIQUE INDEX "incident_problems_table_idx" ON "incident_problems" USING btree ("table_id") WHERE "incident_problems"."ended_at" is null and "incident_problems"."table_id" is not null;--> statement-breakpoint
CREATE INDEX "incident_problems_of_table_idx" ON "incident_problems" USING btree ("table_id");--> statement-breakpoint
ALTER TABLE "incident_problems" ADD CONSTRAINT "incident_problems_subject_check" CHECK (num_nonnulls("incident_problems"."subscription_id", "incident_problems"."contract_id", "incident_problems"."table_id") = 1);
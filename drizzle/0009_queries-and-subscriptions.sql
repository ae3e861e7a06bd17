CREATE TYPE "public"."query_version_status" AS ENUM('Active', 'Archived', 'PendingApproval', 'Rejected', 'Superseded');--> statement-breakpoint
CREATE TYPE "public"."anomaly_method" AS ENUM('StandardDeviation', 'Iqr', 'PercentageChange');--> statement-breakpoint
CREATE TYPE "public"."anomaly_metric" AS ENUM('RowCount', 'FirstNumericColumn');--> statement-breakpoint
CREATE TYPE "public"."anomaly_severity" AS ENUM('Low', 'Medium', 'High', 'Critical');--> statement-breakpoint
CREATE TYPE "public"."condition_kind" AS ENUM('Always', 'RowsFound', 'RowCountAbove', 'RowCountBelow');--> statement-breakpoint
CREATE TYPE "public"."execution_status" AS ENUM('Created', 'NotificationSent', 'NoResults', 'NotificationSilenced', 'BelowThreshold', 'Failed', 'Timeout');--> statement-breakpoint
CREATE TYPE "public"."execution_trigger" AS ENUM('Manual', 'Scheduled');--> statement-breakpoint
CREATE TYPE "public"."incident_kind" AS ENUM('Failing', 'Stalled', 'Undeliverable');--> statement-breakpoint
CREATE TYPE "public"."task_priority" AS ENUM('Low', 'Normal', 'High', 'Critical');--> statement-breakpoint
CREATE TYPE "public"."task_status" AS ENUM('Open', 'Resolved');--> statement-breakpoint
CREATE TABLE "queries" (
	"id" integer PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "queries_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 2147483647 START WITH 1 CACHE 1),
	"project_id" integer NOT NULL,
	"folder_id" integer,
	"name" text NOT NULL,
	"description" text,
	"is_locked" boolean DEFAULT false NOT NULL,
	"owner_actor_id" integer,
	"created_by_id" integer,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"updated_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"archived_at" timestamp (3) with time zone
);
--> statement-breakpoint
CREATE TABLE "query_folders" (
	"id" integer PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "query_folders_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 2147483647 START WITH 1 CACHE 1),
	"project_id" integer NOT NULL,
	"parent_id" integer,
	"name" text NOT NULL,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "query_folders_name_idx" UNIQUE NULLS NOT DISTINCT("project_id","parent_id","name")
);
--> statement-breakpoint
CREATE TABLE "query_steps" (
	"version_id" integer NOT NULL,
	"order" integer NOT NULL,
	"name" text NOT NULL,
	"data_source_id" integer,
	"sql" text,
	"request" jsonb,
	CONSTRAINT "query_steps_version_id_order_pk" PRIMARY KEY("version_id","order")
);
--> statement-breakpoint
CREATE TABLE "query_versions" (
	"id" integer PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "query_versions_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 2147483647 START WITH 1 CACHE 1),
	"query_id" integer NOT NULL,
	"number" integer NOT NULL,
	"status" "query_version_status" NOT NULL,
	"change_summary" text,
	"created_by_id" integer,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "anomalies" (
	"id" integer PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "anomalies_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 2147483647 START WITH 1 CACHE 1),
	"subscription_id" integer NOT NULL,
	"execution_id" integer NOT NULL,
	"detected_at" timestamp (3) with time zone NOT NULL,
	"severity" "anomaly_severity" NOT NULL,
	"method" "anomaly_method" NOT NULL,
	"metric" "anomaly_metric" NOT NULL,
	"detected_value" double precision NOT NULL,
	"expected_low" double precision,
	"expected_high" double precision,
	"explanation" text NOT NULL,
	"acknowledged_at" timestamp (3) with time zone,
	"acknowledged_by_id" integer
);
--> statement-breakpoint
CREATE TABLE "executions" (
	"id" integer PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "executions_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 2147483647 START WITH 1 CACHE 1),
	"subscription_id" integer NOT NULL,
	"status" "execution_status" DEFAULT 'Created' NOT NULL,
	"trigger" "execution_trigger" NOT NULL,
	"scheduled_for" timestamp (3) with time zone,
	"executed_at" timestamp (3) with time zone NOT NULL,
	"finished_at" timestamp (3) with time zone,
	"row_count" integer,
	"metric_value" double precision,
	"execution_time_ms" integer,
	"error_message" text,
	"query_version" integer NOT NULL,
	"lease_token" uuid,
	"lease_until" timestamp (3) with time zone,
	"attempts" integer DEFAULT 0 NOT NULL
);
--> statement-breakpoint
CREATE TABLE "subscription_day" (
	"subscription_id" integer NOT NULL,
	"day" date NOT NULL,
	"total" integer NOT NULL,
	"ok" integer NOT NULL,
	CONSTRAINT "subscription_day_subscription_id_day_pk" PRIMARY KEY("subscription_id","day")
);
--> statement-breakpoint
CREATE TABLE "subscription_incidents" (
	"id" integer PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "subscription_incidents_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 2147483647 START WITH 1 CACHE 1),
	"subscription_id" integer NOT NULL,
	"kind" "incident_kind" NOT NULL,
	"reason" text NOT NULL,
	"opened_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"closed_at" timestamp (3) with time zone
);
--> statement-breakpoint
CREATE TABLE "subscription_recipients" (
	"subscription_id" integer NOT NULL,
	"recipient_id" integer NOT NULL,
	CONSTRAINT "subscription_recipients_subscription_id_recipient_id_pk" PRIMARY KEY("subscription_id","recipient_id")
);
--> statement-breakpoint
CREATE TABLE "subscription_state" (
	"subscription_id" integer PRIMARY KEY NOT NULL,
	"total" integer DEFAULT 0 NOT NULL,
	"ok" integer DEFAULT 0 NOT NULL,
	"last_execution_id" integer,
	"last_status" "execution_status",
	"last_at" timestamp (3) with time zone
);
--> statement-breakpoint
CREATE TABLE "subscriptions" (
	"id" integer PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "subscriptions_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 2147483647 START WITH 1 CACHE 1),
	"query_id" integer NOT NULL,
	"owner_id" integer,
	"cron_expression" text NOT NULL,
	"timezone" text DEFAULT 'UTC' NOT NULL,
	"enabled" boolean DEFAULT true NOT NULL,
	"parameters" jsonb DEFAULT '{}'::jsonb NOT NULL,
	"timeout_seconds" integer NOT NULL,
	"condition_kind" "condition_kind" NOT NULL,
	"condition_threshold" integer,
	"create_tasks" boolean NOT NULL,
	"anomaly_enabled" boolean NOT NULL,
	"anomaly_method" "anomaly_method" NOT NULL,
	"anomaly_sensitivity" numeric NOT NULL,
	"anomaly_metric" "anomaly_metric" NOT NULL,
	"silenced_until" timestamp (3) with time zone,
	"ai_actor_id" integer,
	"next_run_at" timestamp (3) with time zone,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"updated_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"archived_at" timestamp (3) with time zone
);
--> statement-breakpoint
CREATE TABLE "task_comments" (
	"id" integer PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "task_comments_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 2147483647 START WITH 1 CACHE 1),
	"task_id" integer NOT NULL,
	"user_id" integer NOT NULL,
	"text" text NOT NULL,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "tasks" (
	"id" integer PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "tasks_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 2147483647 START WITH 1 CACHE 1),
	"subscription_id" integer NOT NULL,
	"status" "task_status" DEFAULT 'Open' NOT NULL,
	"priority" "task_priority" DEFAULT 'Normal' NOT NULL,
	"assignee_id" integer,
	"snoozed_until" timestamp (3) with time zone,
	"latest_row_count" integer NOT NULL,
	"execution_count" integer DEFAULT 1 NOT NULL,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"resolved_at" timestamp (3) with time zone,
	"resolved_by_id" integer,
	"resolution_notes" text
);
--> statement-breakpoint
ALTER TABLE "queries" ADD CONSTRAINT "queries_project_id_projects_id_fk" FOREIGN KEY ("project_id") REFERENCES "public"."projects"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "queries" ADD CONSTRAINT "queries_folder_id_query_folders_id_fk" FOREIGN KEY ("folder_id") REFERENCES "public"."query_folders"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "queries" ADD CONSTRAINT "queries_created_by_id_users_id_fk" FOREIGN KEY ("created_by_id") REFERENCES "public"."users"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "query_folders" ADD CONSTRAINT "query_folders_project_id_projects_id_fk" FOREIGN KEY ("project_id") REFERENCES "public"."projects"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "query_folders" ADD CONSTRAINT "query_folders_parent_id_query_folders_id_fk" FOREIGN KEY ("parent_id") REFERENCES "public"."query_folders"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "query_steps" ADD CONSTRAINT "query_steps_version_id_query_versions_id_fk" FOREIGN KEY ("version_id") REFERENCES "public"."query_versions"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "query_steps" ADD CONSTRAINT "query_steps_data_source_id_data_sources_id_fk" FOREIGN KEY ("data_source_id") REFERENCES "public"."data_sources"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "query_versions" ADD CONSTRAINT "query_versions_query_id_queries_id_fk" FOREIGN KEY ("query_id") REFERENCES "public"."queries"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "query_versions" ADD CONSTRAINT "query_versions_created_by_id_users_id_fk" FOREIGN KEY ("created_by_id") REFERENCES "public"."users"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "anomalies" ADD CONSTRAINT "anomalies_subscription_id_subscriptions_id_fk" FOREIGN KEY ("subscription_id") REFERENCES "public"."subscriptions"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "anomalies" ADD CONSTRAINT "anomalies_execution_id_executions_id_fk" FOREIGN KEY ("execution_id") REFERENCES "public"."executions"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "anomalies" ADD CONSTRAINT "anomalies_acknowledged_by_id_users_id_fk" FOREIGN KEY ("acknowledged_by_id") REFERENCES "public"."users"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "executions" ADD CONSTRAINT "executions_subscription_id_subscriptions_id_fk" FOREIGN KEY ("subscription_id") REFERENCES "public"."subscriptions"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "subscription_day" ADD CONSTRAINT "subscription_day_subscription_id_subscriptions_id_fk" FOREIGN KEY ("subscription_id") REFERENCES "public"."subscriptions"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "subscription_incidents" ADD CONSTRAINT "subscription_incidents_subscription_id_subscriptions_id_fk" FOREIGN KEY ("subscription_id") REFERENCES "public"."subscriptions"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "subscription_recipients" ADD CONSTRAINT "subscription_recipients_subscription_id_subscriptions_id_fk" FOREIGN KEY ("subscription_id") REFERENCES "public"."subscriptions"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "subscription_recipients" ADD CONSTRAINT "subscription_recipients_recipient_id_recipients_id_fk" FOREIGN KEY ("recipient_id") REFERENCES "public"."recipients"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "subscription_state" ADD CONSTRAINT "subscription_state_subscription_id_subscriptions_id_fk" FOREIGN KEY ("subscription_id") REFERENCES "public"."subscriptions"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "subscriptions" ADD CONSTRAINT "subscriptions_query_id_queries_id_fk" FOREIGN KEY ("query_id") REFERENCES "public"."queries"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "subscriptions" ADD CONSTRAINT "subscriptions_owner_id_users_id_fk" FOREIGN KEY ("owner_id") REFERENCES "public"."users"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "task_comments" ADD CONSTRAINT "task_comments_task_id_tasks_id_fk" FOREIGN KEY ("task_id") REFERENCES "public"."tasks"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "task_comments" ADD CONSTRAINT "task_comments_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "tasks" ADD CONSTRAINT "tasks_subscription_id_subscriptions_id_fk" FOREIGN KEY ("subscription_id") REFERENCES "public"."subscriptions"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "tasks" ADD CONSTRAINT "tasks_assignee_id_users_id_fk" FOREIGN KEY ("assignee_id") REFERENCES "public"."users"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "tasks" ADD CONSTRAINT "tasks_resolved_by_id_users_id_fk" FOREIGN KEY ("resolved_by_id") REFERENCES "public"."users"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "queries_project_idx" ON "queries" USING btree ("project_id","name") WHERE "queries"."archived_at" is null;--> statement-breakpoint
CREATE INDEX "queries_folder_idx" ON "queries" USING btree ("folder_id");--> statement-breakpoint
CREATE INDEX "query_steps_source_idx" ON "query_steps" USING btree ("data_source_id");--> statement-breakpoint
CREATE UNIQUE INDEX "query_versions_number_idx" ON "query_versions" USING btree ("query_id","number");--> statement-breakpoint
CREATE UNIQUE INDEX "query_versions_active_idx" ON "query_versions" USING btree ("query_id") WHERE "query_versions"."status" = 'Active';--> statement-breakpoint
CREATE UNIQUE INDEX "query_versions_pending_idx" ON "query_versions" USING btree ("query_id") WHERE "query_versions"."status" = 'PendingApproval';--> statement-breakpoint
CREATE UNIQUE INDEX "anomalies_execution_idx" ON "anomalies" USING btree ("execution_id");--> statement-breakpoint
CREATE INDEX "anomalies_subscription_idx" ON "anomalies" USING btree ("subscription_id","detected_at" DESC NULLS LAST);--> statement-breakpoint
CREATE UNIQUE INDEX "executions_scheduled_idx" ON "executions" USING btree ("subscription_id","scheduled_for");--> statement-breakpoint
CREATE INDEX "executions_recent_idx" ON "executions" USING btree ("subscription_id","executed_at" DESC NULLS LAST,"id" DESC NULLS LAST);--> statement-breakpoint
CREATE INDEX "executions_open_idx" ON "executions" USING btree ("lease_until") WHERE "executions"."status" = 'Created';--> statement-breakpoint
CREATE UNIQUE INDEX "subscription_incidents_open_idx" ON "subscription_incidents" USING btree ("subscription_id","kind") WHERE "subscription_incidents"."closed_at" is null;--> statement-breakpoint
CREATE INDEX "subscription_incidents_subscription_idx" ON "subscription_incidents" USING btree ("subscription_id","id" DESC NULLS LAST);--> statement-breakpoint
CREATE INDEX "subscription_recipients_recipient_idx" ON "subscription_recipients" USING btree ("recipient_id");--> statement-breakpoint
CREATE INDEX "subscriptions_due_idx" ON "subscriptions" USING btree ("next_run_at") WHERE "subscriptions"."next_run_at" is not null;--> statement-breakpoint
CREATE INDEX "subscriptions_query_idx" ON "subscriptions" USING btree ("query_id") WHERE "subscriptions"."archived_at" is null;--> statement-breakpoint
CREATE INDEX "task_comments_task_idx" ON "task_comments" USING btree ("task_id","id");--> statement-breakpoint
CREATE UNIQUE INDEX "tasks_open_idx" ON "tasks" USING btree ("subscription_id") WHERE "tasks"."status" = 'Open';--> statement-breakpoint
CREATE INDEX "tasks_subscription_idx" ON "tasks" USING btree ("subscription_id","id" DESC NULLS LAST);--> statement-breakpoint
CREATE INDEX "tasks_assignee_idx" ON "tasks" USING btree ("assignee_id") WHERE "tasks"."status" = 'Open';
CREATE TYPE "public"."user_role" AS ENUM('Viewer', 'Editor', 'Admin');--> statement-breakpoint
CREATE TYPE "public"."evaluation_status" AS ENUM('Running', 'Completed');--> statement-breakpoint
CREATE TYPE "public"."evaluation_trigger" AS ENUM('Manual', 'Scheduled');--> statement-breakpoint
CREATE TYPE "public"."rule_type" AS ENUM('Freshness', 'Volume', 'NullRate', 'Uniqueness', 'Referential', 'Range', 'Pattern', 'CustomSql');--> statement-breakpoint
CREATE TYPE "public"."severity" AS ENUM('Low', 'Medium', 'High', 'Critical');--> statement-breakpoint
CREATE TYPE "public"."trend" AS ENUM('Improving', 'Stable', 'Degrading');--> statement-breakpoint
CREATE TYPE "public"."data_source_kind" AS ENUM('PostgreSql', 'MySql', 'SqlServer', 'RestApi');--> statement-breakpoint
CREATE TYPE "public"."recipient_type" AS ENUM('Email', 'Slack', 'Teams', 'Webhook');--> statement-breakpoint
CREATE TABLE "rate_limits" (
	"key" text PRIMARY KEY NOT NULL,
	"points" integer DEFAULT 0 NOT NULL,
	"expire" timestamp (3) with time zone
);
--> statement-breakpoint
CREATE TABLE "users" (
	"id" integer PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "users_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 2147483647 START WITH 1 CACHE 1),
	"email" text NOT NULL,
	"name" text NOT NULL,
	"role" "user_role" NOT NULL,
	"enabled" boolean DEFAULT true NOT NULL,
	"password_hash" text,
	"session_epoch" integer DEFAULT 0 NOT NULL,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"last_sign_in_at" timestamp (3) with time zone
);
--> statement-breakpoint
CREATE TABLE "contract_recipients" (
	"contract_id" integer NOT NULL,
	"recipient_id" integer NOT NULL,
	CONSTRAINT "contract_recipients_contract_id_recipient_id_pk" PRIMARY KEY("contract_id","recipient_id")
);
--> statement-breakpoint
CREATE TABLE "contracts" (
	"id" integer PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "contracts_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 2147483647 START WITH 1 CACHE 1),
	"data_source_id" integer NOT NULL,
	"name" text NOT NULL,
	"description" text,
	"schema_name" text NOT NULL,
	"table_name" text NOT NULL,
	"cron_expression" text NOT NULL,
	"timezone" text DEFAULT 'UTC' NOT NULL,
	"failure_threshold" numeric DEFAULT 80 NOT NULL,
	"enabled" boolean DEFAULT true NOT NULL,
	"alert_on_failure" boolean DEFAULT true NOT NULL,
	"revision" integer DEFAULT 1 NOT NULL,
	"next_run_at" timestamp (3) with time zone,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"updated_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"archived_at" timestamp (3) with time zone
);
--> statement-breakpoint
CREATE TABLE "evaluations" (
	"id" integer PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "evaluations_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 2147483647 START WITH 1 CACHE 1),
	"contract_id" integer NOT NULL,
	"data_source_id" integer NOT NULL,
	"schema_name" text NOT NULL,
	"table_name" text NOT NULL,
	"trigger" "evaluation_trigger" NOT NULL,
	"status" "evaluation_status" DEFAULT 'Running' NOT NULL,
	"scheduled_for" timestamp (3) with time zone,
	"overall_score" numeric(5, 2),
	"passed_count" integer DEFAULT 0 NOT NULL,
	"failed_count" integer DEFAULT 0 NOT NULL,
	"rules_done" integer DEFAULT 0 NOT NULL,
	"rules_total" integer DEFAULT 0 NOT NULL,
	"execution_time_ms" integer,
	"started_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"evaluated_at" timestamp (3) with time zone,
	"lease_token" uuid NOT NULL,
	"lease_until" timestamp (3) with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "rule_results" (
	"evaluation_id" integer NOT NULL,
	"rule_id" integer NOT NULL,
	"position" integer NOT NULL,
	"passed" boolean NOT NULL,
	"score" numeric(5, 2) NOT NULL,
	"expected_value" text,
	"actual_value" text,
	"message" text,
	"execution_time_ms" integer NOT NULL,
	CONSTRAINT "rule_results_evaluation_id_rule_id_pk" PRIMARY KEY("evaluation_id","rule_id")
);
--> statement-breakpoint
CREATE TABLE "rules" (
	"id" integer PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "rules_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 2147483647 START WITH 1 CACHE 1),
	"contract_id" integer NOT NULL,
	"key" uuid NOT NULL,
	"position" integer NOT NULL,
	"name" text NOT NULL,
	"type" "rule_type" NOT NULL,
	"column" text,
	"severity" "severity" NOT NULL,
	"weight" numeric NOT NULL,
	"enabled" boolean NOT NULL,
	"configuration" jsonb NOT NULL
);
--> statement-breakpoint
CREATE TABLE "table_scores" (
	"data_source_id" integer NOT NULL,
	"schema_name" text NOT NULL,
	"table_name" text NOT NULL,
	"current_score" numeric(5, 2) NOT NULL,
	"previous_score" numeric(5, 2),
	"trend" "trend" NOT NULL,
	"evaluation_id" integer NOT NULL,
	"evaluated_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "table_scores_data_source_id_schema_name_table_name_pk" PRIMARY KEY("data_source_id","schema_name","table_name")
);
--> statement-breakpoint
CREATE TABLE "data_source_schemas" (
	"data_source_id" integer PRIMARY KEY NOT NULL,
	"items" jsonb NOT NULL,
	"read_at" timestamp (3) with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "data_sources" (
	"id" integer PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "data_sources_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 2147483647 START WITH 1 CACHE 1),
	"project_id" integer NOT NULL,
	"name" text NOT NULL,
	"kind" "data_source_kind" NOT NULL,
	"connection" jsonb NOT NULL,
	"secret" "bytea",
	"can_write" boolean,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"updated_at" timestamp (3) with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "recipients" (
	"id" integer PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "recipients_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 2147483647 START WITH 1 CACHE 1),
	"project_id" integer NOT NULL,
	"name" text NOT NULL,
	"type" "recipient_type" NOT NULL,
	"destination" text NOT NULL,
	"enabled" boolean DEFAULT true NOT NULL,
	"signing_secret" "bytea",
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"archived_at" timestamp (3) with time zone
);
--> statement-breakpoint
CREATE TABLE "projects" (
	"id" integer PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "projects_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 2147483647 START WITH 1 CACHE 1),
	"name" text NOT NULL,
	"description" text,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
ALTER TABLE "contract_recipients" ADD CONSTRAINT "contract_recipients_contract_id_contracts_id_fk" FOREIGN KEY ("contract_id") REFERENCES "public"."contracts"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "contract_recipients" ADD CONSTRAINT "contract_recipients_recipient_id_recipients_id_fk" FOREIGN KEY ("recipient_id") REFERENCES "public"."recipients"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "contracts" ADD CONSTRAINT "contracts_data_source_id_data_sources_id_fk" FOREIGN KEY ("data_source_id") REFERENCES "public"."data_sources"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "evaluations" ADD CONSTRAINT "evaluations_contract_id_contracts_id_fk" FOREIGN KEY ("contract_id") REFERENCES "public"."contracts"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "rule_results" ADD CONSTRAINT "rule_results_evaluation_id_evaluations_id_fk" FOREIGN KEY ("evaluation_id") REFERENCES "public"."evaluations"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "rule_results" ADD CONSTRAINT "rule_results_rule_id_rules_id_fk" FOREIGN KEY ("rule_id") REFERENCES "public"."rules"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "rules" ADD CONSTRAINT "rules_contract_id_contracts_id_fk" FOREIGN KEY ("contract_id") REFERENCES "public"."contracts"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "table_scores" ADD CONSTRAINT "table_scores_data_source_id_data_sources_id_fk" FOREIGN KEY ("data_source_id") REFERENCES "public"."data_sources"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "table_scores" ADD CONSTRAINT "table_scores_evaluation_id_evaluations_id_fk" FOREIGN KEY ("evaluation_id") REFERENCES "public"."evaluations"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "data_source_schemas" ADD CONSTRAINT "data_source_schemas_data_source_id_data_sources_id_fk" FOREIGN KEY ("data_source_id") REFERENCES "public"."data_sources"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "data_sources" ADD CONSTRAINT "data_sources_project_id_projects_id_fk" FOREIGN KEY ("project_id") REFERENCES "public"."projects"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "recipients" ADD CONSTRAINT "recipients_project_id_projects_id_fk" FOREIGN KEY ("project_id") REFERENCES "public"."projects"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE UNIQUE INDEX "users_email_idx" ON "users" USING btree (lower("email"));--> statement-breakpoint
CREATE INDEX "contracts_due_idx" ON "contracts" USING btree ("next_run_at") WHERE "contracts"."next_run_at" is not null;--> statement-breakpoint
CREATE INDEX "contracts_target_idx" ON "contracts" USING btree ("data_source_id","schema_name","table_name");--> statement-breakpoint
CREATE UNIQUE INDEX "evaluations_running_idx" ON "evaluations" USING btree ("contract_id") WHERE "evaluations"."status" = 'Running';--> statement-breakpoint
CREATE UNIQUE INDEX "evaluations_scheduled_idx" ON "evaluations" USING btree ("contract_id","scheduled_for");--> statement-breakpoint
CREATE INDEX "evaluations_history_idx" ON "evaluations" USING btree ("contract_id","evaluated_at" DESC NULLS LAST,"id" DESC NULLS LAST);--> statement-breakpoint
CREATE INDEX "evaluations_target_idx" ON "evaluations" USING btree ("data_source_id","schema_name","table_name","evaluated_at" DESC NULLS LAST);--> statement-breakpoint
CREATE INDEX "rule_results_rule_idx" ON "rule_results" USING btree ("rule_id");--> statement-breakpoint
CREATE UNIQUE INDEX "rules_position_idx" ON "rules" USING btree ("contract_id","position");--> statement-breakpoint
CREATE UNIQUE INDEX "rules_key_idx" ON "rules" USING btree ("contract_id","key");--> statement-breakpoint
CREATE INDEX "data_sources_project_idx" ON "data_sources" USING btree ("project_id");--> statement-breakpoint
CREATE INDEX "recipients_project_idx" ON "recipients" USING btree ("project_id");
CREATE TYPE "public"."action_status" AS ENUM('Proposed', 'Succeeded', 'Failed');--> statement-breakpoint
CREATE TYPE "public"."actor_execution_kind" AS ENUM('ThinkCycle', 'PlanRun');--> statement-breakpoint
CREATE TYPE "public"."actor_message_role" AS ENUM('Person', 'Actor');--> statement-breakpoint
CREATE TYPE "public"."actor_phase" AS ENUM('Analyzing', 'Planning', 'Executing', 'Notifying', 'Completed', 'Failed');--> statement-breakpoint
CREATE TYPE "public"."actor_status" AS ENUM('Draft', 'Active', 'Paused', 'Failed', 'Archived');--> statement-breakpoint
CREATE TYPE "public"."actor_trigger" AS ENUM('InitialSetup', 'SubscriptionExecution', 'UserInstruction');--> statement-breakpoint
CREATE TYPE "public"."plan_status" AS ENUM('PendingApproval', 'Executing', 'Executed', 'Rejected', 'RevisionRequested', 'Expired');--> statement-breakpoint
CREATE TABLE "actor_actions" (
	"id" integer PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "actor_actions_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 2147483647 START WITH 1 CACHE 1),
	"plan_id" integer,
	"execution_id" integer,
	"index" integer NOT NULL,
	"proposed" jsonb NOT NULL,
	"facts" jsonb NOT NULL,
	"hash" text NOT NULL,
	"evidence" jsonb,
	"status" "action_status" DEFAULT 'Proposed' NOT NULL,
	"error" text,
	"result" jsonb,
	"finished_at" timestamp (3) with time zone,
	CONSTRAINT "actor_actions_of_one" CHECK (num_nonnulls("actor_actions"."plan_id", "actor_actions"."execution_id") = 1)
);
--> statement-breakpoint
CREATE TABLE "actor_executions" (
	"id" integer PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "actor_executions_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 2147483647 START WITH 1 CACHE 1),
	"actor_id" integer NOT NULL,
	"kind" "actor_execution_kind" NOT NULL,
	"trigger" "actor_trigger" NOT NULL,
	"phase" "actor_phase" NOT NULL,
	"phase_times" jsonb NOT NULL,
	"user_instruction" text,
	"revised_plan_id" integer,
	"run_plan_id" integer,
	"requested_by_id" integer,
	"decision_summary" text,
	"detailed_analysis" text,
	"key_findings" jsonb DEFAULT '[]'::jsonb NOT NULL,
	"notification_intent" jsonb,
	"tokens_used" bigint DEFAULT 0 NOT NULL,
	"estimated_cost" numeric(18, 8),
	"model" text,
	"error" text,
	"started_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"completed_at" timestamp (3) with time zone,
	"lease_token" uuid,
	"lease_until" timestamp (3) with time zone,
	"attempts" integer DEFAULT 0 NOT NULL
);
--> statement-breakpoint
CREATE TABLE "actor_messages" (
	"id" integer PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "actor_messages_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 2147483647 START WITH 1 CACHE 1),
	"actor_id" integer NOT NULL,
	"role" "actor_message_role" NOT NULL,
	"user_id" integer,
	"text" text NOT NULL,
	"execution_id" integer,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "actor_recipients" (
	"actor_id" integer NOT NULL,
	"recipient_id" integer NOT NULL,
	CONSTRAINT "actor_recipients_actor_id_recipient_id_pk" PRIMARY KEY("actor_id","recipient_id")
);
--> statement-breakpoint
CREATE TABLE "actor_wakes" (
	"actor_id" integer NOT NULL,
	"execution_id" integer NOT NULL,
	"cycle_id" integer,
	CONSTRAINT "actor_wakes_actor_id_execution_id_pk" PRIMARY KEY("actor_id","execution_id")
);
--> statement-breakpoint
CREATE TABLE "actors" (
	"id" integer PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "actors_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 2147483647 START WITH 1 CACHE 1),
	"project_id" integer NOT NULL,
	"data_source_id" integer NOT NULL,
	"name" text NOT NULL,
	"instructions" text NOT NULL,
	"additional_context" text,
	"max_queries" integer NOT NULL,
	"max_subscriptions_per_query" integer NOT NULL,
	"activate_immediately" boolean NOT NULL,
	"requires_approval" boolean NOT NULL,
	"budget_tokens" bigint,
	"budget_cost" numeric(18, 8),
	"status" "actor_status" DEFAULT 'Draft' NOT NULL,
	"last_error" text,
	"set_up_at" timestamp (3) with time zone,
	"total_tokens_used" bigint DEFAULT 0 NOT NULL,
	"total_cost" numeric(18, 8) DEFAULT 0 NOT NULL,
	"think_count" integer DEFAULT 0 NOT NULL,
	"last_think_at" timestamp (3) with time zone,
	"created_by_id" integer NOT NULL,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"updated_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"archived_at" timestamp (3) with time zone
);
--> statement-breakpoint
CREATE TABLE "model_calls" (
	"id" integer PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "model_calls_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 2147483647 START WITH 1 CACHE 1),
	"actor_id" integer NOT NULL,
	"execution_id" integer NOT NULL,
	"step" text NOT NULL,
	"model" text NOT NULL,
	"asked_at" timestamp (3) with time zone NOT NULL,
	"answered_at" timestamp (3) with time zone,
	"answer" jsonb,
	"failure" text,
	"input_tokens" integer,
	"output_tokens" integer,
	"cost" numeric(18, 8)
);
--> statement-breakpoint
CREATE TABLE "plans" (
	"id" integer PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "plans_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 2147483647 START WITH 1 CACHE 1),
	"actor_id" integer NOT NULL,
	"trigger" "actor_trigger" NOT NULL,
	"status" "plan_status" DEFAULT 'PendingApproval' NOT NULL,
	"version" integer NOT NULL,
	"parent_plan_id" integer,
	"cycle_id" integer NOT NULL,
	"user_instruction" text,
	"analysis" text NOT NULL,
	"key_findings" jsonb NOT NULL,
	"tokens_used" bigint NOT NULL,
	"estimated_cost" numeric(18, 8),
	"model" text NOT NULL,
	"schema_fingerprint" text,
	"proposed_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"expired_reason" text,
	"reviewer_id" integer,
	"decided_at" timestamp (3) with time zone,
	"decision_reason" text
);
--> statement-breakpoint
ALTER TABLE "actor_actions" ADD CONSTRAINT "actor_actions_plan_id_plans_id_fk" FOREIGN KEY ("plan_id") REFERENCES "public"."plans"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "actor_actions" ADD CONSTRAINT "actor_actions_execution_id_actor_executions_id_fk" FOREIGN KEY ("execution_id") REFERENCES "public"."actor_executions"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "actor_executions" ADD CONSTRAINT "actor_executions_actor_id_actors_id_fk" FOREIGN KEY ("actor_id") REFERENCES "public"."actors"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "actor_executions" ADD CONSTRAINT "actor_executions_revised_plan_id_plans_id_fk" FOREIGN KEY ("revised_plan_id") REFERENCES "public"."plans"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "actor_executions" ADD CONSTRAINT "actor_executions_run_plan_id_plans_id_fk" FOREIGN KEY ("run_plan_id") REFERENCES "public"."plans"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "actor_executions" ADD CONSTRAINT "actor_executions_requested_by_id_users_id_fk" FOREIGN KEY ("requested_by_id") REFERENCES "public"."users"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "actor_messages" ADD CONSTRAINT "actor_messages_actor_id_actors_id_fk" FOREIGN KEY ("actor_id") REFERENCES "public"."actors"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "actor_messages" ADD CONSTRAINT "actor_messages_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "actor_messages" ADD CONSTRAINT "actor_messages_execution_id_actor_executions_id_fk" FOREIGN KEY ("execution_id") REFERENCES "public"."actor_executions"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "actor_recipients" ADD CONSTRAINT "actor_recipients_actor_id_actors_id_fk" FOREIGN KEY ("actor_id") REFERENCES "public"."actors"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "actor_recipients" ADD CONSTRAINT "actor_recipients_recipient_id_recipients_id_fk" FOREIGN KEY ("recipient_id") REFERENCES "public"."recipients"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "actor_wakes" ADD CONSTRAINT "actor_wakes_actor_id_actors_id_fk" FOREIGN KEY ("actor_id") REFERENCES "public"."actors"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "actor_wakes" ADD CONSTRAINT "actor_wakes_cycle_id_actor_executions_id_fk" FOREIGN KEY ("cycle_id") REFERENCES "public"."actor_executions"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "actors" ADD CONSTRAINT "actors_project_id_projects_id_fk" FOREIGN KEY ("project_id") REFERENCES "public"."projects"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "actors" ADD CONSTRAINT "actors_data_source_id_data_sources_id_fk" FOREIGN KEY ("data_source_id") REFERENCES "public"."data_sources"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "actors" ADD CONSTRAINT "actors_created_by_id_users_id_fk" FOREIGN KEY ("created_by_id") REFERENCES "public"."users"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "model_calls" ADD CONSTRAINT "model_calls_actor_id_actors_id_fk" FOREIGN KEY ("actor_id") REFERENCES "public"."actors"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "model_calls" ADD CONSTRAINT "model_calls_execution_id_actor_executions_id_fk" FOREIGN KEY ("execution_id") REFERENCES "public"."actor_executions"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "plans" ADD CONSTRAINT "plans_actor_id_actors_id_fk" FOREIGN KEY ("actor_id") REFERENCES "public"."actors"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "plans" ADD CONSTRAINT "plans_parent_plan_id_plans_id_fk" FOREIGN KEY ("parent_plan_id") REFERENCES "public"."plans"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "plans" ADD CONSTRAINT "plans_cycle_id_actor_executions_id_fk" FOREIGN KEY ("cycle_id") REFERENCES "public"."actor_executions"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "plans" ADD CONSTRAINT "plans_reviewer_id_users_id_fk" FOREIGN KEY ("reviewer_id") REFERENCES "public"."users"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE UNIQUE INDEX "actor_actions_plan_idx" ON "actor_actions" USING btree ("plan_id","index");--> statement-breakpoint
CREATE UNIQUE INDEX "actor_actions_execution_idx" ON "actor_actions" USING btree ("execution_id","index");--> statement-breakpoint
CREATE INDEX "actor_executions_actor_idx" ON "actor_executions" USING btree ("actor_id","id" DESC NULLS FIRST);--> statement-breakpoint
CREATE INDEX "actor_executions_open_idx" ON "actor_executions" USING btree ("lease_until") WHERE "actor_executions"."phase" not in ('Completed', 'Failed');--> statement-breakpoint
CREATE UNIQUE INDEX "actor_executions_run_idx" ON "actor_executions" USING btree ("run_plan_id");--> statement-breakpoint
CREATE INDEX "actor_messages_actor_idx" ON "actor_messages" USING btree ("actor_id","id" DESC NULLS FIRST);--> statement-breakpoint
CREATE INDEX "actor_recipients_recipient_idx" ON "actor_recipients" USING btree ("recipient_id");--> statement-breakpoint
CREATE INDEX "actor_wakes_waiting_idx" ON "actor_wakes" USING btree ("actor_id") WHERE "actor_wakes"."cycle_id" is null;--> statement-breakpoint
CREATE INDEX "actor_wakes_cycle_idx" ON "actor_wakes" USING btree ("cycle_id");--> statement-breakpoint
CREATE INDEX "actors_project_idx" ON "actors" USING btree ("project_id");--> statement-breakpoint
CREATE INDEX "actors_source_idx" ON "actors" USING btree ("data_source_id");--> statement-breakpoint
CREATE UNIQUE INDEX "model_calls_step_idx" ON "model_calls" USING btree ("execution_id","step");--> statement-breakpoint
CREATE INDEX "model_calls_actor_idx" ON "model_calls" USING btree ("actor_id","asked_at");--> statement-breakpoint
CREATE INDEX "model_calls_asked_idx" ON "model_calls" USING btree ("asked_at");--> statement-breakpoint
CREATE INDEX "plans_actor_idx" ON "plans" USING btree ("actor_id","id" DESC NULLS FIRST);--> statement-breakpoint
CREATE INDEX "plans_pending_idx" ON "plans" USING btree ("actor_id") WHERE "plans"."status" = 'PendingApproval';--> statement-breakpoint
CREATE UNIQUE INDEX "plans_parent_idx" ON "plans" USING btree ("parent_plan_id");--> statement-breakpoint
CREATE UNIQUE INDEX "plans_cycle_idx" ON "plans" USING btree ("cycle_id");--> statement-breakpoint
ALTER TABLE "queries" ADD CONSTRAINT "queries_owner_actor_id_actors_id_fk" FOREIGN KEY ("owner_actor_id") REFERENCES "public"."actors"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "subscriptions" ADD CONSTRAINT "subscriptions_ai_actor_id_actors_id_fk" FOREIGN KEY ("ai_actor_id") REFERENCES "public"."actors"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "queries_actor_idx" ON "queries" USING btree ("owner_actor_id") WHERE "queries"."owner_actor_id" is not null;--> statement-breakpoint
CREATE INDEX "subscriptions_actor_idx" ON "subscriptions" USING btree ("ai_actor_id") WHERE "subscriptions"."ai_actor_id" is not null;
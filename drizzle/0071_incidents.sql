CREATE TYPE "public"."incident_event_kind" AS ENUM('Opened', 'Joined', 'Changed', 'Ended', 'Acknowledged', 'Assigned', 'Silenced', 'Commented', 'Notified', 'Escalated', 'Resolved');--> statement-breakpoint
CREATE TYPE "public"."incident_severity" AS ENUM('Critical', 'High', 'Medium', 'Low');--> statement-breakpoint
CREATE TYPE "public"."incident_state" AS ENUM('Open', 'Acknowledged', 'Resolved');--> statement-breakpoint
CREATE TYPE "public"."problem_kind" AS ENUM('Failing', 'NotEvaluated', 'Stalled', 'CouldNotRun', 'BelowThreshold', 'Unusual', 'Found');--> statement-breakpoint
CREATE TABLE "incident_events" (
	"id" integer PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "incident_events_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 2147483647 START WITH 1 CACHE 1),
	"incident_id" integer NOT NULL,
	"kind" "incident_event_kind" NOT NULL,
	"at" timestamp (3) with time zone DEFAULT clock_timestamp() NOT NULL,
	"user_id" integer,
	"text" text NOT NULL
);
--> statement-breakpoint
CREATE TABLE "incident_problems" (
	"id" integer PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "incident_problems_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 2147483647 START WITH 1 CACHE 1),
	"incident_id" integer NOT NULL,
	"subscription_id" integer,
	"contract_id" integer,
	"name" text NOT NULL,
	"kind" "problem_kind" NOT NULL,
	"severity" "incident_severity" NOT NULL,
	"reason" text NOT NULL,
	"data_source_ids" integer[] NOT NULL,
	"tables" jsonb NOT NULL,
	"began_at" timestamp (3) with time zone NOT NULL,
	"last_seen_at" timestamp (3) with time zone NOT NULL,
	"seen_count" integer DEFAULT 1 NOT NULL,
	"ended_at" timestamp (3) with time zone,
	"ended" text,
	CONSTRAINT "incident_problems_subject_check" CHECK (num_nonnulls("incident_problems"."subscription_id", "incident_problems"."contract_id") = 1)
);
--> statement-breakpoint
CREATE TABLE "incidents" (
	"id" integer PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "incidents_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 2147483647 START WITH 1 CACHE 1),
	"project_id" integer NOT NULL,
	"title" text NOT NULL,
	"state" "incident_state" DEFAULT 'Open' NOT NULL,
	"severity" "incident_severity" NOT NULL,
	"opened_at" timestamp (3) with time zone NOT NULL,
	"acknowledged_at" timestamp (3) with time zone,
	"acknowledged_by_id" integer,
	"noticed_at" timestamp (3) with time zone,
	"resolved_at" timestamp (3) with time zone,
	"resolved_by_id" integer,
	"assignee_id" integer,
	"silenced_until" timestamp (3) with time zone,
	"silenced_by_id" integer,
	"silence_reason" text
);
--> statement-breakpoint
ALTER TABLE "incident_events" ADD CONSTRAINT "incident_events_incident_id_incidents_id_fk" FOREIGN KEY ("incident_id") REFERENCES "public"."incidents"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "incident_events" ADD CONSTRAINT "incident_events_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "incident_problems" ADD CONSTRAINT "incident_problems_incident_id_incidents_id_fk" FOREIGN KEY ("incident_id") REFERENCES "public"."incidents"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "incident_problems" ADD CONSTRAINT "incident_problems_subscription_id_subscriptions_id_fk" FOREIGN KEY ("subscription_id") REFERENCES "public"."subscriptions"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "incident_problems" ADD CONSTRAINT "incident_problems_contract_id_contracts_id_fk" FOREIGN KEY ("contract_id") REFERENCES "public"."contracts"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "incidents" ADD CONSTRAINT "incidents_project_id_projects_id_fk" FOREIGN KEY ("project_id") REFERENCES "public"."projects"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "incidents" ADD CONSTRAINT "incidents_acknowledged_by_id_users_id_fk" FOREIGN KEY ("acknowledged_by_id") REFERENCES "public"."users"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "incidents" ADD CONSTRAINT "incidents_resolved_by_id_users_id_fk" FOREIGN KEY ("resolved_by_id") REFERENCES "public"."users"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "incidents" ADD CONSTRAINT "incidents_assignee_id_users_id_fk" FOREIGN KEY ("assignee_id") REFERENCES "public"."users"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "incidents" ADD CONSTRAINT "incidents_silenced_by_id_users_id_fk" FOREIGN KEY ("silenced_by_id") REFERENCES "public"."users"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "incident_events_incident_idx" ON "incident_events" USING btree ("incident_id","at");--> statement-breakpoint
CREATE UNIQUE INDEX "incident_problems_subscription_idx" ON "incident_problems" USING btree ("subscription_id") WHERE "incident_problems"."ended_at" is null and "incident_problems"."subscription_id" is not null;--> statement-breakpoint
CREATE UNIQUE INDEX "incident_problems_contract_idx" ON "incident_problems" USING btree ("contract_id") WHERE "incident_problems"."ended_at" is null and "incident_problems"."contract_id" is not null;--> statement-breakpoint
CREATE INDEX "incident_problems_incident_idx" ON "incident_problems" USING btree ("incident_id");--> statement-breakpoint
CREATE INDEX "incident_problems_of_subscription_idx" ON "incident_problems" USING btree ("subscription_id");--> statement-breakpoint
CREATE INDEX "incident_problems_of_contract_idx" ON "incident_problems" USING btree ("contract_id");--> statement-breakpoint
CREATE INDEX "incidents_current_idx" ON "incidents" USING btree ("project_id","opened_at") WHERE "incidents"."state" <> 'Resolved';--> statement-breakpoint
CREATE INDEX "incidents_project_idx" ON "incidents" USING btree ("project_id","opened_at" DESC NULLS FIRST);
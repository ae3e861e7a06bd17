CREATE TYPE "public"."incident_policy_step" AS ENUM('Opened', 'Escalated', 'Resolved');--> statement-breakpoint
ALTER TYPE "public"."notification_cause" ADD VALUE 'Incident' BEFORE 'Test';--> statement-breakpoint
CREATE TABLE "incident_notices" (
	"incident_id" integer NOT NULL,
	"policy_id" integer NOT NULL,
	"step" "incident_policy_step" NOT NULL,
	"at" timestamp (3) with time zone DEFAULT clock_timestamp() NOT NULL,
	CONSTRAINT "incident_notices_incident_id_policy_id_step_pk" PRIMARY KEY("incident_id","policy_id","step")
);
--> statement-breakpoint
CREATE TABLE "incident_policies" (
	"id" integer PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "incident_policies_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 2147483647 START WITH 1 CACHE 1),
	"project_id" integer NOT NULL,
	"name" text NOT NULL,
	"enabled" boolean DEFAULT true NOT NULL,
	"min_severity" "incident_severity" NOT NULL,
	"data_source_ids" integer[],
	"hours" jsonb,
	"escalate_after_minutes" integer,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"updated_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"removed_at" timestamp (3) with time zone
);
--> statement-breakpoint
CREATE TABLE "incident_policy_recipients" (
	"policy_id" integer NOT NULL,
	"recipient_id" integer NOT NULL,
	"is_escalation" boolean NOT NULL,
	CONSTRAINT "incident_policy_recipients_policy_id_recipient_id_is_escalation_pk" PRIMARY KEY("policy_id","recipient_id","is_escalation")
);
--> statement-breakpoint
CREATE TABLE "maintenance_windows" (
	"id" integer PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "maintenance_windows_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 2147483647 START WITH 1 CACHE 1),
	"project_id" integer NOT NULL,
	"name" text NOT NULL,
	"reason" text,
	"data_source_ids" integer[],
	"starts_at" timestamp (3) with time zone,
	"ends_at" timestamp (3) with time zone,
	"cron_expression" text,
	"duration_minutes" integer,
	"timezone" text DEFAULT 'UTC' NOT NULL,
	"ended_at" timestamp (3) with time zone,
	"created_by_id" integer,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"removed_at" timestamp (3) with time zone
);
--> statement-breakpoint
ALTER TABLE "incidents" ADD COLUMN "created_at" timestamp (3) with time zone DEFAULT now() NOT NULL;--> statement-breakpoint
ALTER TABLE "incident_notices" ADD CONSTRAINT "incident_notices_incident_id_incidents_id_fk" FOREIGN KEY ("incident_id") REFERENCES "public"."incidents"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "incident_notices" ADD CONSTRAINT "incident_notices_policy_id_incident_policies_id_fk" FOREIGN KEY ("policy_id") REFERENCES "public"."incident_policies"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "incident_policies" ADD CONSTRAINT "incident_policies_project_id_projects_id_fk" FOREIGN KEY ("project_id") REFERENCES "public"."projects"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "incident_policy_recipients" ADD CONSTRAINT "incident_policy_recipients_policy_id_incident_policies_id_fk" FOREIGN KEY ("policy_id") REFERENCES "public"."incident_policies"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "incident_policy_recipients" ADD CONSTRAINT "incident_policy_recipients_recipient_id_recipients_id_fk" FOREIGN KEY ("recipient_id") REFERENCES "public"."recipients"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "maintenance_windows" ADD CONSTRAINT "maintenance_windows_project_id_projects_id_fk" FOREIGN KEY ("project_id") REFERENCES "public"."projects"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "maintenance_windows" ADD CONSTRAINT "maintenance_windows_created_by_id_users_id_fk" FOREIGN KEY ("created_by_id") REFERENCES "public"."users"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "incident_policies_project_idx" ON "incident_policies" USING btree ("project_id") WHERE "incident_policies"."removed_at" is null;--> statement-breakpoint
CREATE INDEX "incident_policy_recipients_recipient_idx" ON "incident_policy_recipients" USING btree ("recipient_id");--> statement-breakpoint
CREATE INDEX "maintenance_windows_project_idx" ON "maintenance_windows" USING btree ("project_id") WHERE "maintenance_windows"."removed_at" is null;
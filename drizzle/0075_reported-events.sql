CREATE TYPE "public"."reported_kind" AS ENUM('Deployment', 'Load', 'Other');--> statement-breakpoint
CREATE TYPE "public"."reported_state" AS ENUM('Started', 'Succeeded', 'Failed');--> statement-breakpoint
CREATE TABLE "reported_events" (
	"id" integer PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "reported_events_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 2147483647 START WITH 1 CACHE 1),
	"project_id" integer NOT NULL,
	"kind" "reported_kind" NOT NULL,
	"name" text NOT NULL,
	"state" "reported_state" NOT NULL,
	"started_at" timestamp (3) with time zone,
	"at" timestamp (3) with time zone NOT NULL,
	"description" text,
	"url" text,
	"inputs" jsonb NOT NULL,
	"outputs" jsonb NOT NULL,
	"key" text,
	"principal_kind" "principal_kind" NOT NULL,
	"principal_id" integer,
	"principal_name" text NOT NULL,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
ALTER TABLE "reported_events" ADD CONSTRAINT "reported_events_project_id_projects_id_fk" FOREIGN KEY ("project_id") REFERENCES "public"."projects"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE UNIQUE INDEX "reported_events_key_idx" ON "reported_events" USING btree ("project_id","key") WHERE "reported_events"."key" is not null;--> statement-breakpoint
CREATE INDEX "reported_events_project_idx" ON "reported_events" USING btree ("project_id","at");
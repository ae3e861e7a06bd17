CREATE TYPE "public"."managed_kind" AS ENUM('Project', 'Recipient', 'DataSource', 'Query', 'Subscription', 'Contract', 'RuleTemplate', 'IncidentPolicy');--> statement-breakpoint
CREATE TABLE "managed_things" (
	"kind" "managed_kind" NOT NULL,
	"object_id" integer NOT NULL,
	"project_id" integer NOT NULL,
	"stack" text NOT NULL,
	"path" text NOT NULL,
	"revision" integer NOT NULL,
	"applied_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"applied_by" text NOT NULL,
	"taken_over_at" timestamp (3) with time zone,
	"taken_over_by" text,
	CONSTRAINT "managed_things_kind_object_id_pk" PRIMARY KEY("kind","object_id")
);
--> statement-breakpoint
ALTER TABLE "managed_things" ADD CONSTRAINT "managed_things_project_id_projects_id_fk" FOREIGN KEY ("project_id") REFERENCES "public"."projects"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "managed_things_stack_idx" ON "managed_things" USING btree ("stack");--> statement-breakpoint
CREATE INDEX "managed_things_project_idx" ON "managed_things" USING btree ("project_id");
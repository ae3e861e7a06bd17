CREATE TYPE "public"."template_departure" AS ENUM('LeftOut', 'Detached');--> statement-breakpoint
CREATE TABLE "rule_templates" (
	"id" integer PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "rule_templates_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 2147483647 START WITH 1 CACHE 1),
	"project_id" integer NOT NULL,
	"name" text NOT NULL,
	"selector" jsonb NOT NULL,
	"rule" jsonb NOT NULL,
	"new_contracts" jsonb,
	"enabled" boolean DEFAULT true NOT NULL,
	"revision" integer DEFAULT 1 NOT NULL,
	"applied_revision" integer,
	"created_by_id" integer NOT NULL,
	"updated_by_id" integer NOT NULL,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"updated_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"removed_at" timestamp (3) with time zone
);
--> statement-breakpoint
CREATE TABLE "template_rules" (
	"contract_id" integer NOT NULL,
	"template_id" integer NOT NULL,
	"column_name" text NOT NULL,
	"key" uuid NOT NULL,
	"departure" "template_departure",
	"reason" text,
	"departed_by_id" integer,
	"departed_at" timestamp (3) with time zone,
	CONSTRAINT "template_rules_contract_id_template_id_column_name_pk" PRIMARY KEY("contract_id","template_id","column_name")
);
--> statement-breakpoint
ALTER TABLE "rule_templates" ADD CONSTRAINT "rule_templates_project_id_projects_id_fk" FOREIGN KEY ("project_id") REFERENCES "public"."projects"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "rule_templates" ADD CONSTRAINT "rule_templates_created_by_id_users_id_fk" FOREIGN KEY ("created_by_id") REFERENCES "public"."users"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "rule_templates" ADD CONSTRAINT "rule_templates_updated_by_id_users_id_fk" FOREIGN KEY ("updated_by_id") REFERENCES "public"."users"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "template_rules" ADD CONSTRAINT "template_rules_contract_id_contracts_id_fk" FOREIGN KEY ("contract_id") REFERENCES "public"."contracts"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "template_rules" ADD CONSTRAINT "template_rules_template_id_rule_templates_id_fk" FOREIGN KEY ("template_id") REFERENCES "public"."rule_templates"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "template_rules" ADD CONSTRAINT "template_rules_departed_by_id_users_id_fk" FOREIGN KEY ("departed_by_id") REFERENCES "public"."users"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "rule_templates_project_idx" ON "rule_templates" USING btree ("project_id");--> statement-breakpoint
CREATE INDEX "template_rules_template_idx" ON "template_rules" USING btree ("template_id");
CREATE TABLE "guide_choices" (
	"id" integer PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "guide_choices_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 2147483647 START WITH 1 CACHE 1),
	"user_id" integer NOT NULL,
	"project_id" integer,
	"skipped" text[] DEFAULT '{}' NOT NULL,
	"dismissed_at" timestamp (3) with time zone,
	CONSTRAINT "guide_choices_user_idx" UNIQUE NULLS NOT DISTINCT("user_id","project_id")
);
--> statement-breakpoint
CREATE TABLE "clear_projects" (
	"project_id" integer PRIMARY KEY NOT NULL,
	"since" timestamp (3) with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
ALTER TABLE "subscriptions" ADD COLUMN "name" text;--> statement-breakpoint
ALTER TABLE "guide_choices" ADD CONSTRAINT "guide_choices_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "guide_choices" ADD CONSTRAINT "guide_choices_project_id_projects_id_fk" FOREIGN KEY ("project_id") REFERENCES "public"."projects"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "clear_projects" ADD CONSTRAINT "clear_projects_project_id_projects_id_fk" FOREIGN KEY ("project_id") REFERENCES "public"."projects"("id") ON DELETE cascade ON UPDATE no action;
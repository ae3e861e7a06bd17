ALTER TABLE "evaluations" ADD COLUMN "requested_by_id" integer;--> statement-breakpoint
ALTER TABLE "executions" ADD COLUMN "requested_by_id" integer;--> statement-breakpoint
ALTER TABLE "evaluations" ADD CONSTRAINT "evaluations_requested_by_id_users_id_fk" FOREIGN KEY ("requested_by_id") REFERENCES "public"."users"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "executions" ADD CONSTRAINT "executions_requested_by_id_users_id_fk" FOREIGN KEY ("requested_by_id") REFERENCES "public"."users"("id") ON DELETE no action ON UPDATE no action;
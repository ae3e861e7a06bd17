DROP INDEX "anomalies_subscription_idx";--> statement-breakpoint
DROP INDEX "executions_recent_idx";--> statement-breakpoint
DROP INDEX "subscription_incidents_subscription_idx";--> statement-breakpoint
DROP INDEX "tasks_subscription_idx";--> statement-breakpoint
ALTER TABLE "subscriptions" ADD COLUMN "project_id" integer NOT NULL;--> statement-breakpoint
ALTER TABLE "tasks" ADD COLUMN "query_id" integer NOT NULL;--> statement-breakpoint
ALTER TABLE "tasks" ADD COLUMN "project_id" integer NOT NULL;--> statement-breakpoint
ALTER TABLE "subscriptions" ADD CONSTRAINT "subscriptions_project_id_projects_id_fk" FOREIGN KEY ("project_id") REFERENCES "public"."projects"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "tasks" ADD CONSTRAINT "tasks_query_id_queries_id_fk" FOREIGN KEY ("query_id") REFERENCES "public"."queries"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "tasks" ADD CONSTRAINT "tasks_project_id_projects_id_fk" FOREIGN KEY ("project_id") REFERENCES "public"."projects"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "subscriptions_project_idx" ON "subscriptions" USING btree ("project_id") WHERE "subscriptions"."archived_at" is null;--> statement-breakpoint
CREATE INDEX "tasks_project_idx" ON "tasks" USING btree ("project_id","id" DESC NULLS FIRST);--> statement-breakpoint
CREATE INDEX "anomalies_subscription_idx" ON "anomalies" USING btree ("subscription_id","detected_at" DESC NULLS FIRST);--> statement-breakpoint
CREATE INDEX "executions_recent_idx" ON "executions" USING btree ("subscription_id","executed_at" DESC NULLS FIRST,"id" DESC NULLS FIRST);--> statement-breakpoint
CREATE INDEX "subscription_incidents_subscription_idx" ON "subscription_incidents" USING btree ("subscription_id","id" DESC NULLS FIRST);--> statement-breakpoint
CREATE INDEX "tasks_subscription_idx" ON "tasks" USING btree ("subscription_id","id" DESC NULLS FIRST);
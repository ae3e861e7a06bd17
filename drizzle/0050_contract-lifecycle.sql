ALTER TABLE "tasks" ALTER COLUMN "subscription_id" DROP NOT NULL;--> statement-breakpoint
ALTER TABLE "tasks" ALTER COLUMN "query_id" DROP NOT NULL;--> statement-breakpoint
ALTER TABLE "contracts" ADD COLUMN "owner_id" integer;--> statement-breakpoint
ALTER TABLE "contracts" ADD COLUMN "create_tasks" boolean DEFAULT false NOT NULL;--> statement-breakpoint
ALTER TABLE "contracts" ADD COLUMN "silenced_until" timestamp (3) with time zone;--> statement-breakpoint
ALTER TABLE "contracts" ADD COLUMN "silenced_by_id" integer;--> statement-breakpoint
ALTER TABLE "contracts" ADD COLUMN "silence_reason" text;--> statement-breakpoint
ALTER TABLE "subscriptions" ADD COLUMN "silenced_by_id" integer;--> statement-breakpoint
ALTER TABLE "subscriptions" ADD COLUMN "silence_reason" text;--> statement-breakpoint
ALTER TABLE "tasks" ADD COLUMN "contract_id" integer;--> statement-breakpoint
ALTER TABLE "tasks" ADD COLUMN "latest_score" numeric(5, 2);--> statement-breakpoint
ALTER TABLE "contracts" ADD CONSTRAINT "contracts_owner_id_users_id_fk" FOREIGN KEY ("owner_id") REFERENCES "public"."users"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "contracts" ADD CONSTRAINT "contracts_silenced_by_id_users_id_fk" FOREIGN KEY ("silenced_by_id") REFERENCES "public"."users"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "subscriptions" ADD CONSTRAINT "subscriptions_silenced_by_id_users_id_fk" FOREIGN KEY ("silenced_by_id") REFERENCES "public"."users"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "tasks" ADD CONSTRAINT "tasks_contract_id_contracts_id_fk" FOREIGN KEY ("contract_id") REFERENCES "public"."contracts"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE UNIQUE INDEX "tasks_open_contract_idx" ON "tasks" USING btree ("contract_id") WHERE "tasks"."status" = 'Open';--> statement-breakpoint
ALTER TABLE "tasks" ADD CONSTRAINT "tasks_source_check" CHECK (num_nonnulls("tasks"."subscription_id", "tasks"."contract_id") = 1);
DROP INDEX "evaluations_history_idx";--> statement-breakpoint
DROP INDEX "evaluations_target_idx";--> statement-breakpoint
ALTER TABLE "evaluations" ADD COLUMN "attempts" integer DEFAULT 1 NOT NULL;--> statement-breakpoint
CREATE INDEX "evaluations_history_idx" ON "evaluations" USING btree ("contract_id","evaluated_at" DESC NULLS FIRST,"id" DESC NULLS FIRST);--> statement-breakpoint
CREATE INDEX "evaluations_target_idx" ON "evaluations" USING btree ("data_source_id","schema_name","table_name","evaluated_at" DESC NULLS FIRST,"id" DESC NULLS FIRST);
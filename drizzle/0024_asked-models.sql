ALTER TABLE "model_calls" ALTER COLUMN "actor_id" DROP NOT NULL;--> statement-breakpoint
ALTER TABLE "model_calls" ALTER COLUMN "execution_id" DROP NOT NULL;--> statement-breakpoint
ALTER TABLE "model_calls" ADD CONSTRAINT "model_calls_of_a_cycle" CHECK (num_nonnulls("model_calls"."actor_id", "model_calls"."execution_id") <> 1);
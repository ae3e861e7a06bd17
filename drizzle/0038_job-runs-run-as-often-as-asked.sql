DROP INDEX "job_runs_idempotency_idx";--> statement-breakpoint
ALTER TABLE "job_runs" DROP COLUMN "idempotency_key";
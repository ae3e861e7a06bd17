ALTER TABLE "rule_results" ADD COLUMN "could_run" boolean DEFAULT true NOT NULL;--> statement-breakpoint
-- Until now only the message said so.
UPDATE "rule_results" SET "could_run" = false WHERE NOT "passed" AND starts_with("message", 'Execution failed: ');

ALTER TABLE "contracts" ADD COLUMN "context" text;--> statement-breakpoint
UPDATE "contract_versions" SET "content" = "content" || '{"context": null}';

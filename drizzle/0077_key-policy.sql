ALTER TABLE "api_keys" ADD COLUMN "allowed_networks" text[];--> statement-breakpoint
ALTER TABLE "api_keys" ADD COLUMN "last_used_address" text;
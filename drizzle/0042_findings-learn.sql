ALTER TABLE "findings" ADD COLUMN "column_kinds" text[] DEFAULT '{}' NOT NULL;--> statement-breakpoint
ALTER TABLE "findings" ADD COLUMN "unlearned" double precision;--> statement-breakpoint
UPDATE "findings" SET "unlearned" = "confidence";--> statement-breakpoint
ALTER TABLE "findings" ALTER COLUMN "unlearned" SET NOT NULL;--> statement-breakpoint
ALTER TABLE "findings" ADD COLUMN "learned" jsonb;--> statement-breakpoint
CREATE INDEX "findings_answered_idx" ON "findings" USING btree ("data_source_id","kind") WHERE "findings"."status" in ('Accepted', 'Dismissed');
DROP INDEX "deliveries_queue_idx";--> statement-breakpoint
CREATE INDEX "deliveries_queue_idx" ON "deliveries" USING btree ("recipient_id","user_id","id") WHERE "deliveries"."status" = 'Queued';
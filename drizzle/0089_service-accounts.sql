CREATE TYPE "public"."user_kind" AS ENUM('Person', 'ServiceAccount');--> statement-breakpoint
ALTER TABLE "api_keys" ADD COLUMN "created_by_id" integer;--> statement-breakpoint
ALTER TABLE "users" ADD COLUMN "kind" "user_kind" DEFAULT 'Person' NOT NULL;--> statement-breakpoint
ALTER TABLE "api_keys" ADD CONSTRAINT "api_keys_created_by_id_users_id_fk" FOREIGN KEY ("created_by_id") REFERENCES "public"."users"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "users" ADD CONSTRAINT "users_no_sign_in" CHECK ("users"."kind" = 'Person' or ("users"."email" not like '%@%' and "users"."password_hash" is null));
CREATE TYPE "public"."chat_service" AS ENUM('Slack', 'Teams');--> statement-breakpoint
CREATE TABLE "chat_accounts" (
	"id" integer PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "chat_accounts_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 2147483647 START WITH 1 CACHE 1),
	"user_id" integer NOT NULL,
	"service" "chat_service" NOT NULL,
	"team_id" text NOT NULL,
	"account_id" text NOT NULL,
	"name" text NOT NULL,
	"signed_in_by" "sign_in_method" NOT NULL,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"last_used_at" timestamp (3) with time zone
);
--> statement-breakpoint
ALTER TABLE "recipients" ADD COLUMN "decisions" boolean DEFAULT false NOT NULL;--> statement-breakpoint
ALTER TABLE "chat_accounts" ADD CONSTRAINT "chat_accounts_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE UNIQUE INDEX "chat_accounts_account_idx" ON "chat_accounts" USING btree ("service","team_id","account_id");--> statement-breakpoint
CREATE INDEX "chat_accounts_user_idx" ON "chat_accounts" USING btree ("user_id");
CREATE TYPE "public"."favorite_kind" AS ENUM('Query', 'Subscription', 'Contract', 'Actor', 'DataSource', 'Table');--> statement-breakpoint
CREATE TABLE "favorites" (
	"id" integer PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "favorites_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 2147483647 START WITH 1 CACHE 1),
	"user_id" integer NOT NULL,
	"kind" "favorite_kind" NOT NULL,
	"object_id" integer NOT NULL,
	"schema_name" text DEFAULT '' NOT NULL,
	"table_name" text DEFAULT '' NOT NULL,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
ALTER TABLE "favorites" ADD CONSTRAINT "favorites_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE UNIQUE INDEX "favorites_thing_idx" ON "favorites" USING btree ("user_id","kind","object_id","schema_name","table_name");
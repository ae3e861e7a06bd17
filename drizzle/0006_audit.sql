CREATE TYPE "public"."principal_kind" AS ENUM('User', 'ApiKey', 'Jwt', 'System', 'Anonymous');--> statement-breakpoint
CREATE TABLE "audit_log" (
	"id" integer PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "audit_log_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 2147483647 START WITH 1 CACHE 1),
	"at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"principal_kind" "principal_kind" NOT NULL,
	"principal_id" integer,
	"principal_name" text NOT NULL,
	"user_id" integer,
	"action" text NOT NULL,
	"object_kind" text NOT NULL,
	"object_id" integer,
	"detail" text,
	"address" text
);
--> statement-breakpoint
CREATE TABLE "key_reads" (
	"key_id" integer NOT NULL,
	"hour" timestamp (3) with time zone NOT NULL,
	"count" integer NOT NULL,
	CONSTRAINT "key_reads_key_id_hour_pk" PRIMARY KEY("key_id","hour")
);
--> statement-breakpoint
CREATE INDEX "audit_log_at_idx" ON "audit_log" USING btree ("at","id");--> statement-breakpoint
CREATE INDEX "audit_log_principal_idx" ON "audit_log" USING btree ("principal_id","at","id");--> statement-breakpoint
CREATE INDEX "audit_log_action_idx" ON "audit_log" USING btree ("action","at","id");--> statement-breakpoint
CREATE INDEX "audit_log_object_idx" ON "audit_log" USING btree ("object_kind","object_id","at","id");--> statement-breakpoint
CREATE INDEX "key_reads_hour_idx" ON "key_reads" USING btree ("hour");
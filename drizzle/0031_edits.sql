CREATE TYPE "public"."edited_kind" AS ENUM('Contract', 'Subscription');--> statement-breakpoint
CREATE TABLE "edits" (
	"kind" "edited_kind" NOT NULL,
	"object_id" integer NOT NULL,
	"revision" integer NOT NULL,
	"at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"principal_kind" "principal_kind" NOT NULL,
	"principal_id" integer,
	"principal_name" text NOT NULL,
	"changes" jsonb NOT NULL,
	CONSTRAINT "edits_kind_object_id_revision_pk" PRIMARY KEY("kind","object_id","revision")
);
--> statement-breakpoint
ALTER TABLE "subscriptions" ADD COLUMN "revision" integer DEFAULT 1 NOT NULL;
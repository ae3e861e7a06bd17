CREATE TABLE "installation" (
	"id" integer PRIMARY KEY NOT NULL,
	"key_check" "bytea" NOT NULL,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL
);

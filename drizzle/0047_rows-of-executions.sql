CREATE TABLE "execution_rows" (
	"execution_id" integer PRIMARY KEY NOT NULL,
	"sample" jsonb NOT NULL,
	"hashes" "bytea" NOT NULL,
	"kept_at" timestamp (3) with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
ALTER TABLE "deliveries" ADD COLUMN "answer" text;--> statement-breakpoint
ALTER TABLE "executions" ADD COLUMN "parameters" jsonb;--> statement-breakpoint
ALTER TABLE "execution_rows" ADD CONSTRAINT "execution_rows_execution_id_executions_id_fk" FOREIGN KEY ("execution_id") REFERENCES "public"."executions"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "execution_rows_kept_idx" ON "execution_rows" USING btree ("kept_at");
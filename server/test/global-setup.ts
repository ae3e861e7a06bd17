import { randomBytes } from "node:crypto";
import postgres from "postgres";
import type { TestProject } from "vitest/node";
import { migrateDatabase } from "../db/migrate.ts";

declare module "vitest" {
  interface ProvidedContext {
    postgres: { adminUrl: string; template: string };
    mysql: { adminUrl: string };
  }
}

/** Migrates one template database on the test server; every test file clones it. */
export default async function setup(project: TestProject) {
  const adminUrl = process.env.TEST_DATABASE_URL;
  if (!adminUrl) throw new Error("Set TEST_DATABASE_URL to a PostgreSQL, or run npm test, which brings one");
  const template = `template_${randomBytes(6).toString("hex")}`;
  const admin = postgres(adminUrl, { max: 1, onnotice: () => {} });
  await admin.unsafe(`create database ${template}`);

  const url = new URL(adminUrl);
  url.pathname = `/${template}`;
  await migrateDatabase(url.href);

  project.provide("postgres", { adminUrl, template });
  project.provide("mysql", { adminUrl: process.env.TEST_MYSQL_URL ?? "" });
  return async () => {
    await admin.unsafe(`drop database if exists ${template} with (force)`);
    await admin.end();
  };
}

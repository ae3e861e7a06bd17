import { z } from "zod";

/**
 * The parts of an Open Data Contract Standard file that are read: what describes a table and its checks. Everything
 * else is accepted and reported, so that files for other tools can be imported.
 *
 * Version 3.1 is written unless 3.2 is asked for, which also has a column's allowed values (`enum`) and what AI should know
 * of a table (`context`). 3.0 can be read as well: among the parts read here, it differs only in the names of a few
 * library metrics.
 */
export const writtenVersions = { "3.1": "v3.1.0", "3.2": "v3.2.0" } as const;
export type WrittenVersion = keyof typeof writtenVersions;
const readVersions = /^v?3\.[012]\.\d+$/;

const text = z.string();
const word = z.union([z.string(), z.number(), z.boolean()]);

const customProperty = z.looseObject({ property: text, value: z.unknown() });
const customProperties = z.array(customProperty).nullish();
export type CustomProperty = z.output<typeof customProperty>;

/** A check as it is in the file: its content depends on its type and is read by `rule-of.ts`. */
const qualityCheck = z.looseObject({
  id: text.nullish(),
  name: text.nullish(),
  description: text.nullish(),
  type: text.nullish(),
  metric: text.nullish(),
  rule: text.nullish(),
  query: text.nullish(),
  unit: text.nullish(),
  engine: text.nullish(),
  severity: text.nullish(),
  dimension: text.nullish(),
  scheduler: text.nullish(),
  schedule: text.nullish(),
  arguments: z.record(text, z.unknown()).nullish(),
  customProperties,
});
export type QualityCheck = z.output<typeof qualityCheck>;
const quality = z.array(qualityCheck).nullish();

const schemaProperty = z.looseObject({
  name: text,
  physicalName: text.nullish(),
  customProperties,
  quality,
  /** Since 3.2; entries of other shapes are reported. */
  enum: z.array(z.unknown()).nullish().catch(null),
});
export type SchemaProperty = z.output<typeof schemaProperty>;

const schemaObject = z.looseObject({
  name: text,
  physicalName: text.nullish(),
  description: text.nullish(),
  /** Since 3.2; read by `context-of.ts`. */
  context: z.unknown().optional(),
  customProperties,
  properties: z.array(schemaProperty).nullish(),
  quality,
});
export type SchemaObject = z.output<typeof schemaObject>;

const slaProperty = z.looseObject({
  id: text.nullish(),
  property: text,
  value: z.union([word, z.null()]).optional(),
  unit: text.nullish(),
  element: text.nullish(),
  description: text.nullish(),
  scheduler: text.nullish(),
  schedule: text.nullish(),
});
export type SlaProperty = z.output<typeof slaProperty>;

const server = z.looseObject({ type: text.nullish(), schema: text.nullish() });

export const odcsDocument = z.looseObject({
  kind: z.literal("DataContract", { error: 'must be "DataContract"' }),
  apiVersion: text.regex(readVersions, "is not a supported version: use v3.2, v3.1, or v3.0"),
  id: text,
  version: word,
  status: text,
  name: text.nullish(),
  description: z.looseObject({ purpose: text.nullish() }).nullish(),
  context: z.unknown().optional(),
  servers: z.array(server).nullish(),
  schema: z.array(schemaObject).nullish(),
  slaDefaultElement: text.nullish(),
  slaProperties: z.array(slaProperty).nullish(),
  customProperties,
});
export type OdcsDocument = z.output<typeof odcsDocument>;

/** The comparison operators; a check has exactly one of them. */
export const operators = [
  "mustBe",
  "mustNotBe",
  "mustBeGreaterThan",
  "mustBeGreaterOrEqualTo",
  "mustBeLessThan",
  "mustBeLessOrEqualTo",
  "mustBeBetween",
  "mustNotBeBetween",
] as const;
export type Operator = (typeof operators)[number];

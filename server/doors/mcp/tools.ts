import type { AnyTRPCProcedure } from "@trpc/server";
import { z } from "zod";
import { procedures } from "../../app-router.ts";
import { grants, type Holder, type Permission } from "../../auth/permissions.ts";
import type { ProcedureMeta, ToolMeta } from "../../trpc.ts";
import { shapeOf } from "../rest/routes.ts";
import { instructions } from "./instructions.ts";
import { jsonSchemaOf, type ObjectSchema } from "./json-schema.ts";

/** A tool, derived from a procedure's `meta.tool`: there is no other list. */
export type Tool = ToolMeta & {
  /** The procedure's path in the router: `dataQuality.contracts`. */
  procedure: string;
  permission: Permission;
  /** The procedure's name for each argument. */
  properties: ReadonlyMap<string, string>;
  /** Whether the procedure itself takes the project. */
  takesProject: boolean;
  inputSchema: ObjectSchema;
  outputSchema: ObjectSchema;
};

/** The instructions say when it is needed, and so does the error without it. */
const projectId = { type: "integer" };

const snakeCase = (name: string) => name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);

/** Tools write `datasource` as one word. */
const argumentName = (property: string) => snakeCase(property.replace(/^dataSource/, "datasource"));

function toolOf(procedure: string, { _def }: AnyTRPCProcedure): Tool[] {
  const definition = _def as { meta?: ProcedureMeta; inputs?: unknown[] };
  const { tool, permission = "anonymous" } = definition.meta ?? {};
  if (!tool) return [];
  const input = (definition.inputs?.[0] as z.ZodType | undefined) ?? z.strictObject({});
  const names = Object.keys(shapeOf(input));
  const takesProject = names.includes("projectId");
  const properties = new Map(
    names
      .filter((name) => name !== "projectId" && !tool.withoutArguments?.includes(name))
      .map((name) => [tool.argumentNames?.[name] ?? argumentName(name), name]),
  );
  return [
    {
      ...tool,
      ...{ procedure, permission, properties, takesProject },
      inputSchema: inputSchemaOf(jsonSchemaOf(input, "input"), properties, tool),
      outputSchema: outputSchemaOf(tool),
    },
  ];
}

function inputSchemaOf(
  schema: ObjectSchema,
  names: ReadonlyMap<string, string>,
  { itemsPerPage, plainArguments }: ToolMeta,
): ObjectSchema {
  const toldOf = (property: string) => {
    const { description, ...told } = (schema.properties[property] ?? {}) as { description?: string };
    const isPlain = description === undefined || plainArguments?.includes(property);
    return isPlain ? told : { ...told, description };
  };
  const renamed = [...names].map(([argument, property]) => [argument, toldOf(property)]);
  const required = [...names].filter(([, property]) => schema.required?.includes(property));
  return {
    type: "object",
    properties: {
      ...Object.fromEntries(renamed),
      ...(itemsPerPage !== undefined && { page: { type: "integer" } }),
      project_id: projectId,
    },
    ...(required.length > 0 && { required: required.map(([argument]) => argument) }),
    additionalProperties: false,
  };
}

function outputSchemaOf({ answer, itemsPerPage }: ToolMeta): ObjectSchema {
  const { properties, ...shown } = jsonSchemaOf(answer, "output");
  const paging = itemsPerPage !== undefined && { page: {}, pageSize: {}, totalCount: {} };
  return { ...shown, properties: { ...properties, ...paging } };
}

/** All tools, in the order of the instructions. */
export const tools: readonly Tool[] = Object.entries(procedures)
  .flatMap(([name, procedure]) => toolOf(name, procedure))
  .toSorted((a, b) => placeOf(a) - placeOf(b));

function placeOf({ name }: Tool): number {
  const place = instructions.search(new RegExp(`\\b${name}\\b`));
  return place < 0 ? instructions.length : place;
}

/** Whether the caller may call it. */
export const isFor = (holder: Holder, { permission, isOffered }: Tool): boolean =>
  grants(permission, holder) && (isOffered === undefined || isOffered());

/** The tools that the caller may call. */
export const toolsFor = (holder: Holder): readonly Tool[] => tools.filter((tool) => isFor(holder, tool));

/** A tool as listed. */
export function describedTool({ name, title, description, annotations, inputSchema, outputSchema }: Tool) {
  // By the protocol, what only reads is not asked whether it destroys.
  const harmless = annotations.readOnlyHint ? {} : { destructiveHint: false };
  const hints = { ...annotations, ...harmless, openWorldHint: false };
  const levels = "items" in outputSchema.properties ? 2 : 1;
  const shown = { ...outputSchema, properties: toldProperties(outputSchema.properties, levels) };
  return { name, title, description, inputSchema, outputSchema: shown, annotations: hints };
}

/** What is listed of a result: its properties, or those of a list's items. An assistant sees what is inside when it gets one. */
function toldProperties(properties: object, levels: number): Record<string, object> {
  return Object.fromEntries(
    Object.entries(properties).map(([name, each]) => [name, toldSchema(each as Json, levels - 1)]),
  );
}

type Json = { properties?: object; items?: Json };

function toldSchema({ properties, items, ...rest }: Json, levels: number): object {
  const inner = items && toldSchema(items, levels);
  return {
    ...rest,
    ...(properties && levels > 0 && { properties: toldProperties(properties, levels) }),
    ...(inner && Object.keys(inner).length > 0 && { items: inner }),
  };
}

import * as z from "zod";
import { configSchema } from "../../contract/config/schema.ts";
import type { SettingPath } from "./parse-config-text.ts";

type JsonSchema = z.core.JSONSchema.BaseSchema;

let whole: JsonSchema | undefined;

/** The keys that a map at this path of the configuration may have. */
export function knownKeysAt(path: SettingPath): readonly string[] {
  whole ??= z.toJSONSchema(configSchema);
  return keysAt(whole, path);
}

export function keysAt(schemaOfFile: JsonSchema, path: SettingPath): readonly string[] {
  let schemas: readonly JsonSchema[] = [schemaOfFile];
  for (const part of path) schemas = schemas.flatMap((schema) => childSchemas(schema, part));
  return schemas.flatMap((schema) => Object.keys(schema.properties ?? {}));
}

function childSchemas(schema: JsonSchema, part: string | number): readonly JsonSchema[] {
  const child =
    typeof part === "number"
      ? schema.items
      : (schema.properties?.[part] ?? schema.additionalProperties);
  return [child].flat().flatMap((found) => {
    if (found === undefined || typeof found === "boolean") return [];
    return [found, ...(found.anyOf ?? []).filter((option) => typeof option !== "boolean")];
  });
}

import { z } from "zod";
import type { RouteContract } from "../../contract/route-contract.ts";

const problemShape = z.object({
  traceId: z.string().optional().describe("Finds the log lines of this request"),
  type: z.string(),
  title: z.string(),
  status: z.int(),
  code: z.string().describe("Stable; see the list of refusal codes"),
  detail: z.string(),
  hint: z.string().optional().describe("What to do next"),
});

/** OpenAPI 3.1, because its schemas are JSON Schema, which zod generates. */
export function openApiDocument(routes: readonly RouteContract[], version: string) {
  const paths: Record<string, Record<string, unknown>> = {};
  for (const route of routes) {
    (paths[route.path] ??= {})[route.method] = operation(route);
  }
  return {
    openapi: "3.1.0",
    info: {
      title: "Kuromajutsu",
      version,
      description: "The control room for AI agents. Live events: WebSocket at /ws.",
    },
    paths,
    components: { schemas: { Problem: jsonSchema(problemShape, "output") } },
  };
}

function operation(route: RouteContract) {
  const parameters = [...parametersOf(route.params, "path"), ...parametersOf(route.query, "query")];
  if (route.method === "post") parameters.push(IDEMPOTENCY_KEY);
  return {
    operationId: operationId(route),
    summary: route.summary,
    ...(parameters.length > 0 && { parameters }),
    ...requestBody(route.body),
    responses: {
      [route.status ?? 200]: {
        description: "Done.",
        content: { "application/json": { schema: jsonSchema(route.answer, "output") } },
      },
      default: {
        description: "Refused or failed.",
        content: {
          "application/problem+json": { schema: { $ref: "#/components/schemas/Problem" } },
        },
      },
    },
  };
}

type Parameter = {
  readonly name: string;
  readonly in: "path" | "query" | "header";
  readonly required: boolean;
  readonly schema: unknown;
  readonly description?: string;
};

const IDEMPOTENCY_KEY: Parameter = {
  name: "Idempotency-Key",
  in: "header",
  required: false,
  schema: { type: "string", maxLength: 200 },
  description:
    "Requests with the same key and body within a day are carried out once and get the same answer, even after a restart.",
};

function parametersOf(shape: z.ZodObject, place: "path" | "query"): Parameter[] {
  const { properties = {}, required = [] } = jsonSchema(shape, "input");
  return Object.entries(properties).map(([name, schema]) => ({
    name,
    in: place,
    required: required.includes(name),
    schema,
  }));
}

function requestBody(body: z.ZodType) {
  if (body instanceof z.ZodUndefined) return {};
  const content = { "application/json": { schema: jsonSchema(body, "input") } };
  return { requestBody: { required: !body.safeParse(undefined).success, content } };
}

function jsonSchema(shape: z.ZodType, io: "input" | "output") {
  const { $schema: _dialect, ...schema } = z.toJSONSchema(shape, { io, unrepresentable: "any" });
  return schema;
}

/** `get /api/agents/{id}/files` becomes getAgentsByIdFiles. */
function operationId({ method, path }: RouteContract): string {
  const words = path
    .replace("/api/", "")
    .replaceAll(/\{(\w+)\}/g, "by-$1")
    .split(/[^\w]+/);
  return method + words.map((word) => word.charAt(0).toUpperCase() + word.slice(1)).join("");
}

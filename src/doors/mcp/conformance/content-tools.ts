import type { Tool as WireTool } from "@modelcontextprotocol/server";
import { fixture, type Fixture } from "./fixture.ts";
import { audio, embedded, image, say, text } from "./samples.ts";

/** Every kind of content must pass through unchanged. */
export const contentTools: readonly Fixture[] = [
  fixture("test_simple_text", "Answers with text.", () =>
    say("This is a simple text response for testing."),
  ),
  fixture("test_image_content", "Answers with an image.", () => ({ content: [image] })),
  fixture("test_audio_content", "Answers with audio.", () => ({ content: [audio] })),
  fixture("test_embedded_resource", "Answers with an embedded resource.", () => ({
    content: [embedded("test://embedded-resource", "This is an embedded resource content.")],
  })),
  fixture("test_multiple_content_types", "Answers with text, an image and a resource.", () => ({
    content: [
      text("Multiple content types test:"),
      image,
      embedded(
        "test://mixed-content-resource",
        JSON.stringify({ test: "data", value: 123 }),
        "application/json",
      ),
    ],
  })),
  fixture("test_error_handling", "Always fails.", () => ({
    isError: true,
    content: [text("This tool intentionally returns an error for testing")],
  })),
  { tool: schemaTool(), call: () => say("The arguments were not looked at.") },
];

/** Its schema uses keywords of JSON Schema 2020-12, which a rewritten schema could lose. */
function schemaTool(): WireTool {
  return {
    name: "json_schema_2020_12_tool",
    description: "Has a schema with the keywords of JSON Schema 2020-12.",
    inputSchema: {
      $schema: "https://json-schema.org/draft/2020-12/schema",
      type: "object",
      $defs: {
        address: {
          $anchor: "addressDef",
          type: "object",
          properties: { street: { type: "string" }, city: { type: "string" } },
        },
      },
      properties: {
        name: { type: "string" },
        address: { $ref: "#/$defs/address" },
        contactMethod: { type: "string", enum: ["phone", "email"] },
        phone: { type: "string" },
        email: { type: "string" },
      },
      allOf: [{ anyOf: [{ required: ["phone"] }, { required: ["email"] }] }],
      if: { properties: { contactMethod: { const: "phone" } }, required: ["contactMethod"] },
      // oxlint-disable-next-line unicorn/no-thenable -- a keyword of JSON Schema
      then: { required: ["phone"] },
      else: { required: ["email"] },
      additionalProperties: false,
    },
  };
}

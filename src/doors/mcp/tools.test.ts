import { expect, test } from "vitest";
import { wireTool } from "./create-mcp-server.ts";
import { CALLERS } from "./define-tool.ts";
import { TOOLS } from "./tools.ts";

const MOST_BYTES = 16 * 1024;

test.each(CALLERS)(
  "what a %s is told about our tools stays under 16 KB: it is in every conversation",
  (caller) => {
    const own = TOOLS.filter(({ callers }) => callers.includes(caller)).map(wireTool);

    expect(Buffer.byteLength(JSON.stringify(own))).toBeLessThan(MOST_BYTES);
  },
);

test.each(TOOLS.map(wireTool))("an answer of $name may carry the notification line", (tool) => {
  expect(tool.outputSchema?.properties).toHaveProperty("notification");
  expect(tool.outputSchema).not.toHaveProperty("additionalProperties");
});

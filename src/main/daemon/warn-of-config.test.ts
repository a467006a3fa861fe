import { expect, test } from "vitest";
import { warnOfConfig } from "./warn-of-config.ts";

function warningsOf(mcpServers: readonly string[], known: readonly string[]) {
  const warned: unknown[] = [];
  const log = {
    debug: () => undefined,
    info: () => undefined,
    warn: (message: string, fields?: unknown) => void warned.push({ message, fields }),
    error: () => undefined,
  };
  const servers = Object.fromEntries(known.map((name) => [name, {}]));
  const roles = [{ id: "writer", mcpServers }];
  warnOfConfig(log, { trust: null, roles, config: { mcpServers: servers } });
  return warned;
}

test("the log names a role whose MCP server is not configured", () => {
  expect(warningsOf(["hr", "pots/fill"], ["hr"])).toEqual([
    {
      message: expect.stringContaining("not in mcpServers"),
      fields: { role: "writer", server: "pots" },
    },
  ]);
});

test("configured servers and `*` need no warning", () => {
  expect(warningsOf(["hr", "hr/list", "*"], ["hr"])).toEqual([]);
});

import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { z } from "zod";
import { TOOLS } from "../../src/doors/mcp/tools.ts";
import { withMore } from "../kit/rounds.ts";
import { MAIN, startDaemon, type TestDaemon } from "./daemon.ts";
import { binOf, runNode } from "./node-child.ts";

const INSPECTOR = binOf(
  fileURLToPath(import.meta.resolve("@modelcontextprotocol/inspector/package.json")),
  "mcp-inspector",
);
type Road = { readonly transport: "stdio" | "http"; readonly era: "legacy" | "modern" };

/** The conformance suite and the tests of the doors cover every pair in each run. */
const ROADS = withMore<Road>(
  [
    { transport: "stdio", era: "legacy" },
    { transport: "http", era: "modern" },
  ],
  [
    { transport: "stdio", era: "modern" },
    { transport: "http", era: "legacy" },
  ],
);

let daemon: TestDaemon;
beforeAll(async () => {
  daemon = await startDaemon();
});
afterAll(() => daemon.stop());

describe.each(ROADS)("the official Inspector over $transport, $era era", (road) => {
  test("lists the tools of a main agent and finds their schemas portable", async () => {
    const { tools } = listed.parse(await inspect(road, "--method", "tools/list", "--strict"));
    const forMain = TOOLS.filter(({ callers }) => callers.includes("client"));
    expect(tools.map(({ name }) => name)).toEqual(forMain.map(({ name }) => name));
  });

  test("calls list_roles", async () => {
    const { roles } = withRoles.parse(await call(road, "list_roles", {}));
    expect(roles.map(({ id }) => id)).toContain("impl-code");
  });

  test("calls create_group", async () => {
    const description = `made over ${road.transport}, ${road.era} era`;
    expect(await call(road, "create_group", { description })).toMatchObject({
      groupId: expect.stringMatching(/^grp-/),
      description,
      mode: "concurrent",
      status: "active",
    });
  });
});

const listed = z.object({ tools: z.array(z.object({ name: z.string() })) });
const withRoles = z.object({ roles: z.array(z.object({ id: z.string() })) });
const called = z.object({
  isError: z.boolean().default(false),
  content: z.tuple([z.object({ type: z.literal("text"), text: z.string() })]),
  structuredContent: z.unknown(),
});

/** The answer of a tool; its text and its structured content must be equal. */
async function call(road: Road, tool: string, args: unknown): Promise<unknown> {
  const request = ["--method", "tools/call", "--tool-name", tool];
  const answer = await inspect(road, ...request, "--tool-args-json", JSON.stringify(args));
  const { isError, content, structuredContent } = called.parse(answer);
  expect(isError).toBe(false);
  expect(JSON.parse(content[0].text)).toEqual(structuredContent);
  return structuredContent;
}

async function inspect(road: Road, ...request: string[]): Promise<unknown> {
  const { code, stdout, stderr } = await runNode(
    [INSPECTOR, "--cli", ...target(road), "--protocol-era", road.era, "--format=json", ...request],
    { cwd: daemon.dir, env: daemon.env },
  );
  if (code !== 0) throw new Error(`The Inspector ended with ${code}: ${stderr}${stdout}`);
  // With --strict the inspector reports schemas that are not portable, but still exits with 0.
  if (stderr.includes("Warning: tool")) throw new Error(`The Inspector warns: ${stderr}`);
  return z.object({ result: z.unknown() }).parse(JSON.parse(stdout)).result;
}

function target({ transport }: Road): string[] {
  if (transport === "http") return [daemon.mcpUrl, "--transport", "http"];
  // Set explicitly: inside an agent the tests would find the agent's daemon first.
  const socket = `KUROMAJUTSU_SOCKET=${daemon.socketPath}`;
  return ["-e", socket, process.execPath, MAIN, "mcp"];
}

import { Client, InMemoryTransport } from "@modelcontextprotocol/client";
import { expect, onTestFinished, test } from "vitest";
import { textsOf } from "../../../test/kit/call-own-tool.ts";
import { aCore, aRole, type TestCore } from "../../../test/kit/core.ts";
import { aRunningAgent, main } from "../../../test/kit/running-agent.ts";
import { anUpstreamTool } from "../../../test/kit/task-flow.ts";
import { aChangingUpstream } from "../../../test/kit/upstream/changing-upstream.ts";
import { LOCAL_USER, type Identity } from "../../app/core.ts";
import { callTool } from "./call-tool.ts";
import { createMcpServer } from "./create-mcp-server.ts";
import type { AnyTool } from "./define-tool.ts";
import { TOOLS } from "./tools.ts";

const ADDED = { wait_for_previous: true };

test.each(TOOLS)(
  "$name does not refuse an argument that the client adds to every call",
  async (tool) => {
    const core = await aCore();
    const identity = await allowedCaller(core, tool);
    const call = (args: object) =>
      callTool(core, tool, {
        name: tool.name,
        args,
        identify: async () => identity,
        signal: new AbortController().signal,
        patienceMs: 0,
        beat: () => {},
      });

    // Most of these calls lack arguments and are refused; what they are refused for is the same.
    const [plain, added] = [await call({}), await call(ADDED)];

    expect(textsOf(added)[0]).not.toContain("wait_for_previous");
    expect(added.isError).toBe(plain.isError);
  },
);

test("an argument that is neither ours nor known to be added by clients is refused", async () => {
  const client = await aClient({});

  const answer = await client.callTool({ name: "list_roles", arguments: { colour: "black" } });

  expect(JSON.stringify(answer.content)).toContain("INVALID_ARGUMENTS");
});

test("the gateway does not send upstream what the client added", async () => {
  const upstream = aChangingUpstream([anUpstreamTool("hr", "count")], answered);
  const client = await aClient({ upstream, asAgent: true });

  await client.callTool({ name: "count", arguments: { of: "staff", ...ADDED } });

  expect(upstream.calls[0]?.args).toEqual({ of: "staff" });
});

test("the gateway sends it to a tool that declares it", async () => {
  const tool = {
    ...anUpstreamTool("hr", "count"),
    inputSchema: { type: "object", properties: { wait_for_previous: { type: "boolean" } } },
  };
  const upstream = aChangingUpstream([tool], answered);
  const client = await aClient({ upstream, asAgent: true });

  await client.callTool({ name: "count", arguments: ADDED });

  expect(upstream.calls[0]?.args).toEqual(ADDED);
});

async function allowedCaller(core: TestCore, { callers }: AnyTool): Promise<Identity> {
  if (callers.includes("client")) return main;
  if (callers.includes("person")) return LOCAL_USER;
  return { kind: "agent", agentId: await aRunningAgent(core), role: "impl-code" };
}

const answered = async () => ({ content: [], isError: false });

async function aClient({
  upstream,
  asAgent = false,
}: {
  upstream?: ReturnType<typeof aChangingUpstream>;
  asAgent?: boolean;
}): Promise<Client> {
  const core = await aCore({
    ...(upstream && { upstream }),
    roles: [aRole({ mcpServers: ["*"] })],
  });
  const identity: Identity = asAgent
    ? { kind: "agent", agentId: await aRunningAgent(core), role: "impl-code" }
    : main;
  const [ours, theirs] = InMemoryTransport.createLinkedPair();
  const server = createMcpServer(
    { core, tools: async () => TOOLS, version: "1" },
    { identify: async () => identity },
  );
  await server.connect(ours);
  const client = new Client({ name: "test", version: "1" });
  await client.connect(theirs);
  onTestFinished(() => client.close());
  return client;
}

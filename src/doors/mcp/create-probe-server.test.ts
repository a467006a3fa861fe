import { connect } from "node:net";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { expect, onTestFinished, test } from "vitest";
import { z } from "zod";
import { aCore, type TestCore } from "../../../test/kit/core.ts";
import { aTempDir } from "../../../test/kit/tmp-dir.ts";
import { systemTokens } from "../../adapters/world.ts";
import { createSocketDoor } from "./socket-door.ts";
import { TOOLS } from "./tools.ts";

const answerShape = z.looseObject({ id: z.number() });

async function aDoor(core: TestCore) {
  const door = createSocketDoor({
    core,
    tools: async () => TOOLS,
    version: "1",
    adopted: Promise.resolve(),
    control: async () => ({}),
  });
  const path = join(aTempDir(), "s.sock");
  await new Promise<void>((resolve) => door.net.listen(path, resolve));
  onTestFinished(() => door.close());
  return path;
}

/** A client with this token that has said hello; `ask` sends a request and returns its answer. */
async function aClient(path: string, token: string) {
  const socket = connect(path);
  onTestFinished(() => void socket.destroy());
  const lines = createInterface({ input: socket })[Symbol.asyncIterator]();
  const send = (message: unknown) => socket.write(`${JSON.stringify(message)}\n`);
  let id = 0;
  async function ask(method: string, params: object): Promise<unknown> {
    send({ jsonrpc: "2.0", id: ++id, method, params });
    return answerShape.parse(JSON.parse(String((await lines.next()).value)));
  }
  send({ kind: "mcp", version: "1", pid: 1, cwd: "/", token, keys: {} });
  const clientInfo = { name: "test", version: "1" };
  await ask("initialize", { protocolVersion: "2025-06-18", capabilities: {}, clientInfo });
  send({ jsonrpc: "2.0", method: "notifications/initialized" });
  return { ask };
}

const call = (name: string) => ["tools/call", { name, arguments: {} }] as const;
const unknownTool = { error: { message: expect.stringContaining("Unknown tool") } };

test("a probe's token lists and calls one tool, and every other tool is unknown to it", async () => {
  const core = await aCore();
  const path = await aDoor(core);
  const probe = core.health.probes.open(systemTokens.hash("one-run"));
  expect(probe.connected).toBe(false);

  const { ask } = await aClient(path, "one-run");
  expect(probe.connected).toBe(true);
  expect(await ask("tools/list", {})).toMatchObject({
    result: { tools: [{ name: "check_connection" }] },
  });
  for (const { name } of TOOLS) expect(await ask(...call(name))).toMatchObject(unknownTool);
  expect(probe.calledTool).toBe(false);

  expect(await ask(...call("check_connection"))).toMatchObject({
    result: { content: [{ text: "The connection to Kuromajutsu works." }] },
  });
  expect(probe.calledTool).toBe(true);
});

test("after its run a probe's token is worthless, also on a connection that is still open", async () => {
  const core = await aCore();
  const path = await aDoor(core);
  const probe = core.health.probes.open(systemTokens.hash("one-run"));
  const { ask } = await aClient(path, "one-run");
  probe.close();

  expect(await ask("tools/list", {})).toMatchObject({ result: { tools: [] } });
  expect(await ask(...call("check_connection"))).toMatchObject(unknownTool);
  const late = await aClient(path, "one-run");
  expect(JSON.stringify(await late.ask(...call("check_connection")))).toContain("no live agent");
  expect(JSON.stringify(await late.ask("tools/list", {}))).toContain("no live agent");
  expect(probe.calledTool).toBe(false);
});

test("no other caller sees the probe's tool", () => {
  expect(TOOLS.map(({ name }) => name)).not.toContain("check_connection");
});

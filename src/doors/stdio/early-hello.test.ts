import { connect } from "node:net";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { SUPPORTED_PROTOCOL_VERSIONS } from "@modelcontextprotocol/server";
import { expect, onTestFinished, test } from "vitest";
import { aCore } from "../../../test/kit/core.ts";
import { aTempDir } from "../../../test/kit/tmp-dir.ts";
import { createSocketDoor } from "../mcp/socket-door.ts";
import { earlyHello } from "./early-hello.ts";

const OLDEST = "2024-10-07";

function initialize(over: Readonly<Record<string, unknown>> = {}, id: unknown = 7): string {
  const clientInfo = { name: "a client", version: "1" };
  const params = { protocolVersion: "2025-06-18", capabilities: {}, clientInfo, ...over };
  return JSON.stringify({ jsonrpc: "2.0", id, method: "initialize", params });
}

/** Asks a real door, as the shim does. */
async function aDoor(): Promise<(line: string) => Promise<string>> {
  const door = createSocketDoor({
    core: await aCore(),
    tools: async () => [],
    version: "1.2.3",
    adopted: Promise.resolve(),
    control: async () => ({}),
  });
  const path = join(aTempDir(), "s.sock");
  await new Promise<void>((resolve) => door.net.listen(path, resolve));
  onTestFinished(() => door.close());
  return async (line) => {
    const socket = connect(path);
    onTestFinished(() => void socket.destroy());
    const hello = { kind: "mcp", version: "1", pid: 1, cwd: "/", token: null, keys: {} };
    socket.write(`${JSON.stringify(hello)}\n${line}\n`);
    for await (const answer of createInterface({ input: socket })) return answer;
    return "";
  };
}

test("an early answer to initialize is identical to the daemon's", async () => {
  const ask = await aDoor();
  for (const protocolVersion of SUPPORTED_PROTOCOL_VERSIONS.filter((each) => each !== OLDEST)) {
    for (const id of [0, "one"]) {
      const capabilities = { roots: { listChanged: true }, sampling: {} };
      const line = initialize({ protocolVersion, capabilities }, id);
      expect(earlyHello(line, "1.2.3")).toBe(await ask(line));
    }
  }
});

test.each([
  ["a revision we do not know", initialize({ protocolVersion: "2031-01-01" })],
  ["the oldest revision", initialize({ protocolVersion: OLDEST })],
  ["no revision", initialize({ protocolVersion: undefined })],
  ["no client", initialize({ clientInfo: undefined })],
  ["a client without a name", initialize({ clientInfo: { version: "1" } })],
  ["capabilities that are none", initialize({ capabilities: "all" })],
  ["a capability that is none", initialize({ capabilities: { sampling: true } })],
  ["a title that is none", initialize({ clientInfo: { name: "a", version: "1", title: 5 } })],
  [
    "a client that says more of itself",
    initialize({ clientInfo: { name: "a", version: "1", icons: 1 } }),
  ],
  ["metadata", initialize({ _meta: { progressToken: {} } })],
  ["a key too many", `${initialize().slice(0, -1)},"extra":1}`],
  ["no id", initialize({}, null)],
  ["an id that is none", initialize({}, 1.5)],
  ["another question", JSON.stringify({ jsonrpc: "2.0", id: 1, method: "server/discover" })],
  ["a batch", `[${initialize()}]`],
  ["a line that is no JSON", "hello"],
])("%s is left to the daemon", (_, line) => {
  expect(earlyHello(line, "1.2.3")).toBeUndefined();
});

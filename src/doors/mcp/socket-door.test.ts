import { connect, type Socket } from "node:net";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { expect, onTestFinished, test } from "vitest";
import { z } from "zod";
import { aGroup, anAgent } from "../../../test/kit/builders.ts";
import { aCoreWithPeople, tokenOf, type PeopleCore } from "../../../test/kit/people.ts";
import { aTempDir } from "../../../test/kit/tmp-dir.ts";
import { systemTokens } from "../../adapters/world.ts";
import type { McpHello } from "../../contract/hello.ts";
import { createSocketDoor, type SocketDoorOptions } from "./socket-door.ts";
import { TOOLS } from "./tools.ts";

const AGENT = anAgent({
  process: "alive",
  status: "running",
  tokenHash: systemTokens.hash("agent-token"),
});
const answerShape = z.looseObject({
  id: z.number(),
  result: z
    .looseObject({ tools: z.array(z.looseObject({ name: z.string() })).default([]) })
    .optional(),
  error: z.looseObject({ message: z.string() }).optional(),
});

async function aSocketDoor(
  core: PeopleCore,
  onConnection: (socket: Socket) => void = () => {},
  over: Pick<SocketDoorOptions, "maxConnections"> = {},
): Promise<string> {
  await core.store.transaction(async (unit) => {
    await unit.insertGroup(aGroup());
    await unit.insertAgent(AGENT, "x");
  });
  const door = createSocketDoor({
    core,
    tools: async () => TOOLS,
    version: "1",
    adopted: Promise.resolve(),
    control: async () => ({}),
    ...over,
  });
  door.net.on("connection", onConnection);
  const path = join(aTempDir(), "s.sock");
  await new Promise<void>((resolve) => door.net.listen(path, resolve));
  onTestFinished(() => door.close());
  return path;
}

/** The tools offered after this hello, listed as a shim does; or the reason of the refusal. */
async function offered(
  path: string,
  hello: Partial<McpHello>,
): Promise<readonly string[] | string> {
  const socket = connect(path);
  onTestFinished(() => void socket.destroy());
  const whole = { kind: "mcp", version: "1", pid: 1, cwd: "/", token: null, keys: {}, ...hello };
  const clientInfo = { name: "test", version: "1" };
  const params = { protocolVersion: "2025-06-18", capabilities: {}, clientInfo };
  for (const line of [
    whole,
    { jsonrpc: "2.0", id: 1, method: "initialize", params },
    { jsonrpc: "2.0", method: "notifications/initialized" },
    { jsonrpc: "2.0", id: 2, method: "tools/list" },
  ]) {
    socket.write(`${JSON.stringify(line)}\n`);
  }
  for await (const line of createInterface({ input: socket })) {
    const { id, result, error } = answerShape.parse(JSON.parse(line));
    if (error) return error.message;
    if (id === 2) return result?.tools.map(({ name }) => name) ?? [];
  }
  return "closed";
}

test("a person's token makes the client that person's, and an unknown one is refused, without sign-in too", async () => {
  const core = await aCoreWithPeople({ ben: "operator" });
  const path = await aSocketDoor(core);

  expect(await offered(path, { personToken: tokenOf("ben") })).toContain("decide_approval");
  expect(await offered(path, {})).toContain("run_agents");
  expect(await offered(path, {})).not.toContain("decide_approval");
  for (const personToken of ["", "${env:KUROMAJUTSU_TOKEN}", null]) {
    expect(await offered(path, { personToken })).not.toContain("decide_approval");
  }
  expect(await offered(path, { personToken: "kmj_wrong" })).toContain("KUROMAJUTSU_TOKEN");
  core.setPeople({});
  expect(await offered(path, { personToken: tokenOf("ben") })).toContain("KUROMAJUTSU_TOKEN");
  expect(await offered(path, { token: "of an ended agent" })).toContain("no live agent");
  expect(await offered(path, {})).toContain("run_agents");
});

test("an agent, by token or by parent process, is not a person even with a person's token", async () => {
  const core = await aCoreWithPeople({ ben: "operator" });
  const path = await aSocketDoor({
    ...core,
    supervisor: {
      ...core.supervisor,
      agentOfProcess: async (pid) => (pid === 4_242 ? AGENT.id : undefined),
    },
  });
  const personToken = tokenOf("ben");

  for (const hello of [{ token: "agent-token" }, { pid: 4_242 }]) {
    const tools = await offered(path, { ...hello, personToken });
    expect(tools).toContain("report_result");
    expect(tools).not.toContain("decide_approval");
    expect(tools).not.toContain("run_agents");
  }
});

test("a person's token in the place of an agent's token is refused, for a descendant of an agent too", async () => {
  const core = await aCoreWithPeople({ ben: "operator" });
  const path = await aSocketDoor({
    ...core,
    supervisor: {
      ...core.supervisor,
      agentOfProcess: async (pid) => (pid === 4_242 ? AGENT.id : undefined),
    },
  });

  for (const pid of [4_242, 1]) {
    const answer = await offered(path, { pid, token: tokenOf("ben") });
    expect(answer).toContain("KUROMAJUTSU_AGENT_TOKEN");
    expect(answer).toContain("no live agent");
  }
});

test("a client that asks and never reads is not read from any more, and gets every answer later", async () => {
  const asked = 1_000;
  let served: Socket | undefined;
  const path = await aSocketDoor(await aCoreWithPeople({}), (socket) => (served = socket));
  const client = connect(path);
  onTestFinished(() => void client.destroy());
  client.pause();
  const send = (message: unknown) => client.write(`${JSON.stringify(message)}\n`);
  send({ kind: "mcp", version: "1", pid: 1, cwd: "/", token: null, keys: {} });
  const clientInfo = { name: "test", version: "1" };
  const params = { protocolVersion: "2025-06-18", capabilities: {}, clientInfo };
  send({ jsonrpc: "2.0", id: 0, method: "initialize", params });
  send({ jsonrpc: "2.0", method: "notifications/initialized" });
  // Long questions: few of them are read at once.
  const _meta = { padding: "x".repeat(8_000) };
  for (let id = 1; id <= asked; id++) {
    send({ jsonrpc: "2.0", id, method: "tools/list", params: { _meta } });
  }
  await expect.poll(() => served?.isPaused()).toBe(true);

  expect(served?.writableLength).toBeLessThan(4 * 1024 ** 2);

  const answers = new Set<number>();
  for await (const line of createInterface({ input: client })) {
    answers.add(answerShape.parse(JSON.parse(line)).id);
    if (answers.size > asked) break;
  }
  expect(answers.size).toBe(asked + 1);
});

test("a full socket refuses further clients, closes silent ones first, and still answers commands", async () => {
  const path = await aSocketDoor(await aCoreWithPeople({}), () => {}, { maxConnections: 2 });
  const silent = connect(path);
  onTestFinished(() => void silent.destroy());
  const isClosed = new Promise((resolve) => silent.once("close", resolve));

  expect(await offered(path, {})).toContain("run_agents");
  expect(await offered(path, {})).toContain("run_agents");
  await isClosed;
  expect(await offered(path, {})).toBe("closed");

  const command = connect(path);
  command.write(`${JSON.stringify({ kind: "control", version: "1", command: "status" })}\n`);
  const lines: string[] = [];
  for await (const line of createInterface({ input: command })) lines.push(line);
  expect(lines).toEqual(["{}"]);
});

test("a client whose ancestors could not be looked up is refused at first and identified by its next call", async () => {
  const core = await aCoreWithPeople({});
  let looks = 0;
  const agentOfProcess = async () => {
    looks += 1;
    // The first look is the door's own, the second is for the first call.
    if (looks <= 2) throw new Error("EMFILE: too many open files");
    return AGENT.id;
  };
  const path = await aSocketDoor({ ...core, supervisor: { ...core.supervisor, agentOfProcess } });
  const socket = connect(path);
  onTestFinished(() => void socket.destroy());
  const send = (message: unknown) => socket.write(`${JSON.stringify(message)}\n`);
  const clientInfo = { name: "test", version: "1" };
  send({ kind: "mcp", version: "1", pid: 1, cwd: "/", token: null, keys: {} });
  send({
    jsonrpc: "2.0",
    id: 1,
    method: "initialize",
    params: { protocolVersion: "2025-06-18", capabilities: {}, clientInfo },
  });
  send({ jsonrpc: "2.0", method: "notifications/initialized" });

  const answers = new Map<number, z.infer<typeof answerShape>>();
  for await (const line of createInterface({ input: socket })) {
    const answer = answerShape.parse(JSON.parse(line));
    answers.set(answer.id, answer);
    if (answer.id === 3) break;
    send({ jsonrpc: "2.0", id: answer.id + 1, method: "tools/list" });
  }

  expect(answers.get(2)?.result).toBeUndefined();
  const names = answers.get(3)?.result?.tools.map(({ name }) => name);
  expect(names).toContain("report_result");
  expect(names).not.toContain("run_agents");
});

test("a command lends its vendor keys, and no others, until its connection closes", async () => {
  const core = await aCoreWithPeople({});
  const socket = connect(await aSocketDoor(core));
  onTestFinished(() => void socket.destroy());
  const keys = { GEMINI_API_KEY: "k", HOME: "/root" };
  socket.write(`${JSON.stringify({ kind: "keys", version: "1", keys })}\n`);
  const line = await new Promise<string>((resolve) =>
    createInterface({ input: socket }).once("line", resolve),
  );
  const { ticket } = z.object({ ticket: z.string().min(20) }).parse(JSON.parse(line));

  expect(core.clientKeys.lentBy(ticket)).toEqual({ GEMINI_API_KEY: "k" });
  socket.end();
  await expect.poll(() => core.clientKeys.lentBy(ticket)).toBeUndefined();
});

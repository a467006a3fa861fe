import { mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { aGroup, runAll, waitForAll } from "../kit/agents.ts";
import { aDaemon, anHttpClient, aPlace } from "../kit/daemon.ts";
import { aGate } from "../kit/gate.ts";

const CONFIG = `# うちの設定
healthCheck:
  enabled: false # 試験では要らない

roles:
  # 詩を書く人
  - id: poet
    name: 詩人
    description: 詩を書く
    model: m-1
    systemPrompt: 書く # ここは短く
`;

function request(url: string, method: string, path: string, body?: unknown) {
  return fetch(`${url}${path}`, {
    method,
    headers: { "content-type": "application/json" },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });
}

test("an edit of a role changes only its own line, applies at once, and survives a restart", async () => {
  const place = aPlace();
  const config = join(place.dir, "kuromajutsu.config.yaml");
  writeFileSync(config, CONFIG);
  let daemon = await aDaemon(place);

  const saved = await request(daemon.url, "PUT", "/api/roles/poet", { model: "m-2" });
  expect(saved.status).toBe(200);

  expect(readFileSync(config, "utf8")).toBe(CONFIG.replace("m-1", "m-2"));
  const client = await anHttpClient(daemon.url);
  expect(JSON.stringify(await client.call("list_roles"))).toContain("m-2");
  const ids = await runAll(client, await aGroup(client), [{ role: "poet" }]);
  await waitForAll(client, ids);

  await daemon.kill("SIGKILL");
  daemon = await aDaemon(place);
  const again = await (await request(daemon.url, "GET", "/api/roles/poet")).json();
  expect(again).toMatchObject({ id: "poet", model: "m-2" });
});

test("a role can be created, duplicated and deleted, but not deleted while an agent uses it", async () => {
  const place = aPlace();
  writeFileSync(join(place.dir, "kuromajutsu.config.yaml"), CONFIG);
  const daemon = await aDaemon(place);
  const client = await anHttpClient(daemon.url);

  expect(
    (await request(daemon.url, "POST", "/api/roles/poet/duplicate", { newId: "poet-2" })).status,
  ).toBe(201);
  const groupId = await aGroup(client);
  const gate = aGate(place);
  const prompt = `#rehearsal ${gate.waits}`;
  const ids = await runAll(client, groupId, [{ role: "poet-2", prompt }]);
  const refused = await request(daemon.url, "DELETE", "/api/roles/poet-2");
  expect(refused.status).toBe(409);
  expect(await refused.json()).toMatchObject({ code: "ROLE_IN_USE" });

  gate.open();
  await waitForAll(client, ids);
  expect((await request(daemon.url, "DELETE", "/api/roles/poet-2")).status).toBe(200);
  expect(
    await client.call("run_agents", { groupId, agents: [{ role: "poet-2", prompt: "x" }] }),
  ).toMatchObject({
    code: "ROLE_NOT_FOUND",
  });
});

test("an edit of a role is refused if the file cannot be written, and nothing changes", async () => {
  const place = aPlace();
  const config = join(place.dir, "kuromajutsu.config.yaml");
  writeFileSync(config, CONFIG);
  const daemon = await aDaemon(place);
  // Root may write anywhere, but a directory cannot be replaced by a file.
  rmSync(config);
  mkdirSync(config);

  const answer = await request(daemon.url, "PUT", "/api/roles/poet", { model: "m-2" });

  expect(answer.ok).toBe(false);
  expect(await answer.json()).toMatchObject({
    code: expect.stringMatching(/^CONFIG_/),
    hint: expect.any(String),
  });
  const client = await anHttpClient(daemon.url);
  expect(JSON.stringify(await client.call("list_roles"))).toContain("m-1");
});

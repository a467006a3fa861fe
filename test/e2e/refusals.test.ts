import { expect, test } from "vitest";
import { aGroup, runAll, waitForAll } from "../kit/agents.ts";
import { aDaemon, anHttpClient, aPlace } from "../kit/daemon.ts";

test("every invalid tool call is refused with its code, a message and a hint, and changes nothing", async () => {
  const place = aPlace();
  const daemon = await aDaemon(place);
  const client = await anHttpClient(daemon.url);
  const groupId = await aGroup(client);
  const sequential = (await client.call("create_group", { description: "x", mode: "sequential" }))[
    "groupId"
  ];
  const [live = ""] = await runAll(client, groupId, [{ prompt: "#rehearsal hang" }]);
  const one = { role: "impl-code", prompt: "やって" };
  const before = await client.call("list_agents");

  const cases: [string, Record<string, unknown>, string][] = [
    ["run_agents", { groupId: "grp-1-ffff", agents: [one] }, "GROUP_NOT_FOUND"],
    ["run_agents", { groupId: sequential, agents: [one] }, "MODE_MISMATCH"],
    ["run_agents", { groupId, agents: [] }, "EMPTY_AGENTS"],
    ["run_agents", { groupId, agents: [{ ...one, role: "魔法使い" }] }, "ROLE_NOT_FOUND"],
    ["run_agents", { groupId, agents: [one, { ...one, role: "nobody" }] }, "ROLE_NOT_FOUND"],
    [
      "run_agents",
      { groupId, agents: [{ ...one, workingDirectory: "/no/such" }] },
      "WORKING_DIRECTORY_NOT_FOUND",
    ],
    ["run_agents", { groupId, agents: [{ ...one, model: "gpt" }] }, "MODEL_NOT_ACCEPTED"],
    ["run_agents", { groupId, agents: "one" }, "INVALID_ARGUMENTS"],
    ["run_agents", { groupId, agents: [{ role: 7, prompt: null }] }, "INVALID_ARGUMENTS"],
    ["run_agents", { groupId, agents: [{ ...one, timeout_ms: -1 }] }, "INVALID_ARGUMENTS"],
    ["run_agents", { groupId, agents: [{ ...one, timeout_ms: 1e99 }] }, "INVALID_ARGUMENTS"],
    ["run_agents", { groupId, agents: [{ ...one, prompt: "" }] }, "INVALID_ARGUMENTS"],
    ["run_agents", { groupId, agents: [{ ...one, colour: "black" }] }, "INVALID_ARGUMENTS"],
    ["run_agents", {}, "INVALID_ARGUMENTS"],
    ["create_group", {}, "INVALID_ARGUMENTS"],
    ["create_group", { description: "   " }, "INVALID_ARGUMENTS"],
    ["create_group", { description: "x", mode: "magentic" }, "INVALID_ARGUMENTS"],
    ["create_group", { description: "x", parentGroupId: "grp-1-ffff" }, "GROUP_NOT_FOUND"],
    ["delete_group", { groupId }, "GROUP_HAS_RUNNING_AGENTS"],
    ["delete_group", { groupId: "grp-1-ffff" }, "GROUP_NOT_FOUND"],
    ["get_agent_status", { agentId: "impl-code-1-ffff" }, "AGENT_NOT_FOUND"],
    ["get_agent_status", { agentId: ["a"] }, "INVALID_ARGUMENTS"],
    ["wait_agent", { agentIds: [] }, "EMPTY_AGENT_IDS"],
    ["wait_agent", { agentIds: [live, "x-1-ffff"] }, "AGENT_NOT_FOUND"],
    ["wait_agent", { agentIds: [live], cursor: "w9" }, "INVALID_CURSOR"],
    ["wait_agent", { agentIds: [live], mode: "some" }, "INVALID_ARGUMENTS"],
    ["list_agents", { cursor: "'; drop table agents; --" }, "INVALID_CURSOR"],
    ["list_agents", { status: "dead" }, "INVALID_ARGUMENTS"],
    ["list_agents", { limit: 0 }, "INVALID_ARGUMENTS"],
    [
      "report_result",
      { agentId: "x-1-ffff", status: "success", summary: "", response: "" },
      "AGENT_NOT_FOUND",
    ],
    [
      "report_result",
      { agentId: live, status: "great", summary: "", response: "" },
      "INVALID_ARGUMENTS",
    ],
  ];
  for (const [tool, args, code] of cases) {
    const answer = await client.call(tool, args);
    expect({ call: [tool, args], ...answer }).toMatchObject({
      error: true,
      code,
      message: expect.stringMatching(/\S/),
      hint: expect.stringMatching(/\S/),
    });
  }

  const after = await client.call("list_agents");
  expect(after["total"]).toBe(before["total"]);
  await expect(client.client.callTool({ name: "no_such_tool", arguments: {} })).rejects.toThrow(
    /Unknown tool/,
  );
});

test("a deleted group accepts no agents, and its results stay", async () => {
  const place = aPlace();
  const daemon = await aDaemon(place);
  const client = await anHttpClient(daemon.url);
  const groupId = await aGroup(client);
  const ids = await runAll(client, groupId, [{}]);
  await waitForAll(client, ids);

  expect(await client.call("delete_group", { groupId })).toMatchObject({ deleted: true, groupId });

  expect(await client.call("delete_group", { groupId })).toMatchObject({
    code: "GROUP_NOT_ACTIVE",
  });
  expect(
    await client.call("run_agents", { groupId, agents: [{ role: "impl-code", prompt: "x" }] }),
  ).toMatchObject({ code: "GROUP_NOT_ACTIVE" });
  expect(await client.call("get_agent_status", { agentId: ids[0] })).toHaveProperty(
    "result.status",
    "success",
  );
});

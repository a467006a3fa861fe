import { expect, test } from "vitest";
import { aWatcher, bySubject } from "./live.ts";
import { agentIdsIn, aRecordedClient, aWorld, idIn, overHttp } from "./world.ts";

test("a group's run is sent to dashboards as recorded, in frames and in single messages", async () => {
  const world = await aWorld("live-group", { mcpServers: {} });
  const { recorder, url, place } = world;
  const watcher = await aWatcher(url, {});
  const older = await aWatcher(url, undefined, "/");
  recorder.add("snapshot of an empty daemon", await watcher.frame("snapshot"));
  await older.reached(({ type }) => type === "server:startup");

  const { call } = await aRecordedClient(recorder, "main", overHttp(url));
  const groupId = idIn(await call("create_group", { description: "互換" }), "groupId");
  const agents = [
    { role: "impl-code", prompt: "互換\n#rehearsal usage 1 2", workingDirectory: place.dir },
  ];
  const [agentId = ""] = agentIdsIn(await call("run_agents", { groupId, agents }));
  await watcher.reached(({ type }) => type === "agent:completed");
  const second = await aWatcher(url, {});
  recorder.add("snapshot with an agent", await second.frame("snapshot"));
  await call("delete_group", { groupId });
  await watcher.reached(({ type }) => type === "group:deleted");
  await older.reached(({ type }) => type === "group:deleted");
  recorder.add("events", bySubject(watcher.events()));
  recorder.add("single messages", bySubject(older.events()));
  await world.ask("GET", `/api/agents/${agentId}`);

  const frame = await watcher.frame("events");
  const resumed = await aWatcher(url, { epoch: "other", seq: 0 });
  recorder.add("hello with another epoch", (await resumed.frame("snapshot"))?.t);
  recorder.add("keys of a frame", Object.keys(frame ?? {}).toSorted());
  watcher.send({ type: "config:revalidate_model", data: { roleId: "research" } });
  recorder.add("config:revalidate_model", await watcher.frame("done"));
  watcher.send({ type: "config:update_role", data: { roleId: "nothing" } });
  recorder.add("config:update_role of no role", await watcher.frame("error"));
  expect(recorder.differences({ exact: true })).toEqual([]);
});

import { expect, test } from "vitest";
import { aGroup, runAll, statusOf } from "../kit/agents.ts";
import {
  aDaemon,
  anHttpClient,
  aPlace,
  aStdioClient,
  type Daemon,
  type Place,
  type TestClient,
} from "../kit/daemon.ts";
import { sharedByTests } from "../kit/when-done.ts";

const theDaemon = sharedByTests(async () => {
  const place = aPlace({ KUROMAJUTSU_LOG_LEVEL: "debug" });
  return { place, daemon: await aDaemon(place) };
});

type Door = "stdio" | "http";
const ERAS = ["legacy", "modern"] as const;
const DOORS: Door[] = ["stdio", "http"];

function connect(
  door: Door,
  place: Place,
  daemon: Daemon,
  era: (typeof ERAS)[number],
): Promise<TestClient> {
  return door === "stdio" ? aStdioClient(place, { era }) : anHttpClient(daemon.url, { era });
}

for (const door of DOORS) {
  for (const era of ERAS) {
    test(`${door}, ${era}: a cancelled wait ends on the server, and its agent continues`, async () => {
      const { place, daemon } = await theDaemon();
      const logged = place.log().length;
      const client = await connect(door, place, daemon, era);
      const ids = await runAll(client, await aGroup(client), [{ prompt: "#rehearsal hang" }]);
      const cancel = new AbortController();

      const waiting = client.client.callTool(
        { name: "wait_agent", arguments: { agentIds: ids } },
        { signal: cancel.signal },
      );
      setTimeout(() => cancel.abort("enough"), 1_000);
      await expect(waiting).rejects.toThrow(/enough/);

      await expect
        .poll(() => place.log().slice(logged))
        .toContain("A client ended its wait for agents.");
      expect(await statusOf(client, ids[0] ?? "")).toMatchObject({ result: null });
      await client.call("cancel_agent", { agentId: ids[0] });
    });

    test(`${door}, ${era}: clients are notified that the list of tools changed`, async () => {
      const { place, daemon } = await theDaemon();
      const { client } = await connect(door, place, daemon, era);
      let changes = 0;
      client.setNotificationHandler("notifications/tools/list_changed", () => void changes++);
      const subscription =
        era === "modern" ? await client.listen({ toolsListChanged: true }) : undefined;

      await expect
        .poll(
          () => {
            daemon.process.kill("SIGHUP");
            return changes;
          },
          { interval: 300 },
        )
        .toBeGreaterThan(0);
      await subscription?.close();
    });
  }
}

test("a long wait sends progress to a client that asked for it, and answers in chunks", async () => {
  const { daemon } = await theDaemon();
  const client = await anHttpClient(daemon.url);
  const ids = await runAll(client, await aGroup(client), [{ prompt: "#rehearsal hang" }]);
  const beats: { progress: number; total?: number | undefined; message?: string | undefined }[] =
    [];

  const answer = await client.client.callTool(
    { name: "wait_agent", arguments: { agentIds: ids, maxBlock_ms: 11_000 } },
    { onprogress: (beat) => void beats.push(beat) },
  );

  expect(beats).toMatchObject([{ progress: 1, message: expect.stringContaining(ids[0] ?? "?") }]);
  expect(answer.structuredContent).toMatchObject({
    completed: [],
    pending: ids,
    timedOut: false,
    waitMore: true,
    cursor: expect.any(String),
  });
});

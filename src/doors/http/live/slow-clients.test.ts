import { connect } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import { expect, test } from "vitest";
import { aCore, type TestCore } from "../../../../test/kit/core.ts";
import { until } from "../../../../test/kit/daemon.ts";
import { anHttpDoor } from "../../../../test/kit/http-door.ts";
import { aDashboard, aLiveSocket, tick } from "../../../../test/kit/live-client.ts";

test("a client that never reads does not delay others and is disconnected in the end", async () => {
  const core = await aCore();
  const door = await anHttpDoor(core, { timing: { frameMs: 5, pingMs: 1_000, stuckMs: 5_000 } });
  const reader = await aDashboard(door.url);
  const stuck = await aDashboard(door.url);
  await stuck.frame("snapshot");
  stuck.socket.pause();

  let framesBesideTheStuck = 0;
  for (let frame = 0; frame < 50; frame++) {
    tellALot(core);
    await until(() => lastTo(reader) === core.live.seq());
    if (door.live.clientCount() === 2) framesBesideTheStuck++;
  }

  // The unread data of the stuck client reaches a megabyte with the third frame.
  expect(framesBesideTheStuck).toBeGreaterThan(3);
  await until(() => door.live.clientCount() === 1);
  tick(core, 1);
  await until(() => lastTo(reader) === core.live.seq());
});

/** About 400 kB that cannot be coalesced. */
function tellALot(core: TestCore): void {
  const text = "x".repeat(1_900);
  for (let each = 0; each < 200; each++) {
    const data = { change: "reloaded", hash: text } as const;
    core.events.emit({ type: "config:updated", groupId: null, agentId: null, data, at: 0 });
  }
}

function lastTo({ messages }: { messages: readonly unknown[] }): unknown {
  const last = messages.at(-1);
  return typeof last === "object" && last !== null && "to" in last ? last.to : undefined;
}

test("a slow client gets a snapshot when it reads again", async () => {
  const core = await aCore();
  const door = await anHttpDoor(core, { timing: { frameMs: 5 } });
  const slow = await aDashboard(door.url);
  await slow.frame("snapshot");

  slow.socket.pause();
  for (let frame = 0; frame < 60; frame++) {
    tellALot(core);
    await sleep(8);
  }
  slow.socket.resume();
  await until(() => slow.frames().filter(({ t }) => t === "snapshot").length === 2);
  const told = core.live.seq();
  tick(core, 1);
  await until(() => slow.frames().some((frame) => frame.t === "events" && frame.to === told + 1));

  const after = slow.frames().slice(slow.frames().findLastIndex(({ t }) => t === "snapshot"));
  expect(after[0]).toMatchObject({ t: "snapshot" });
  expect(after.slice(1).every(({ t }) => t === "events")).toBe(true);
});

test("a silent connection that answers no ping is dropped", async () => {
  const core = await aCore();
  const door = await anHttpDoor(core, { timing: { pingMs: 1_000 } });
  const { port } = new URL(door.url);
  const dead = connect(Number(port), "127.0.0.1");
  dead.write(
    `GET /ws HTTP/1.1\r\nhost: 127.0.0.1:${port}\r\nupgrade: websocket\r\nconnection: upgrade\r\nsec-websocket-version: 13\r\nsec-websocket-key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n`,
  );
  await until(() => door.live.clientCount() === 1);
  const alive = await aDashboard(door.url);

  await until(() => door.live.clientCount() === 1);

  tick(core, 1);
  await until(() => lastTo(alive) === core.live.seq());
  expect(alive.closed()).toBe(false);
  dead.destroy();
});

test("fifty dashboards that reconnect at once cost one read of the store", async () => {
  const core = await aCore();
  let looks = 0;
  const door = await anHttpDoor(core, {
    health: async () => void looks++,
    // On a busy machine the last hello comes late; without it a client gets another first message.
    timing: { helloMs: 60_000 },
  });

  const crowd = await Promise.all(Array.from({ length: 50 }, () => aLiveSocket(door.url)));
  for (const each of crowd) each.send({ t: "hello" });
  await until(() => crowd.every(({ messages }) => messages.length > 0));
  expect(looks).toBeLessThan(10);

  tick(core, 1);
  await until(() => crowd.every((each) => lastTo(each) === core.live.seq()));
});

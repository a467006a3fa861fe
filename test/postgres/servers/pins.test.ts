import { expect, onTestFinished, test } from "vitest";
import { openPostgresStore } from "../../../src/adapters/store/postgres/postgres-store.ts";
import { LOCAL_USER } from "../../../src/app/core.ts";
import { acceptTool } from "../../../src/app/gateway/accept-tool.ts";
import { pinTools } from "../../../src/app/gateway/pin-tools.ts";
import { isPinned } from "../../../src/app/gateway/tool-pins.ts";
import { followOthers } from "../../../src/app/servers/follow-others.ts";
import { aCore } from "../../kit/core.ts";
import { aFakeUpstream, aTool } from "../../kit/fake-upstream.ts";
import { aMigratedUrl } from "../../kit/postgres/daemon-place.ts";

async function aServerCore(url: string, serverId: string, hash: string) {
  const store = await openPostgresStore({ url });
  onTestFinished(() => store.close());
  const tool = aTool("write", { hash });
  const core = await aCore({ store, serverId, upstream: aFakeUpstream([tool]) });
  const following = followOthers(core);
  onTestFinished(() => following.stop());
  return { core, tool };
}

test("a tool that another server has pinned meanwhile can be used, and one that was accepted there, too", async () => {
  const url = await aMigratedUrl();
  const a = await aServerCore(url, "a", "old");
  const b = await aServerCore(url, "b", "old");
  // Both know that nothing is pinned; then the first one pins.
  await Promise.all([a, b].map(({ core }) => core.pins.read()));
  await pinTools(a.core);

  expect(isPinned(await pinTools(b.core), b.tool)).toBe(true);

  const c = await aServerCore(url, "c", "new");
  expect(isPinned(await pinTools(c.core), c.tool)).toBe(false);
  const d = await aServerCore(url, "d", "new");
  expect(isPinned(await pinTools(d.core), d.tool)).toBe(false);
  await acceptTool(d.core, LOCAL_USER, { server: "hr", tool: "write", hash: "new" });
  await expect.poll(async () => isPinned(await c.core.pins.read(), c.tool)).toBe(true);
});

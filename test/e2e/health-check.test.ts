import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { z } from "zod";
import { brokenCli } from "../kit/broken-clis.ts";
import { aDaemon, aPlace, aStdioClient, until, type Daemon, type Place } from "../kit/daemon.ts";
import { processesWith } from "../kit/processes.ts";

const view = z.object({
  state: z.string(),
  step: z.number(),
  results: z.array(
    z.object({
      roleId: z.string(),
      available: z.boolean(),
      healthCheck: z.object({ status: z.string(), reason: z.string().optional() }),
    }),
  ),
});

function aPlaceWith(kind: Parameters<typeof brokenCli>[0], config = ""): Place {
  const place = aPlace({ PATH: `${brokenCli(kind)}:/usr/bin:/bin` });
  const probeLog = join(place.dir, "probe-log");
  writeFileSync(
    join(place.dir, "kuromajutsu.config.yaml"),
    `agent:\n  env: [PROBE_LOG]\n${config}`,
  );
  return { ...place, env: { ...place.env, PROBE_LOG: probeLog } };
}

async function health(daemon: Daemon) {
  return view.parse(await (await fetch(`${daemon.url}/api/health-check`)).json());
}

const complete = (daemon: Daemon) =>
  until(async () => {
    const { state, step } = await health(daemon);
    return state === "idle" && step === 3;
  });

test("a health check of a CLI that hangs delays neither initialize nor the tools, and leaves no process when the daemon stops", async () => {
  const place = aPlaceWith("hangs");
  const daemon = await aDaemon(place);
  const { call } = await aStdioClient(place);
  expect(await call("list_roles")).toMatchObject({ roles: expect.any(Array) });
  expect((await health(daemon)).state).toBe("running");
  const mark = `KUROMAJUTSU_PROBE_ID=${daemon.pid}.`;
  expect(processesWith(mark)).not.toEqual([]);
  await daemon.kill("SIGTERM");
  await until(() => processesWith(mark).length === 0);
});

test.each(["garbage", "fails", "no-interpreter"] as const)(
  "with a CLI that is `%s` the daemon works, refuses its roles and says why",
  async (kind) => {
    const place = aPlaceWith(kind);
    const daemon = await aDaemon(place);
    const { call } = await aStdioClient(place);
    await complete(daemon);
    const { groupId } = await call("create_group", { mode: "concurrent", description: "d" });
    const refused = await call("run_agents", {
      groupId,
      agents: [{ role: "impl-code", prompt: "p" }],
    });
    expect(refused).toMatchObject({ error: true, code: "ROLE_UNAVAILABLE" });
    expect(place.log()).toContain("Role is not available. role=impl-code");
  },
);

test("a daemon that was killed during a health check ends the leftover CLI at its next start", async () => {
  const place = aPlaceWith("hangs");
  const first = await aDaemon(place);
  const mark = `KUROMAJUTSU_PROBE_ID=${first.pid}.`;
  await until(() => processesWith(mark).length > 0);
  await first.kill("SIGKILL");
  const next = await aDaemon({
    ...place,
    env: { ...place.env, PATH: `${brokenCli("counts")}:/usr/bin:/bin` },
  });
  await complete(next);
  expect(processesWith(mark)).toEqual([]);
  expect((await health(next)).results.every(({ available }) => available)).toBe(true);
});

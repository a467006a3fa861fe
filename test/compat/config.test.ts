import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { loadConfig } from "../../src/adapters/config/load-config.ts";
import { createNormalizer } from "./normalize.ts";
import { aRecorder } from "./recording.ts";

test("configuration files of the version before resolve to the recorded settings", async () => {
  const recorder = aRecorder("configs", createNormalizer({}));
  for (const name of ["full", "minimal", "people", "mcp-servers"]) {
    const path = fileURLToPath(new URL(`./configs/${name}.yaml`, import.meta.url));
    const env = { XDG_STATE_HOME: "/state", WIKI_TOKEN: "secret" };
    const loaded = await loadConfig({ path, explicit: true, env });
    const { config, bind, roles, internalRoles, tools, trust } = loaded;
    recorder.add(name, { config, bind, roles, internalRoles, tools, trust });
  }
  const path = fileURLToPath(new URL("./configs/minimal.yaml", import.meta.url));
  const env = {
    KUROMAJUTSU_PORT: "9800",
    KUROMAJUTSU_LOG_LEVEL: "debug",
    KUROMAJUTSU_BIND: "127.0.0.1",
    KUROMAJUTSU_DATA_DIR: "/data",
  };
  const { config, bind, dataDir } = await loadConfig({ path, explicit: true, env });
  recorder.add("minimal with an environment", { config, bind, dataDir });
  expect(recorder.differences()).toEqual([]);
});

import { readdirSync } from "node:fs";
import { createGit } from "../../src/adapters/git/create-git.ts";
import { openStore } from "../../src/adapters/store/open-store.ts";
import { createDirectories, systemTokens } from "../../src/adapters/world.ts";
import { createMergeQueue } from "../../src/app/merges/merge-queue.ts";
import type { MergeWorld } from "../../src/app/merges/merge-round.ts";
import type { Git } from "../../src/app/ports/git.ts";
import { configSchema } from "../../src/contract/config/schema.ts";
import { workspaceSettingsOf } from "../../src/main/daemon/workspace-settings.ts";

const [dataDir = "", gitDirectory = "", root = "", check = "", moment = ""] = process.argv.slice(2);

function die(): Promise<never> {
  process.kill(process.pid, "SIGKILL");
  return new Promise(() => {});
}

async function dying<T>(name: keyof Git, work: () => Promise<T>): Promise<T> {
  if (moment === `before ${name}`) await die();
  const done = await work();
  if (moment === `after ${name}`) await die();
  return done;
}

let checks = 0;

/** The merge queue of a daemon, alone, which is killed at the given moment. */
const git = createGit({ directory: gitDirectory, environment: process.env });
const store = await openStore({ dataDir });
const world: MergeWorld = {
  store,
  isLeader: () => true,
  serverId: null,
  clock: { now: () => Date.now() },
  log: {
    debug() {},
    info() {},
    warn() {},
    error: (message, fields) => console.error(message, fields),
  },
  tokens: systemTokens,
  directories: createDirectories("/nonexistent"),
  settings: {
    workspace: {
      ...workspaceSettingsOf(configSchema.parse({}).workspace, { home: "/", dataDir }),
      root,
      check: check === "" ? null : check,
    },
  },
  git: {
    ...git,
    buildMerge: (...args) => dying("buildMerge", () => git.buildMerge(...args)),
    prepareIntegration: (...args) =>
      dying("prepareIntegration", () => git.prepareIntegration(...args)),
    moveBranch: (...args) => dying("moveBranch", () => git.moveBranch(...args)),
    fastForwardCheckout: (...args) =>
      dying("fastForwardCheckout", () => git.fastForwardCheckout(...args)),
  },
  workspaceTools: {
    run: async ({ directory }) => {
      checks++;
      if (moment === "in the check" || moment === `in check ${checks}`) await die();
      const isBad = readdirSync(directory).some((name) => name.startsWith("bad"));
      return { exitCode: isBad ? 1 : 0, timedOut: false, output: "" };
    },
    endLeftovers: async () => {},
    copyIgnored: async () => [],
    findPorts: async () => null,
    pullRequestTool: async () => null,
    openPullRequest: async () => ({ url: "" }),
  },
};
const queue = createMergeQueue(() => world);
queue.open();
await queue.idle();
await queue.close();
await store.close();

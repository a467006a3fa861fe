import { defaultConfig } from "../../contract/config/defaults.ts";
import type { Config } from "../../contract/config/schema.ts";
import type { Power } from "./powers.ts";

type Workspace = Config["workspace"];

const DEFAULTS = defaultConfig().workspace;

export function workspacePowers(config: Config): readonly (Power | undefined)[] {
  return [
    commandPower(config, "setup"),
    commandPower(config, "check"),
    ...config.workspace.copy.map(copyPower),
    rootPower(config),
    targetPower(config),
    isolationPower(config),
    limitsPower(config),
    retentionPower(config),
  ];
}

/** The section without the powers that are not trusted. */
export function trustedWorkspace(
  config: Config,
  may: (power: Power | undefined) => boolean,
): Workspace {
  const { workspace } = config;
  const { setup, check, root, merge, ...rest } = workspace;
  const { target, ...mergeRest } = merge;
  return {
    ...rest,
    ...(may(limitsPower(config)) ? {} : safeLimits(workspace)),
    ...(may(retentionPower(config)) ? {} : safeRetention(workspace)),
    isolation: may(isolationPower(config)) ? workspace.isolation : DEFAULTS.isolation,
    copy: workspace.copy.filter((glob) => may(copyPower(glob))),
    ...(setup !== undefined && may(commandPower(config, "setup")) && { setup }),
    ...(check !== undefined && may(commandPower(config, "check")) && { check }),
    ...(root !== undefined && may(rootPower(config)) && { root }),
    merge: { ...mergeRest, ...(target !== undefined && may(targetPower(config)) && { target }) },
  };
}

/** Runs with the rights of the daemon's user. */
function commandPower({ workspace }: Config, key: "setup" | "check"): Power | undefined {
  const line = workspace[key];
  if (line === undefined) return undefined;
  return {
    kind: "workspace",
    name: `workspace.${key}`,
    content: { command: "sh", args: ["-c", line] },
  };
}

/** Ignored files often hold secrets, and agents can read the copies. */
function copyPower(glob: string): Power {
  return { kind: "workspace", name: `workspace.copy ${glob}`, content: null };
}

/** The daemon makes and deletes directories there. */
function rootPower({ workspace: { root } }: Config): Power | undefined {
  if (root === undefined) return undefined;
  return { kind: "workspace", name: "workspace.root", content: root };
}

/** Changes would land on a branch that the person did not choose. */
function targetPower({ workspace: { merge } }: Config): Power | undefined {
  if (merge.target === undefined) return undefined;
  return { kind: "workspace", name: "workspace.merge.target", content: merge.target };
}

/** Agents would write into the person's own checkout. */
function isolationPower({ workspace: { isolation } }: Config): Power | undefined {
  if (isolation !== "none") return undefined;
  return { kind: "protection", name: "workspace.isolation", content: isolation };
}

/** Larger limits let agents fill the disk and the repository. */
function limitsPower({ workspace }: Config): Power | undefined {
  const { maxTotal_mb, maxFile_mb, maxNewFiles } = workspace;
  const safe = safeLimits(workspace);
  const isSafe =
    maxTotal_mb === safe.maxTotal_mb &&
    maxFile_mb === safe.maxFile_mb &&
    maxNewFiles === safe.maxNewFiles;
  if (isSafe) return undefined;
  const content = { maxTotal_mb, maxFile_mb, maxNewFiles };
  return { kind: "protection", name: "workspace limits", content };
}

function safeLimits({ maxTotal_mb, maxFile_mb, maxNewFiles }: Workspace) {
  return {
    maxTotal_mb: Math.min(maxTotal_mb || Infinity, DEFAULTS.maxTotal_mb),
    maxFile_mb: Math.min(maxFile_mb, DEFAULTS.maxFile_mb),
    maxNewFiles: Math.min(maxNewFiles, DEFAULTS.maxNewFiles),
  };
}

/** Work that people may still need would be deleted sooner. */
function retentionPower({ workspace }: Config): Power | undefined {
  const { keepDecided_hours, keepOpen_days, keepRefs_days } = workspace;
  const safe = safeRetention(workspace);
  const isSafe =
    keepDecided_hours === safe.keepDecided_hours &&
    keepOpen_days === safe.keepOpen_days &&
    keepRefs_days === safe.keepRefs_days;
  if (isSafe) return undefined;
  const content = { keepDecided_hours, keepOpen_days, keepRefs_days };
  return { kind: "protection", name: "workspace retention", content };
}

function safeRetention({ keepDecided_hours, keepOpen_days, keepRefs_days }: Workspace) {
  return {
    keepDecided_hours: Math.max(keepDecided_hours, DEFAULTS.keepDecided_hours),
    keepOpen_days: Math.max(keepOpen_days, DEFAULTS.keepOpen_days),
    keepRefs_days: Math.max(keepRefs_days, DEFAULTS.keepRefs_days),
  };
}

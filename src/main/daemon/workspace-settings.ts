import { join, resolve } from "node:path";
import type { WorkspaceSettings } from "../../app/core.ts";
import type { Config } from "../../contract/config/schema.ts";

const BYTES_PER_MB = 1_048_576;
const MS_PER_HOUR = 3_600_000;
const MS_PER_DAY = 24 * MS_PER_HOUR;

type Places = {
  /** Relative paths start here. */
  readonly home: string;
  readonly dataDir: string;
};

export function workspaceSettingsOf(
  workspace: Config["workspace"],
  { home, dataDir }: Places,
): WorkspaceSettings {
  const { root, merge, ports } = workspace;
  return {
    isolation: workspace.isolation,
    root: root === undefined ? join(resolve(dataDir), "workspaces") : resolve(home, root),
    base: workspace.base,
    copy: workspace.copy,
    setup: workspace.setup ?? null,
    setupTimeoutMs: workspace.setupTimeout_ms,
    check: workspace.check ?? null,
    checkTimeoutMs: workspace.checkTimeout_ms,
    mergeMode: merge.mode,
    mergeTarget: merge.target ?? null,
    maxTotalBytes: workspace.maxTotal_mb === 0 ? null : workspace.maxTotal_mb * BYTES_PER_MB,
    maxFileBytes: workspace.maxFile_mb * BYTES_PER_MB,
    maxNewFiles: workspace.maxNewFiles,
    keepDecidedMs: workspace.keepDecided_hours * MS_PER_HOUR,
    keepOpenMs: workspace.keepOpen_days * MS_PER_DAY,
    keepRefsMs: workspace.keepRefs_days * MS_PER_DAY,
    ports,
  };
}

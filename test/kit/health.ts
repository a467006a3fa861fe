import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { onTestFinished } from "vitest";
import { createHealthProbe } from "../../src/adapters/health/probe.ts";
import { createCursorRunner } from "../../src/adapters/runners/cursor/runner.ts";
import { createHealth } from "../../src/app/health/health.ts";
import type { LiveEvent } from "../../src/app/live.ts";
import type { Runner } from "../../src/app/ports/runner.ts";
import type { RunnerId } from "../../src/domain/agents/runner.ts";
import { aCore, aRunner, type ACore, type TestCore } from "./core.ts";
import { aTempDir } from "./tmp-dir.ts";

export type HealthCore = TestCore & {
  readonly warnings: { message: string; fields: unknown }[];
  readonly published: LiveEvent[];
  /** Replaces the CLI on PATH; null removes it. */
  use(folder: string | null): void;
  /** `start <model> <prompt>` and `end <model>`, as the CLI of `counts` noted them. */
  asked(): string[];
  /** A new core on the same store, as after a restart. */
  restarted(): HealthCore;
};

export type AHealthCore = ACore & { readonly folder: string; readonly sleep?: string };

/** A core whose health checks start the `agent` of a folder as real processes. */
export async function aHealthCore({ folder, sleep, ...over }: AHealthCore): Promise<HealthCore> {
  const base = await aCore(over);
  const log = join(aTempDir(), "log");
  let path: string | null = folder;
  const warnings: HealthCore["warnings"] = [];
  const published: LiveEvent[] = [];
  base.live.subscribe((event) => published.push(event));
  const runners = new Map<RunnerId, Runner>([
    ["cursor", createCursorRunner({ path: () => path ?? "", modelsTimeoutMs: 3_000 })],
    ["rehearsal", aRunner("rehearsal", base.installed)],
  ]);

  function withMemory(health: TestCore["health"]): HealthCore {
    onTestFinished(() => health.close());
    return {
      ...base,
      health,
      healthProbe: createHealthProbe({ lingerMs: 2_000, graceMs: 200 }),
      runners,
      environment: {
        ...base.environment,
        forProbe: () => ({ PATH: "/usr/bin:/bin", PROBE_LOG: log, PROBE_SLEEP: sleep ?? "" }),
      },
      log: { ...base.log, warn: (message, fields) => void warnings.push({ message, fields }) },
      warnings,
      published,
      use: (next) => void (path = next),
      asked: () => (existsSync(log) ? readFileSync(log, "utf8").trimEnd().split("\n") : []),
      restarted: () => withMemory(createHealth(base.clock)),
    };
  }
  return withMemory(base.health);
}

import type { z } from "zod";
import type { Core } from "../../../../app/core.ts";
import { checkHealthSoon } from "../../../../app/health/check-health.ts";
import { checkRunner, viewClis } from "../../../../app/health/check-runner.ts";
import { tryRunner } from "../../../../app/health/runner-problems.ts";
import { revalidateRole } from "../../../../app/health/validate-model.ts";
import { viewHealth } from "../../../../app/health/view-health.ts";
import { localeOf } from "../../../../app/locale-of.ts";
import { untrustedOf } from "../../../../app/people/untrusted.ts";
import { rehearsalNote } from "../../../../app/roles/rehearsal-only.ts";
import { requireRole } from "../../../../app/roles/require-role.ts";
import { viewModels, viewRunners } from "../../../../app/view-system.ts";
import * as contract from "../../../../contract/routes/health.ts";
import type { healthCheckView, runnerModels } from "../../../../contract/shapes/health.ts";
import { defineRoute } from "../../define-route.ts";
import { wireProblem } from "../../wire.ts";

const getHealthCheck = defineRoute(contract.getHealthCheck, {
  run: (core) => Promise.resolve(wireHealth(core)),
});

const runHealthCheck = defineRoute(contract.runHealthCheck, {
  async run(core, { body }) {
    const roleIds = body?.roleIds;
    for (const id of roleIds ?? []) requireRole(core, id);
    checkHealthSoon(core, { force: true, ...(roleIds && { roleIds }) });
    return wireHealth(core);
  },
});

const revalidate = defineRoute(contract.revalidateRole, {
  run: (core, { params }) => revalidateRole(core, params.id),
});

const getModels = defineRoute(contract.listModels, {
  run: async (core) => ({ models: await modelsOf(core) }),
});

const getSystem = defineRoute(contract.getSystem, {
  async run(core, _input, identity) {
    const note = await rehearsalNote(core, localeOf(core, identity));
    return {
      version: core.version,
      platform: `${process.platform} ${process.arch}`,
      node: process.version,
      command: core.environment.commandName,
      locale: core.settings.locale,
      chosenLocale: core.settings.chosenLocale,
      maxConcurrent: core.settings.maxConcurrent,
      runners: await viewRunners(core),
      models: await modelsOf(core),
      untrusted: untrustedOf(core.trust?.now() ?? null, core.environment.commandName),
      ...(note && { rehearsalNote: note }),
    };
  },
});

const listRunners = defineRoute(contract.listRunners, {
  run: async (core) => ({ runners: await viewClis(core) }),
});

const checkOneRunner = defineRoute(contract.checkRunner, {
  run: (core, { params }, { keys }) => checkRunner(core, params.id, keys),
});

const tryNow = defineRoute(contract.tryRunner, {
  async run(core, { params }) {
    await tryRunner(core, params.id);
    return wireHealth(core);
  },
});

export const HEALTH_ROUTES = [
  getHealthCheck,
  runHealthCheck,
  revalidate,
  getModels,
  getSystem,
  listRunners,
  checkOneRunner,
  tryNow,
];

/** Also part of every live snapshot. */
export function wireHealth(core: Core): z.infer<typeof healthCheckView> {
  const { problems, ...view } = viewHealth(core);
  return {
    ...view,
    startedAt: iso(view.startedAt),
    finishedAt: iso(view.finishedAt),
    total: view.results.length,
    available: view.results.filter(({ available }) => available).length,
    ...(problems.length > 0 && { problems: problems.map(wireProblem) }),
    progress: view.progress.map((role) => ({ ...role, since: new Date(role.since).toISOString() })),
  };
}

async function modelsOf(core: Core): Promise<z.infer<typeof runnerModels>[]> {
  const all = await viewModels(core);
  return all.map((each) => ({ ...each, checkedAt: iso(each.checkedAt) }));
}

function iso(at: number | null): string | null {
  return at === null ? null : new Date(at).toISOString();
}

import { z } from "zod";
import type { Core } from "../../../../app/core.ts";
import { checkHealthSoon } from "../../../../app/health/check-health.ts";
import { revalidateRole } from "../../../../app/health/validate-model.ts";
import { viewHealth } from "../../../../app/health/view-health.ts";
import { untrustedOf } from "../../../../app/people/untrusted.ts";
import { requireRole } from "../../../../app/roles/require-role.ts";
import { viewModels, viewRunners } from "../../../../app/view-system.ts";
import {
  healthCheckResult,
  healthCheckView,
  runnerModels,
  systemView,
} from "../../../../contract/health.ts";
import { defineRoute } from "../../define-route.ts";

const NOTHING = { params: z.object({}), query: z.object({}), body: z.undefined() };

const getHealthCheck = defineRoute({
  ...NOTHING,
  method: "get",
  path: "/api/health-check",
  summary: "The last health check, or the one that runs now",
  answer: healthCheckView,
  run: (core) => Promise.resolve(wireHealth(core)),
});

const runHealthCheck = defineRoute({
  ...NOTHING,
  method: "post",
  path: "/api/health-check",
  summary: "Check roles again; answers at once",
  body: z
    .strictObject({
      roleIds: z.array(z.string()).min(1).optional().describe("Left out: every role"),
    })
    .optional(),
  answer: healthCheckView,
  status: 202,
  async run(core, { body }) {
    const roleIds = body?.roleIds;
    for (const id of roleIds ?? []) requireRole(core, id);
    checkHealthSoon(core, { force: true, ...(roleIds && { roleIds }) });
    return wireHealth(core);
  },
});

const revalidate = defineRoute({
  ...NOTHING,
  method: "post",
  path: "/api/roles/{id}/revalidate",
  summary: "Ask the role's CLI for its models again; a valid model is then checked too",
  params: z.object({ id: z.string() }),
  answer: healthCheckResult,
  run: (core, { params }) => revalidateRole(core, params.id),
});

const getModels = defineRoute({
  ...NOTHING,
  method: "get",
  path: "/api/models",
  summary: "The models each CLI named",
  answer: z.object({ models: z.array(runnerModels).readonly() }),
  run: async (core) => ({ models: await modelsOf(core) }),
});

const getSystem = defineRoute({
  ...NOTHING,
  method: "get",
  path: "/api/system",
  summary: "This server: version, platform, CLIs found, models",
  answer: systemView,
  run: async (core) => ({
    version: core.version,
    platform: `${process.platform} ${process.arch}`,
    node: process.version,
    locale: core.settings.locale,
    maxConcurrent: core.settings.maxConcurrent,
    runners: await viewRunners(core),
    models: await modelsOf(core),
    untrusted: untrustedOf(core.trust?.now() ?? null),
  }),
});

export const HEALTH_ROUTES = [getHealthCheck, runHealthCheck, revalidate, getModels, getSystem];

/** Also in every snapshot of the live door. */
export function wireHealth(core: Core): z.infer<typeof healthCheckView> {
  const view = viewHealth(core);
  return {
    ...view,
    startedAt: iso(view.startedAt),
    finishedAt: iso(view.finishedAt),
    total: view.results.length,
    available: view.results.filter(({ available }) => available).length,
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

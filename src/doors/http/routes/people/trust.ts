import { z } from "zod";
import { trustConfig } from "../../../../app/people/trust-config.ts";
import { fileTrustShape } from "../../../../contract/trust.ts";
import { defineRoute, type AnyRoute } from "../../define-route.ts";
import { NO_BODY, NO_PARAMS, NO_QUERY } from "../inputs.ts";

const shown = z.object({ trust: fileTrustShape.nullable().describe("null: it needs no trust") });

/** For admins only: what the file says may contain keys. */
const view = defineRoute({
  method: "get",
  path: "/api/config/trust",
  summary: "What the configuration file would run and allow, and what of that is trusted.",
  needs: "admin",
  params: NO_PARAMS,
  query: NO_QUERY,
  body: NO_BODY,
  answer: shown,
  run: (core) => Promise.resolve({ trust: core.trust?.now() ?? null }),
});

const trust = defineRoute({
  method: "post",
  path: "/api/config/trust",
  summary: "Trust the configuration file as it was shown.",
  needs: "admin",
  params: NO_PARAMS,
  query: NO_QUERY,
  body: z.strictObject({ hash: z.string().max(200).describe("Of what you were shown; else 409") }),
  answer: z.object({ path: z.string(), hash: z.string().describe("Of what is trusted now") }),
  run: (core, { body }, identity) => trustConfig(core, identity, body),
});

export const TRUST_ROUTES: readonly AnyRoute[] = [view, trust];

import { validateHostHeader } from "@modelcontextprotocol/server";
import type { MiddlewareHandler } from "hono";
import type { Settings } from "../../app/core.ts";
import { CHANGE_HEADER } from "../../contract/http-headers.ts";
import type { Texts } from "../../domain/locale.ts";
import { localeOfRequest } from "../locale-of-request.ts";
import { problem } from "./problem.ts";

export type AllowedNames = {
  /** Values of `Host`, without the port. */
  readonly allowedHostnames: readonly string[];
  /** Further values of `Origin`, such as `https://kuro.example.com`. */
  readonly allowedOrigins: readonly string[];
};

export type RequestSource = {
  readonly host: string | undefined;
  readonly origin: string | undefined;
  readonly forwardedProto: string | undefined;
  readonly fetchSite: string | undefined;
  readonly fetchMode: string | undefined;
};

export type Forbidden = { readonly detail: Texts; readonly hint: Texts };

/**
 * Refuses requests caused by pages of other origins, before any other handler runs: other
 * sites, other ports of this machine, and host names that were made to point here (DNS rebinding).
 */
export function guard(
  names: AllowedNames,
  settings: Pick<Settings, "chosenLocale" | "locale">,
): MiddlewareHandler {
  return async (context, next) => {
    const header = (name: string) => context.req.header(name);
    const why =
      whyForbidden(names, {
        host: header("host"),
        origin: header("origin"),
        forwardedProto: header("x-forwarded-proto"),
        fetchSite: header("sec-fetch-site"),
        fetchMode: header("sec-fetch-mode"),
      }) ?? whyNoChange(context.req.method, header);
    if (why === undefined) return next();
    const locale = localeOfRequest(settings, context.req.raw.headers);
    return problem(403, "NOT_ALLOWED", why.detail[locale], why.hint[locale]);
  };
}

/** One rule for requests and for WebSocket upgrades; undefined: allowed. */
export function whyForbidden(names: AllowedNames, source: RequestSource): Forbidden | undefined {
  const { host, origin, fetchSite, fetchMode } = source;
  if (host === undefined || !validateHostHeader(host, [...names.allowedHostnames]).ok) {
    return {
      detail: {
        en: `Host ${host ?? "(none)"} is not served here.`,
        ja: `Host ${host ?? "（なし）"} では使えません。`,
      },
      hint: {
        en: "Use 127.0.0.1 or localhost. Where people sign in, add the name to dashboard.hosts in the configuration and restart the daemon.",
        ja: "127.0.0.1 か localhost を使ってください。サインインを使っているなら、この名前を設定の dashboard.hosts に加えて、デーモンを再起動してください。",
      },
    };
  }
  if (origin === undefined) return whyFetchedElsewhere(fetchSite, fetchMode);
  if (origin === ownOrigin(source) || names.allowedOrigins.includes(origin)) return undefined;
  return {
    detail: {
      en: `Origin ${origin} is not allowed.`,
      ja: `Origin ${origin} は許可されていません。`,
    },
    hint: {
      en: "Open the dashboard at the daemon's own address. If a proxy changes the address, add the origin the browser shows to dashboard.origins in the configuration and restart the daemon.",
      ja: "デーモン自身のアドレスでダッシュボードを開いてください。プロキシがアドレスを変えるなら、ブラウザーに表示されるオリジンを設定の dashboard.origins に加えて、デーモンを再起動してください。",
    },
  };
}

/**
 * The origin of a page that this daemon served at the requested address. A page of another origin
 * cannot choose Host or X-Forwarded-Proto.
 */
function ownOrigin({ host = "", forwardedProto = "" }: RequestSource): string {
  const [scheme = ""] = forwardedProto.split(",");
  return `${scheme.trim().toLowerCase() === "https" ? "https" : "http"}://${host.toLowerCase()}`;
}

/**
 * Browsers omit Origin from some GET requests, such as those for images and scripts, and send
 * Sec-Fetch-Site instead. Links to the dashboard from other sites keep working.
 */
function whyFetchedElsewhere(site: string | undefined, mode: string | undefined) {
  if (site === undefined || site === "same-origin" || site === "none") return undefined;
  if (mode === "navigate") return undefined;
  return {
    detail: {
      en: `A page of another origin asked for this (Sec-Fetch-Site: ${site}).`,
      ja: `ほかのオリジンのページからの要求です（Sec-Fetch-Site: ${site}）。`,
    },
    hint: {
      en: "Open the dashboard at the daemon's own address.",
      ja: "デーモン自身のアドレスでダッシュボードを開いてください。",
    },
  };
}

/** Each of these headers makes a browser send a CORS preflight before a cross-origin request. */
const NOT_SIMPLE = [CHANGE_HEADER, "idempotency-key", "mcp-session-id", "mcp-protocol-version"];
const READING: ReadonlySet<string> = new Set(["GET", "HEAD", "OPTIONS"]);

/** Cross-site request forgery: forms and simple requests of other sites must not change anything. */
function whyNoChange(
  method: string,
  header: (name: string) => string | undefined,
): Forbidden | undefined {
  if (READING.has(method)) return undefined;
  if (NOT_SIMPLE.some((name) => header(name) !== undefined)) return undefined;
  const [type = ""] = (header("content-type") ?? "").split(";");
  if (type.trim().toLowerCase() === "application/json") return undefined;
  // Basic credentials do not count: browsers add them automatically.
  if (/^Bearer\s/i.test(header("authorization") ?? "")) return undefined;
  return {
    detail: {
      en: `${method} needs a header that a page of another site cannot send.`,
      ja: `${method} には、ほかのサイトのページからは送れないヘッダーが必要です。`,
    },
    hint: {
      en: `Send "${CHANGE_HEADER}: 1", or a body with "content-type: application/json".`,
      ja: `"${CHANGE_HEADER}: 1" か、"content-type: application/json" の本文を送ってください。`,
    },
  };
}

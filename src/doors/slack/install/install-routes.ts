import type { Context, Hono } from "hono";
import { deleteCookie, getCookie, setCookie } from "hono/cookie";
import type { Locale } from "../../../domain/locale.ts";
import { createRareWarning } from "../receive/rare-warning.ts";
import { INSTALL_PATH, REDIRECT_PATH } from "../setup/app-definition.ts";
import {
  beginInstall,
  finishInstall,
  STATE_VALID_MS,
  type InstallFlowOptions,
} from "./install-flow.ts";
import { installedPage, PAGE_STYLE_HASH, problemPage } from "./install-pages.ts";
import { WrongSlackKey } from "./installations.ts";

const COOKIE = "kuromajutsu-slack-install";
const COOKIE_PATH = "/slack";

export type InstallRoutes = InstallFlowOptions & { readonly locale: () => Locale };

/**
 * Installing the app in a workspace with OAuth. The public may reach these addresses: a link that an
 * admin has made lets a browser in, and the cookie proves that the same browser comes back.
 */
export function serveInstall(app: Hono, options: InstallRoutes): void {
  const { publicUrl, locale } = options;
  const warn = createRareWarning(options.core);
  const cookie = {
    path: COOKIE_PATH,
    httpOnly: true,
    secure: publicUrl.startsWith("https://"),
    // The browser comes back from Slack's site, so Strict would not send it.
    sameSite: "Lax",
    maxAge: STATE_VALID_MS / 1_000,
  } as const;

  app.get(INSTALL_PATH, async (context) => {
    const begun = await beginInstall(options, context.req.query("link") ?? "");
    if (!begun.ok) return page(context, problemPage(locale(), begun.problem), 403);
    setCookie(context, COOKIE, begun.browser, cookie);
    return context.redirect(begun.authorizeUrl, 302);
  });

  app.get(REDIRECT_PATH, async (context) => {
    const browser = getCookie(context, COOKIE);
    deleteCookie(context, COOKIE, cookie);
    const query = (name: string) => context.req.query(name);
    const returned = { code: query("code"), state: query("state"), error: query("error"), browser };
    try {
      const finished = await finishInstall(options, returned);
      if (finished.ok) return page(context, installedPage(locale(), finished), 200);
      const { problem, code } = finished;
      warn("The app was not installed in Slack.", { problem, code });
      return page(context, problemPage(locale(), problem, code), 403);
    } catch (error) {
      if (!(error instanceof WrongSlackKey)) throw error;
      options.core.log.error(error.message);
      return page(context, problemPage(locale(), "key"), 500);
    }
  });
}

function page(context: Context, html: string, status: 200 | 403 | 500) {
  context.header(
    "content-security-policy",
    `default-src 'none'; style-src '${PAGE_STYLE_HASH}'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`,
  );
  return context.html(html, status);
}

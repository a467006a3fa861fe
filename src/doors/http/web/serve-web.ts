import { randomBytes } from "node:crypto";
import type { Context, Hono } from "hono";
import { type Encoding, readWebFiles, type WebFile } from "./web-files.ts";

const INDEX = "/index.html";
const NONCE = "__NONCE__";
/** Paths that are never a page of the dashboard. */
const NOT_PAGES = /^\/(?:api|mcp|ws|slack|assets)(?:\/|$)/;

/**
 * Serves the files of the dashboard, and its HTML page at every path of the dashboard. Returns false
 * if the dashboard was not built.
 */
export function serveWeb(app: Hono, folder: string): boolean {
  const files = readWebFiles(folder);
  const index = files.get(INDEX);
  if (!index) return false;
  app.get("*", async (context, next) => {
    const { path } = context.req;
    const file = path === INDEX ? undefined : files.get(path);
    if (file) return sendFile(context, file);
    if (path !== "/" && (NOT_PAGES.test(path) || !acceptsHtml(context))) return next();
    return sendIndex(context, index);
  });
  return true;
}

async function sendFile(context: Context, file: WebFile): Promise<Response> {
  const { bytes, encoding } = await file.body(encodingFor(context));
  return new Response(Uint8Array.from(bytes), {
    headers: {
      "content-type": file.type,
      "cache-control": file.isImmutable ? "public, max-age=31536000, immutable" : "no-cache",
      vary: "accept-encoding",
      ...(encoding === "identity" ? {} : { "content-encoding": encoding }),
    },
  });
}

/** Never cached: the page names the files of this version and contains a nonce. */
async function sendIndex(context: Context, index: WebFile): Promise<Response> {
  const nonce = randomBytes(16).toString("base64url");
  const { bytes } = await index.body("identity");
  const html = Buffer.from(bytes).toString("utf8").replaceAll(NONCE, nonce);
  return context.body(html, 200, {
    "content-type": index.type,
    "cache-control": "no-store",
    "content-security-policy": policy(nonce),
  });
}

/**
 * The viewer of diffs colours words with style attributes, thousands per file, and highlights in a
 * worker of our own files. Style attributes cannot load or run anything; style elements still need the
 * nonce.
 */
function policy(nonce: string): string {
  return [
    "default-src 'none'",
    "script-src 'self'",
    `style-src 'self' 'nonce-${nonce}'`,
    "style-src-attr 'unsafe-inline'",
    "worker-src 'self'",
    "img-src 'self' data:",
    "font-src 'self'",
    "connect-src 'self'",
    "manifest-src 'self'",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ].join("; ");
}

function acceptsHtml(context: Context): boolean {
  return (context.req.header("accept") ?? "").includes("text/html");
}

function encodingFor(context: Context): Encoding {
  const accepted = context.req.header("accept-encoding") ?? "";
  if (/\bbr\b/.test(accepted)) return "br";
  return /\bgzip\b/.test(accepted) ? "gzip" : "identity";
}

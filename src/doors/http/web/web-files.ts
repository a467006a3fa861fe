import { readdirSync, readFileSync, statSync } from "node:fs";
import { extname, join } from "node:path";
import { promisify } from "node:util";
import { brotliCompress, constants, gzip } from "node:zlib";

const TYPES: Readonly<Record<string, string>> = {
  ".html": "text/html; charset=utf-8",
  ".js": "text/javascript; charset=utf-8",
  ".css": "text/css; charset=utf-8",
  ".svg": "image/svg+xml",
  ".png": "image/png",
  ".woff2": "font/woff2",
  ".webmanifest": "application/manifest+json",
  ".json": "application/json",
};
const COMPRESSIBLE: ReadonlySet<string> = new Set([".js", ".css", ".svg", ".webmanifest", ".json"]);

export type Encoding = "br" | "gzip" | "identity";

export type WebFile = {
  readonly type: string;
  /** The name contains a hash of the content, so browsers may cache it forever. */
  readonly isImmutable: boolean;
  body(encoding: Encoding): Promise<{ readonly bytes: Uint8Array; readonly encoding: Encoding }>;
};

/**
 * The files of the built dashboard by URL path. The table is filled when the daemon starts, so a
 * request can never reach another file.
 */
export function readWebFiles(folder: string): ReadonlyMap<string, WebFile> {
  const files = new Map<string, WebFile>();
  for (const name of listFiles(folder)) {
    files.set(`/${name.replaceAll("\\", "/")}`, webFile(join(folder, name)));
  }
  return files;
}

function listFiles(folder: string): readonly string[] {
  try {
    return readdirSync(folder, { recursive: true, encoding: "utf8" }).filter((name) =>
      statSync(join(folder, name)).isFile(),
    );
  } catch {
    return [];
  }
}

function webFile(path: string): WebFile {
  const extension = extname(path);
  const made = new Map<Encoding, Promise<Uint8Array>>();
  const isCompressible = COMPRESSIBLE.has(extension);
  return {
    type: TYPES[extension] ?? "application/octet-stream",
    isImmutable: /[\\/]assets[\\/]/.test(path),
    async body(wanted) {
      const encoding = isCompressible ? wanted : "identity";
      const bytes = made.get(encoding) ?? compress(readFileSync(path), encoding);
      made.set(encoding, bytes);
      return { bytes: await bytes, encoding };
    },
  };
}

const brotli = promisify(brotliCompress);
const zip = promisify(gzip);

/** Runs once per file and encoding. Medium quality takes milliseconds and compresses nearly as well. */
function compress(bytes: Buffer, encoding: Encoding): Promise<Uint8Array> {
  switch (encoding) {
    case "br":
      return brotli(bytes, { params: { [constants.BROTLI_PARAM_QUALITY]: 6 } });
    case "gzip":
      return zip(bytes);
    case "identity":
      return Promise.resolve(bytes);
  }
}

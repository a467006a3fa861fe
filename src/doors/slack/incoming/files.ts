import { mkdir, readdir, rm, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { Core } from "../../../app/core.ts";
import { fieldsOf, numberOf, textOf, type Fields } from "../../../base/narrow.ts";
import { SlackCallFailed } from "../slack-api.ts";
import { isSlackAddress } from "./slack-address.ts";
import type { TokenOf } from "./token-of.ts";

/** A file of a message: where it was saved, or why not. */
export type SavedFile = { readonly name: string } & (
  | { readonly path: string }
  | { readonly problem: "tooLarge" | "notReadable" }
);

export type MessageId = { readonly team: string; readonly channel: string; readonly ts: string };

export type SlackFiles = {
  /** Rejects if Slack cannot be reached; files that Slack refuses are only named. */
  save(message: MessageId, files: unknown): Promise<readonly SavedFile[]>;
  /** Deletes files of tasks that are deleted. */
  clean(): Promise<void>;
};

export type SlackFilesOptions = {
  readonly core: Pick<Core, "store" | "log">;
  /** Below the data directory. */
  readonly directory: string;
  readonly tokenOf: TokenOf;
  readonly apiUrl: string | undefined;
};

const SLACK_HOST = "files.slack.com";
const MAX_FILES = 10;
const MAX_BYTES = 20 * 1024 * 1024;
/** File systems allow 255, and the name gets a number. */
const MAX_NAME_BYTES = 200;
const WITHIN_MS = 60_000;
/** A task that is being created has no row yet. */
const KEEP_AT_LEAST_MS = 24 * 3_600_000;

/** Saves the files of messages where agents can read them. */
export function createSlackFiles(options: SlackFilesOptions): SlackFiles {
  const { core, directory } = options;
  return {
    async save(message, given) {
      const files = (Array.isArray(given) ? given : []).slice(0, MAX_FILES);
      const folder = join(directory, folderOf(message));
      const saved: SavedFile[] = [];
      for (const [index, each] of files.entries()) {
        const file = fieldsOf(each);
        const name = safeName(textOf(file["name"]) ?? textOf(file["title"]) ?? "file");
        const content = await download(options, message.team, file);
        if (typeof content === "string") {
          saved.push({ name, problem: content });
          continue;
        }
        await mkdir(folder, { recursive: true, mode: 0o700 });
        const path = join(folder, `${index + 1}-${name}`);
        await writeFile(path, content, { mode: 0o600 });
        saved.push({ name, path });
      }
      return saved;
    },
    async clean() {
      for (const name of await readdir(directory).catch(() => [])) {
        const path = join(directory, name);
        const [team = "", channel = "", ts = ""] = name.split("_");
        const { mtimeMs } = await stat(path).catch(() => ({ mtimeMs: Date.now() }));
        if (Date.now() - mtimeMs < KEEP_AT_LEAST_MS) continue;
        if (await core.store.getSlackRequest(team, channel, ts)) continue;
        await rm(path, { recursive: true, force: true });
      }
    },
  };
}

function folderOf({ team, channel, ts }: MessageId): string {
  return [team, channel, ts].map((part) => part.replaceAll(/[^\w.-]/g, "")).join("_");
}

/** The name is a stranger's text: it must not leave the folder or hide. */
function safeName(name: string): string {
  const safe = name
    .toWellFormed()
    .replaceAll(/[^\p{L}\p{N}._ ()-]/gu, "_")
    .replace(/^\.+/, "_");
  return lastBytes(safe, MAX_NAME_BYTES) || "file";
}

/** The end of the text: a file's ending says what it is. */
function lastBytes(text: string, maxBytes: number): string {
  let end = text.slice(-maxBytes);
  while (Buffer.byteLength(end) > maxBytes) end = end.slice(1);
  // The cut may have left the second half of a surrogate pair.
  return end.replace(/^[\uDC00-\uDFFF]/, "");
}

async function download(
  { tokenOf, apiUrl }: SlackFilesOptions,
  team: string,
  file: Fields,
): Promise<Uint8Array | "tooLarge" | "notReadable"> {
  if ((numberOf(file["size"]) ?? 0) > MAX_BYTES) return "tooLarge";
  const url = textOf(file["url_private_download"]) ?? textOf(file["url_private"]) ?? "";
  const token = await tokenOf(team);
  if (token === undefined || !isSlackAddress(url, SLACK_HOST, apiUrl)) return "notReadable";
  const response = await fetch(url, {
    headers: { authorization: `Bearer ${token}` },
    // A redirect could lead the token to another host. It counts as an answer that is not a file.
    redirect: "manual",
    signal: AbortSignal.timeout(WITHIN_MS),
  }).catch(() => undefined);
  if (!response) throw new SlackCallFailed("unreachable", "file_download_failed");
  if (!response.ok || isLoginPage(response, file)) {
    await response.body?.cancel();
    return "notReadable";
  }
  return (await readAtMost(response, MAX_BYTES)) ?? "tooLarge";
}

/** Slack answers a token without the needed scope with a page to sign in, and status 200. */
function isLoginPage({ headers }: Response, { mimetype }: Fields): boolean {
  const type = headers.get("content-type") ?? "";
  return type.startsWith("text/html") && mimetype !== "text/html";
}

async function readAtMost({ body }: Response, maxBytes: number): Promise<Uint8Array | undefined> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of body ?? []) {
    size += chunk.byteLength;
    if (size > maxBytes) return undefined;
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

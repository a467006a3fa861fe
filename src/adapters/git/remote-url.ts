import { fieldsOfZ, nameOf } from "./fields.ts";
import type { GitShell } from "./shell.ts";

const READ = ["config", "--local", "-z", "--get-regexp", "^remote\\..*\\.url$"];
/** Others would start a program of their choice. */
const SCHEMES = /^(https?|ssh|git|file):\/\//;
/** `user@host:path`, as ssh reads it. */
const SCP_LIKE = /^[^/:\s-][^/:\s]*:(?!:)/;

/** `origin`, else the first remote, as it is written: each host has rewriting rules of its own. */
export async function remoteUrl(
  shell: GitShell,
  commonDirectory: string,
): Promise<string | undefined> {
  const { code, stdout } = await shell.inRepository(commonDirectory, READ);
  if (code !== 0) return undefined;
  const remotes = fieldsOfZ(stdout).map((field) => {
    const at = field.indexOf("\n");
    return { name: field.slice("remote.".length, at - ".url".length), url: field.slice(at + 1) };
  });
  const found = remotes.find(({ name }) => name === "origin") ?? remotes[0];
  return found && fetchableUrl(nameOf(found.url));
}

/** Without a password: a worker fetches with its own. undefined: only this host could use it. */
export function fetchableUrl(url: string): string | undefined {
  if (/\p{Cc}/u.test(url)) return undefined;
  if (url.startsWith("/")) return url;
  if (!url.includes("://")) return SCP_LIKE.test(url) ? url : undefined;
  if (!SCHEMES.test(url) || !URL.canParse(url)) return undefined;
  const parsed = new URL(url);
  const isHttp = parsed.protocol.startsWith("http");
  if (parsed.password === "" && !(isHttp && parsed.username !== "")) return url;
  parsed.password = "";
  // A token may be the name of the user.
  if (isHttp) parsed.username = "";
  return parsed.href;
}

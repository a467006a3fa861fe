import { readdir, readFile, readlink } from "node:fs/promises";
import { isRecord, numberOf } from "../../base/narrow.ts";

/** Best effort: describes the program that listens on this port, for an error message. */
export async function findPortOwner(host: string, port: number): Promise<string | undefined> {
  return (await askKuromajutsu(host, port)) ?? (await findProcess(port));
}

async function askKuromajutsu(host: string, port: number): Promise<string | undefined> {
  try {
    const answer = await fetch(
      `http://${host.includes(":") ? `[${host}]` : host}:${port}/api/health`,
      {
        signal: AbortSignal.timeout(1_000),
      },
    );
    const health: unknown = await answer.json();
    if (!isRecord(health) || health["ok"] !== true || !("version" in health)) return undefined;
    // With sign-in it answers strangers only that it runs.
    if (!("dataDir" in health)) {
      const process = await findProcess(port);
      return `another Kuromajutsu daemon${/ \(pid \d+\)$/.exec(process ?? "")?.[0] ?? ""}`;
    }
    const pid = numberOf(health["pid"]) ?? "?";
    return `another Kuromajutsu daemon (pid ${pid}, data ${String(health["dataDir"])})`;
  } catch {
    return undefined;
  }
}

/** Linux only: finds the inode of the socket in /proc/net, then the process that has it open. */
async function findProcess(port: number): Promise<string | undefined> {
  try {
    const inode = await listeningInode(port);
    return inode === undefined ? undefined : await ownerOf(`socket:[${inode}]`);
  } catch {
    return undefined;
  }
}

async function listeningInode(port: number): Promise<string | undefined> {
  const wanted = `:${port.toString(16).toUpperCase().padStart(4, "0")}`;
  for (const table of ["/proc/net/tcp", "/proc/net/tcp6"]) {
    const rows = (await readFile(table, "utf8").catch(() => "")).split("\n").slice(1);
    for (const row of rows) {
      const fields = row.trim().split(/\s+/);
      const isListening = fields[3] === "0A";
      if (isListening && fields[1]?.endsWith(wanted)) return fields[9];
    }
  }
  return undefined;
}

async function ownerOf(target: string): Promise<string | undefined> {
  for (const pid of await readdir("/proc")) {
    if (!/^\d+$/.test(pid)) continue;
    const fds = await readdir(`/proc/${pid}/fd`).catch(() => []);
    for (const fd of fds) {
      const link = await readlink(`/proc/${pid}/fd/${fd}`).catch(() => "");
      if (link !== target) continue;
      const name = (await readFile(`/proc/${pid}/comm`, "utf8").catch(() => "?")).trim();
      return `${name} (pid ${pid})`;
    }
  }
  return undefined;
}

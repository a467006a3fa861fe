import { spawnSync } from "node:child_process";

/**
 * How every program of PostgreSQL is started. Root may not start a server, so root starts it as the
 * user `nobody`: the user needs a line in the password file, and may not read our working directory.
 * The variables of our environment stay out, because PostgreSQL reads PGDATA, PGPORT and others.
 */
export type ServerUser = { readonly uid?: number; readonly gid?: number };

export const SERVER_USER: ServerUser =
  process.getuid?.() === 0 ? { uid: idOf("-u"), gid: idOf("-g") } : {};

export const SERVER_PROCESS = {
  cwd: "/",
  env: { PATH: process.env["PATH"] ?? "/usr/bin:/bin", LC_ALL: "C" },
} as const;

function idOf(option: "-u" | "-g"): number {
  const id = spawnSync("id", [option, "nobody"], { encoding: "utf8" });
  if (id.status === 0) return Number(id.stdout);
  throw new Error(
    "Root may not start PostgreSQL, and this machine has no user `nobody` to start it as. Run the tests as another user.",
  );
}

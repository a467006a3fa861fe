import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, rmSync, statSync, writeFileSync } from "node:fs";
import { homedir } from "node:os";
import { dirname, isAbsolute, join } from "node:path";
import { renderLaunchdPlist } from "../../adapters/service/launchd-plist.ts";
import { renderSystemdUnit } from "../../adapters/service/systemd-unit.ts";
import {
  ServiceFailed,
  type ServiceOptions,
  type ServicePlan,
  type ServiceProblem,
  type Services,
  type ServiceSpec,
} from "../../app/ports/service.ts";
import { isCode } from "../../base/error-code.ts";
import { isFromNpx, serveCommand } from "../entries.ts";
import { findPlace } from "./find-place.ts";

const SECRETS = `# Variables of the Kuromajutsu service, one NAME=value per line. Keep this file private (0600).
# Examples: ANTHROPIC_API_KEY, OPENAI_API_KEY, GEMINI_API_KEY, CURSOR_API_KEY, SLACK_BOT_TOKEN, KUROMAJUTSU_DATABASE_URL
`;

/** Settings of this terminal that the service must have too; keys belong into the file for secrets. */
const KEPT = [
  "PATH",
  "KUROMAJUTSU_DATA_DIR",
  "KUROMAJUTSU_PORT",
  "KUROMAJUTSU_BIND",
  "KUROMAJUTSU_SOCKET",
  "KUROMAJUTSU_AUDIT_KEY_FILE",
  "KUROMAJUTSU_SLACK_KEY_FILE",
  // They decide where the data directory and this user's templates are.
  "XDG_STATE_HOME",
  "XDG_CONFIG_HOME",
];

export function createServices(): Services {
  return {
    plan: (options) =>
      process.platform === "darwin" ? launchdPlan(options) : systemdPlan(options),
    problem,
    isInstalled: ({ path }) => existsSync(path),
    install(plan) {
      mkdirSync(dirname(plan.environmentFile), { recursive: true, mode: 0o700 });
      createSecrets(plan.environmentFile);
      mkdirSync(dirname(plan.path), { recursive: true });
      writeFileSync(plan.path, plan.text, { mode: 0o644 });
      for (const command of plan.start) run(command);
    },
    uninstall(plan) {
      for (const command of plan.stop) run(command);
      rmSync(plan.path, { force: true });
      for (const command of plan.afterRemoval) run(command);
    },
    status({ status: [program = "", ...args] }) {
      return spawnSync(program, args, { stdio: "inherit" }).status ?? 1;
    },
  };
}

function problem({ scope, runAs }: ServiceOptions): ServiceProblem | undefined {
  const { platform } = process;
  if (isFromNpx()) return { kind: "npx" };
  if (platform === "darwin") return undefined;
  if (platform !== "linux") return { kind: "platform", platform };
  const isContainer =
    existsSync("/.dockerenv") ||
    existsSync("/run/.containerenv") ||
    Boolean(process.env["container"]);
  const hasSystemd = statSync("/run/systemd/system", { throwIfNoEntry: false })?.isDirectory();
  if (!hasSystemd) return { kind: isContainer ? "container" : "no-systemd" };
  // Agents run as the user of the daemon.
  const isRoot = process.getuid?.() === 0;
  if (isRoot && (scope === "user" || (runAs ?? "root") === "root")) return { kind: "root" };
  return undefined;
}

function specOf(name: string, folder: string, runAs: string | undefined): ServiceSpec {
  const { config, dataDir } = findPlace();
  // A file that was found by searching keeps needing trust, so it is not named.
  const named = config?.explicit ? ["--config", config.path] : [];
  const environment = Object.fromEntries(
    KEPT.flatMap((key) => {
      const value = process.env[key];
      return value ? [[key, value]] : [];
    }),
  );
  return {
    name,
    command: [...serveCommand(), ...named],
    workingDirectory: process.cwd(),
    environment,
    environmentFile: join(folder, `${name}.env`),
    runAs,
    logFile: join(dataDir, "service.log"),
  };
}

function systemdPlan({ name, scope, runAs }: ServiceOptions): ServicePlan {
  const unit = unitName(name);
  const isSystem = scope === "system";
  const configured = process.env["XDG_CONFIG_HOME"];
  const home = configured && isAbsolute(configured) ? configured : join(homedir(), ".config");
  const folder = isSystem ? "/etc/kuromajutsu" : join(home, "kuromajutsu");
  const user = isSystem ? (runAs ?? process.env["USER"] ?? "kuromajutsu") : undefined;
  const spec = specOf(unit, folder, user);
  const systemctl = ["systemctl", ...(isSystem ? [] : ["--user"])];
  const file = `${unit}.service`;
  return {
    manager: "systemd",
    scope,
    name: unit,
    path: join(isSystem ? "/etc/systemd/system" : join(home, "systemd", "user"), file),
    text: renderSystemdUnit(spec),
    environmentFile: spec.environmentFile,
    start: [
      [...systemctl, "daemon-reload"],
      [...systemctl, "enable", "--now", file],
    ],
    stop: [[...systemctl, "disable", "--now", file]],
    afterRemoval: [[...systemctl, "daemon-reload"]],
    status: [...systemctl, "--no-pager", "status", file],
    needsRoot: isSystem && process.getuid?.() !== 0,
  };
}

function launchdPlan({ name }: ServiceOptions): ServicePlan {
  const label = `dev.${unitName(name)}`;
  const folder = join(homedir(), ".config", "kuromajutsu");
  const spec = specOf(label, folder, undefined);
  const domain = `gui/${process.getuid?.() ?? 0}`;
  const path = join(homedir(), "Library", "LaunchAgents", `${label}.plist`);
  return {
    manager: "launchd",
    scope: "user",
    name: label,
    path,
    text: renderLaunchdPlist(spec),
    environmentFile: spec.environmentFile,
    start: [["launchctl", "bootstrap", domain, path]],
    stop: [["launchctl", "bootout", `${domain}/${label}`]],
    afterRemoval: [],
    status: ["launchctl", "print", `${domain}/${label}`],
    needsRoot: false,
  };
}

const unitName = (name: string | undefined): string =>
  name === undefined ? "kuromajutsu" : `kuromajutsu-${name}`;

function createSecrets(path: string): void {
  try {
    writeFileSync(path, SECRETS, { mode: 0o600, flag: "wx" });
  } catch (error) {
    if (!isCode(error, "EEXIST")) throw error;
  }
}

function run(command: readonly string[]): void {
  const [program = "", ...args] = command;
  const done = spawnSync(program, args, { encoding: "utf8" });
  if (done.status === 0) return;
  throw new ServiceFailed(command.join(" "), (done.stderr || String(done.error ?? "")).trim());
}

import type { ServiceSpec } from "../../app/ports/service.ts";
import { requireOneLine } from "./require-one-line.ts";

/** The text of a systemd unit. Pure, so that `systemd-analyze verify` can check it in a test. */
export function renderSystemdUnit(spec: ServiceSpec): string {
  requireOneLine(spec);
  const { command, workingDirectory, environment, environmentFile, runAs } = spec;
  const variables = Object.entries(environment).map(
    ([name, value]) => `Environment=${quoted(`${name}=${value}`)}`,
  );
  return `${[
    "# Written by `kuromajutsu service install`; `kuromajutsu service uninstall` removes it.",
    "[Unit]",
    "Description=Kuromajutsu, a control room for AI agents",
    ...(runAs === undefined ? [] : ["After=network-online.target", "Wants=network-online.target"]),
    "StartLimitIntervalSec=60",
    "StartLimitBurst=5",
    "",
    "[Service]",
    "Type=exec",
    ...(runAs === undefined ? [] : [`User=${runAs}`]),
    `ExecStart=${command.map(argument).join(" ")}`,
    `WorkingDirectory=${plain(workingDirectory)}`,
    ...variables,
    "# Keys and tokens; only the owner can read it.",
    `EnvironmentFile=-${plain(environmentFile)}`,
    "# Agents outlive a restart of the daemon, which adopts them again: only the daemon is signalled.",
    "# A shutdown of the machine ends them too.",
    "KillMode=process",
    "TimeoutStopSec=60",
    "Restart=on-failure",
    "RestartSec=2",
    "UMask=0077",
    "",
    "[Install]",
    `WantedBy=${runAs === undefined ? "default.target" : "multi-user.target"}`,
  ].join("\n")}\n`;
}

/** `%` begins a specifier of systemd. */
const plain = (text: string): string => text.replaceAll("%", "%%");

const quoted = (text: string): string =>
  `"${plain(text)
    .replaceAll("\\", "\\\\")
    .replaceAll('"', String.raw`\"`)}"`;

/** In a command line `$` begins a variable. */
const argument = (text: string): string => quoted(text).replaceAll("$", "$$$$");

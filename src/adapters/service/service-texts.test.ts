import { spawnSync } from "node:child_process";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { aTempDir } from "../../../test/kit/tmp-dir.ts";
import type { ServiceSpec } from "../../app/ports/service.ts";
import { renderLaunchdPlist } from "./launchd-plist.ts";
import { renderSystemdUnit } from "./systemd-unit.ts";

const aSpec = (over: Partial<ServiceSpec> = {}): ServiceSpec => ({
  name: "kuromajutsu",
  command: [
    process.execPath,
    "/opt/kuro majutsu/bin/100%.js",
    "serve",
    "--config",
    "/a $HOME.yaml",
  ],
  workingDirectory: "/tmp",
  environment: { PATH: "/usr/bin:/bin", KUROMAJUTSU_DATA_DIR: '/srv/"data" 50%' },
  environmentFile: "/home/aoi/.config/kuromajutsu/kuromajutsu.env",
  runAs: undefined,
  logFile: "/home/aoi/service.log",
  ...over,
});

test("a systemd unit signals only the daemon, restarts it after a failure, and quotes every value", () => {
  const unit = renderSystemdUnit(aSpec()).split("\n");

  expect(unit).toContain("KillMode=process");
  expect(unit).toContain("Restart=on-failure");
  expect(unit).toContain("WantedBy=default.target");
  expect(unit).toContain(
    `ExecStart="${process.execPath}" "/opt/kuro majutsu/bin/100%%.js" "serve" "--config" "/a $$HOME.yaml"`,
  );
  expect(unit).toContain(String.raw`Environment="KUROMAJUTSU_DATA_DIR=/srv/\"data\" 50%%"`);
  expect(unit).toContain("EnvironmentFile=-/home/aoi/.config/kuromajutsu/kuromajutsu.env");
  expect(unit.join("\n")).not.toContain("User=");
});

test("a system unit runs as the named user", () => {
  const unit = renderSystemdUnit(aSpec({ runAs: "aoi" })).split("\n");

  expect(unit).toContain("User=aoi");
  expect(unit).toContain("WantedBy=multi-user.target");
});

test.for([undefined, "root"])("systemd-analyze accepts the unit (user: %s)", (runAs, context) => {
  if (spawnSync("systemd-analyze", ["--version"]).status !== 0) {
    return context.skip("systemd-analyze is not installed");
  }
  const dir = aTempDir();
  const path = join(dir, "kuromajutsu.service");
  mkdirSync(join(dir, "work"));
  writeFileSync(path, renderSystemdUnit(aSpec({ runAs, workingDirectory: join(dir, "work") })));

  const { status, stderr } = spawnSync("systemd-analyze", ["verify", "--man=no", path], {
    encoding: "utf8",
  });

  const ours = stderr.split("\n").filter((line) => line.includes("kuromajutsu.service"));
  expect({ status, ours }).toEqual({ status: 0, ours: [] });
});

test("a launchd agent is XML in which every value is escaped, and keeps agents when it restarts", () => {
  const plist = renderLaunchdPlist(aSpec({ workingDirectory: "/Users/aoi/a & b <c>" }));

  expect(plist).toContain("<string>/Users/aoi/a &amp; b &lt;c&gt;</string>");
  expect(plist).toContain("<key>AbandonProcessGroup</key>\n  <true/>");
  expect(plist).toContain("<string>/a $HOME.yaml</string>");
  expect(plist).not.toMatch(/&(?!amp;|lt;|gt;)/);
});

test.each([renderSystemdUnit, renderLaunchdPlist])(
  "a line break in a path or a variable adds no setting to the service (%o)",
  (render) => {
    const evil = "/srv/app\nExecStartPre=/tmp/evil";

    expect(() => render(aSpec({ workingDirectory: evil }))).toThrow("line break");
    expect(() => render(aSpec({ environment: { PATH: evil } }))).toThrow("line break");
    expect(() => render(aSpec({ command: [process.execPath, evil] }))).toThrow("line break");
  },
);

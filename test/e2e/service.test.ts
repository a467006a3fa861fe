import { existsSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { aPlace, BIN, command } from "../kit/daemon.ts";

test("service install --print prints the unit with absolute paths and changes nothing", async () => {
  const place = aPlace({ LANG: "en_US.UTF-8" });

  const { code, stdout } = await command(place, ["service", "install", "--print", "--name", "hr"]);

  expect(code).toBe(0);
  expect(stdout).toContain(`"${process.execPath}" "${BIN}" "serve"`);
  expect(stdout).toContain(`WorkingDirectory=${place.dir}`);
  expect(stdout).toContain(`KUROMAJUTSU_DATA_DIR=${place.dataDir}`);
  expect(stdout).toContain("kuromajutsu-hr.env");
  expect(existsSync(join(place.dir, ".config"))).toBe(false);
});

test("the service uses the same places as the terminal that installs it", async () => {
  const variables = {
    XDG_STATE_HOME: "/srv/state",
    XDG_CONFIG_HOME: "/srv/config",
    KUROMAJUTSU_AUDIT_KEY_FILE: "/srv/audit.key",
    KUROMAJUTSU_SLACK_KEY_FILE: "/srv/slack.key",
  };

  const { stdout } = await command(aPlace(variables), ["service", "install", "--print"]);

  for (const [name, value] of Object.entries(variables)) {
    expect(stdout).toContain(`Environment="${name}=${value}"`);
  }
});

test("service install without systemd, or as root, says what to do instead", async () => {
  const place = aPlace({ LANG: "en_US.UTF-8" });

  const { code, stderr } = await command(place, ["service", "install", "--yes"]);

  // A developer's machine with systemd has no terminal here, and a user manager that is not theirs.
  expect(code).toBe(1);
  expect(stderr).toMatch(/--print shows the unit|--as USER|failed:/);
  expect(await command(place, ["service", "status"])).toMatchObject({ code: 3 });
  expect(await command(place, ["service", "uninstall"])).toMatchObject({
    code: 1,
    stderr: expect.stringContaining("not installed"),
  });
  expect(readdirSync(place.dir)).not.toContain("data");
});

test("service commands refuse a name that systemd would not take", async () => {
  const place = aPlace({ LANG: "en_US.UTF-8" });

  const wrong = await command(place, ["service", "install", "--print", "--name", "../x"]);

  expect(wrong).toMatchObject({ code: 2, stderr: expect.stringContaining("lower-case letters") });
});

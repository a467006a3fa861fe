import { spawn } from "node:child_process";
import { expect, onTestFinished, test } from "vitest";
import { eventually } from "../../../../test/kit/fake-agent/supervised.ts";
import { createProcfs, parsePs, parseStat, procfs, ps, runPs } from "./process-table.ts";

test("a stat line is parsed even if the command name contains brackets", () => {
  const rest = `S 7 42 42 ${Array.from({ length: 15 }, () => 0).join(" ")} 9001 0`;

  expect(parseStat(`42 (a) b (c)) ${rest}`)).toEqual({
    pid: 42,
    parent: 7,
    group: 42,
    session: 42,
    start: "9001",
    command: "a) b (c)",
  });
  expect(parseStat(`42 (a) ${rest.replace("S", "Z")}`)).toBeUndefined();
  expect(parseStat("")).toBeUndefined();
});

test("the output of ps is parsed, without zombies", () => {
  const text = [
    "    1     0     1 Ss   Thu Nov  5 09:00:00 2026 /sbin/launchd",
    "  501     1   501 S    Thu Nov  5 09:00:01 2026 /Applications/A B.app/x y",
    "  502     1   501 Z    Thu Nov  5 09:00:01 2026 (x)",
    "",
  ].join("\n");

  const table = parsePs(text);

  expect([...table.keys()]).toEqual([1, 501]);
  expect(table.get(501)).toEqual({
    pid: 501,
    parent: 1,
    group: 501,
    session: 0,
    start: "Thu Nov 5 09:00:01 2026",
    command: "/Applications/A B.app/x y",
  });
});

test("/proc and ps list the same processes", async () => {
  const child = spawn("/bin/sh", ["-c", "sleep 30; :", "sh", "needle-in-the-table"], {
    env: { X_KUROMAJUTSU_AGENT_MARK: "not-1-this", KUROMAJUTSU_AGENT_MARK: "impl-1-a" },
    detached: true,
  });
  const pid = child.pid ?? 0;
  onTestFinished(() => void process.kill(-pid, "SIGKILL"));
  await eventually("its exec", () => procfs.agentMark(pid));

  for (const processes of [procfs, ps]) {
    const row = processes.table().get(pid);
    expect(row).toMatchObject({ pid, parent: process.pid, group: pid });
    expect(processes.get(pid)?.command).toBe(row?.command);
    expect(processes.isStillThere(pid, row?.start ?? "")).toBe(true);
    expect(processes.isStillThere(2 ** 22 + 1, "1")).toBe(false);
    expect(processes.get(2 ** 22 + 1)).toBeUndefined();
    expect(processes.isMentioned("needle-in-the-table")).toBe(true);
    expect(processes.isMentioned("needle-in-no-table")).toBe(false);
  }
  expect(procfs.agentMark(pid)).toBe("impl-1-a");
  expect(procfs.agentMark(process.pid)).toBeUndefined();
  expect(procfs.isStillThere(pid, "1")).toBe(false);
});

test("an agent of an older build is recognised by its id", async () => {
  const env = { X_KUROMAJUTSU_AGENT_ID: "not-1-this", KUROMAJUTSU_AGENT_ID: "impl-1-a" };
  const child = spawn("/bin/sleep", ["30"], { env });
  onTestFinished(() => void child.kill("SIGKILL"));

  expect(await eventually("its exec", () => procfs.agentMark(child.pid ?? 0))).toBe("impl-1-a");
});

function failingWith(code: string) {
  return createProcfs(() => {
    throw Object.assign(new Error(code), { code });
  });
}

test.each(["ENOENT", "ESRCH", "EACCES", "EPERM"])(
  "a process whose entry answers %s is gone or another user's",
  (code) => {
    expect(failingWith(code).get(process.pid)).toBeUndefined();
    expect(failingWith(code).isStillThere(process.pid, "1")).toBe(false);
  },
);

test.each(["EMFILE", "ENFILE", "ENOMEM", "EIO"])(
  "a process whose entry answers %s is not known to be gone",
  (code) => {
    expect(() => failingWith(code).get(process.pid)).toThrow(code);
    expect(() => failingWith(code).isStillThere(process.pid, "1")).toThrow(code);
  },
);

test("unreadable processes of other users are left out of the table; other errors are thrown", () => {
  expect(failingWith("EACCES").table().size).toBe(0);
  expect(failingWith("EACCES").agentMark(process.pid)).toBeUndefined();
  expect(() => failingWith("EMFILE").table()).toThrow("EMFILE");
  expect(() => failingWith("EMFILE").agentMark(process.pid)).toThrow("EMFILE");
});

test("a ps that could not run, or failed, is not taken for an empty answer", () => {
  expect(runPs(["-c", "exit 1"], "/bin/sh")).toBe("");
  expect(() => runPs(["-c", "exit 2"], "/bin/sh")).toThrow("Command failed");
  expect(() => runPs(["-c", "kill -9 $$"], "/bin/sh")).toThrow("Command failed");
  expect(() => runPs([], "/no/such/ps")).toThrow("ENOENT");
});

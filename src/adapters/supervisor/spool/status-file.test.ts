import { expect, test } from "vitest";
import { parseStatus } from "./status-file.ts";

const STAT = `77 (sh) S ${Array.from({ length: 18 }, (_, index) => index).join(" ")} 533150 0 0`;

test("a status file has the pid, the start time and the exit code", () => {
  expect(parseStatus(`boot b-1\npid ${STAT}\nexit 137\n`)).toEqual({
    bootId: "b-1",
    process: { pid: 77, start: "533150" },
    exitCode: 137,
  });
});

test("without /proc the start time is the output of ps, with its padding removed", () => {
  const { process } = parseStatus("boot b\npid 77 (sh) Thu Nov  5 09:00:00 2026   \n");

  expect(process).toEqual({ pid: 77, start: "Thu Nov 5 09:00:00 2026" });
});

test("a line of the status file without its newline is ignored", () => {
  expect(parseStatus(`boot b-1\npid ${STAT}`).process).toBeNull();
  expect(parseStatus(`boot b-1\npid ${STAT}\nexit 1`).exitCode).toBeNull();
  expect(parseStatus("")).toEqual({ bootId: null, process: null, exitCode: null });
});

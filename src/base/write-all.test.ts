import { expect, test } from "vitest";
import { writeAll } from "./write-all.ts";

test("writeAll waits while a pipe or a disk is full, and writes everything", () => {
  const obstacles = ["EAGAIN", "ENOSPC", "EDQUOT"];
  let written = "";

  writeAll(1, "one line\n", (_, data) => {
    const code = obstacles.pop();
    if (code !== undefined) throw Object.assign(new Error(code), { code });
    written += Buffer.from(data.subarray(0, 4)).toString("utf8");
    return Math.min(4, data.length);
  });

  expect(written).toBe("one line\n");
});

function broken(): never {
  throw Object.assign(new Error("EIO"), { code: "EIO" });
}

test("writeAll throws every other error", () => {
  expect(() => writeAll(1, "one line\n", broken)).toThrow("EIO");
});

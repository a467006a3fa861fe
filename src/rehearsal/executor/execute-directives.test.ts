import { describe, expect, test } from "vitest";
import { aPlay } from "../../../test/kit/rehearsal/a-play.ts";
import { AskedToFail } from "../perform.ts";

describe("directives for the executor", () => {
  test("arg sets an argument, also one that could not be filled", async () => {
    const request = `x
#rehearsal arg step-1.month "2020-01"
#rehearsal arg step-1.extra [1]
#rehearsal arg step-2.title "題"`;
    const { play, callsOf } = aPlay({ request });

    expect(await play()).toMatchObject({ result: "success" });
    expect(callsOf("list")).toEqual([{ month: "2020-01", extra: [1] }]);
    expect(callsOf("store")).toMatchObject([{ title: "題" }]);
  });

  test("before and after run a directive around a step", async () => {
    const request = `9月
#rehearsal before step-2 tool get_notifications {}
#rehearsal after step-1 tool list_roles {}`;
    const { play, names } = aPlay({ request });

    await play();

    expect(names()).toEqual([
      "report_progress",
      "list",
      "list_roles",
      "get_notifications",
      "report_progress",
      "store",
    ]);
  });

  test("fail at a step ends the execution without a report", async () => {
    const { play, names } = aPlay({ request: "9月\n#rehearsal before step-2 fail 停電" });

    await expect(play()).rejects.toThrow(new AskedToFail("停電"));
    expect(names()).toEqual(["report_progress", "list"]);
  });

  test("first applies only to the first attempt", async () => {
    const request = "9月\n#rehearsal first before step-1 fail 停電";

    await expect(aPlay({ request }).play()).rejects.toThrow("停電");
    expect(await aPlay({ request, attempt: 2 }).play()).toMatchObject({ result: "success" });
  });

  test("report at a step ends the execution", async () => {
    const { play, names } = aPlay({
      request: "9月\n#rehearsal after step-1 report failure やめた",
    });
    await play().catch(() => undefined);

    expect(names()).not.toContain("store");
  });

  test("a directive for a missing step is reported as a failure", async () => {
    const { play, names } = aPlay({ request: "9月\n#rehearsal before step-7 sleep 1" });

    expect(await play()).toMatchObject({
      result: "failure",
      summary: expect.stringContaining("step-7"),
    });
    expect(names()).toEqual([]);
  });
});

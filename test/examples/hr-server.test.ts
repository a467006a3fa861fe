import { execFileSync } from "node:child_process";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { Client } from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";
import { expect, onTestFinished, test } from "vitest";
import { parse } from "yaml";
import { z } from "zod";
import { configSchema } from "../../src/contract/config/schema.ts";
import { aTempDir } from "../kit/tmp-dir.ts";

const HR = fileURLToPath(new URL("../../examples/hr/", import.meta.url));
const RENAMED = fileURLToPath(new URL("../kit/upstream/renamed-server.ts", import.meta.url));

async function aServer(args: readonly string[] = [join(HR, "server.js")]) {
  const output = join(aTempDir(), "made", "for it");
  const client = new Client({ name: "test", version: "1" });
  const env = { HR_OUTPUT_DIR: output };
  await client.connect(
    new StdioClientTransport({ command: process.execPath, args: [...args], env }),
  );
  onTestFinished(() => client.close());
  return {
    output,
    tools: async () => (await client.listTools()).tools,
    call: async (name: string, given: Record<string, unknown>) => {
      const answer = await client.callTool({ name, arguments: given });
      if (answer.isError) throw new Error(JSON.stringify(answer.content));
      return z.record(z.string(), z.unknown()).parse(answer.structuredContent);
    },
  };
}

test.each(["2026-08", "2026-09", "2026-10"])(
  "the totals of %s are those that other code finds in the files",
  async (month) => {
    const { call } = await aServer();
    const { employees, employeeIds } = await call("list_employees", {});
    const { attendance } = await call("list_attendance", { month, employeeIds });

    const { rows, totalOvertimeMinutes } = await call("calculate_overtime", {
      employees,
      attendance,
    });

    const found = z
      .array(z.looseObject({ employeeId: z.string(), overtimeMinutes: z.number() }))
      .parse(rows);
    const expected = z
      .record(z.string(), z.number())
      .parse(
        JSON.parse(
          execFileSync(process.execPath, [join(HR, "totals.js"), month], { encoding: "utf8" }),
        ),
      );
    expect(
      Object.fromEntries(
        found.map(({ employeeId, overtimeMinutes }) => [employeeId, overtimeMinutes]),
      ),
    ).toEqual(expected);
    expect(totalOvertimeMinutes).toBe(Object.values(expected).reduce((sum, one) => sum + one, 0));
  },
);

test("the summary of a sheet with an English name is English", async () => {
  const { call } = await aServer();
  const sheet = { sheetName: "Overtime of September", rows: [{ minutes: 10 }] };

  expect(await call("write_rows_to_google_sheet", sheet)).toMatchObject({
    summary: "Wrote 1 row to the sheet “Overtime of September” (replaced).",
  });
});

test("a sheet is replaced or appended to, and says which", async () => {
  const { call, output } = await aServer();
  const sheet = { sheetName: "../9月: 集計", rows: [{ 名前: '佐藤, "美咲"', 分: 10 }] };

  expect(await call("write_rows_to_google_sheet", sheet)).toMatchObject({ mode: "replace" });
  expect(await call("write_rows_to_google_sheet", sheet)).toMatchObject({ mode: "replace" });
  expect(await call("write_rows_to_google_sheet", { ...sheet, mode: "append" })).toMatchObject({
    mode: "append",
    summary: expect.stringContaining("1 行を追記しました"),
  });

  const [file = "", ...others] = readdirSync(output);
  expect(others).toEqual([]);
  expect(readFileSync(join(output, file), "utf8")).toBe(
    '名前,分\n"佐藤, ""美咲""",10\n"佐藤, ""美咲""",10\n',
  );
  await expect(
    call("write_rows_to_google_sheet", { ...sheet, rows: [{ 別: 1 }], mode: "append" }),
  ).rejects.toThrow("追記できません");
});

test("readers say that they only read, the sheet that it destroys, the message that it does not", async () => {
  const { tools } = await aServer();

  const hints = (await tools()).map(({ name, annotations, outputSchema }) => [
    name,
    annotations?.readOnlyHint,
    annotations?.destructiveHint,
    outputSchema !== undefined,
  ]);

  expect(hints).toEqual([
    ["list_employees", true, undefined, true],
    ["list_attendance", true, undefined, true],
    ["calculate_overtime", true, undefined, true],
    ["write_rows_to_google_sheet", false, true, true],
    ["send_slack_dm", false, false, true],
  ]);
});

test("its configuration can be read, and names files that are there", () => {
  const config = configSchema.parse(
    parse(readFileSync(join(HR, "kuromajutsu.config.yaml"), "utf8")),
  );

  const { args, cwd } = z
    .looseObject({ args: z.array(z.string()), cwd: z.string() })
    .parse(config.mcpServers["hr"]);
  expect(existsSync(resolve(HR, cwd, args[0] ?? ""))).toBe(true);
});

test("the renamed server shows no name and no word of the original", async () => {
  const original = await (await aServer()).tools();
  const renamed = await (await aServer([RENAMED, "7", join(HR, "server.js")])).tools();

  const words = /employee|attendance|overtime|sheet|slack|month|summary|rows|clock|残業|勤怠/gi;
  expect(renamed).toHaveLength(original.length + 2);
  expect(JSON.stringify(original).match(words)?.length).toBeGreaterThan(20);
  expect(JSON.stringify(renamed).match(words)).toBeNull();
});

// An upstream MCP server over stdio with sample data: the five tools of a small HR department.
// Plain JavaScript, so that it runs from a checkout without a build, on any Node from 20 on.
import { appendFileSync, mkdirSync } from "node:fs";
import { join, resolve } from "node:path";
import { McpServer } from "@modelcontextprotocol/server";
import { serveStdio } from "@modelcontextprotocol/server/stdio";
import * as z from "zod";
import { monthsOnRecord, readAttendance, readEmployees, readHolidays } from "./data.js";
import { overtimeRows } from "./overtime.js";
import { isJapanese, writeSheet } from "./sheet.js";

/** Where sheets and messages go. */
const OUTPUT = resolve(process.env.HR_OUTPUT_DIR || "output");

const departments = [...new Set(readEmployees().map(({ department }) => department))];
const employee = z.object({
  employeeId: z.string().describe("社員番号"),
  name: z.string(),
  department: z.string(),
  scheduledMinutes: z.int().describe("1 日の所定労働時間 (分)"),
});
const workday = z.object({
  employeeId: z.string(),
  date: z.string().describe("YYYY-MM-DD"),
  clockIn: z.string().describe("HH:MM"),
  clockOut: z.string().describe("HH:MM。日をまたぐと 25:10 のように書く"),
  breakMinutes: z.int(),
});
const overtimeRow = z.object({
  employeeId: z.string(),
  name: z.string(),
  department: z.string(),
  workDays: z.int(),
  overtimeMinutes: z.int(),
  overtimeHours: z.number(),
  isOverLimit: z.boolean().describe("月 45 時間を超えた"),
});
const month = z.enum(monthsOnRecord()).describe("記録のある月。YYYY-MM");

/** The result also as text, for clients that do not read structured content. */
function answer(structuredContent) {
  const text = JSON.stringify(structuredContent);
  return { content: [{ type: "text", text }], structuredContent };
}

/** One sentence for people, in the language of the sheet's name, which comes from the request. */
function summaryOf(sheetName, { mode, rowsWritten }) {
  if (isJapanese(sheetName)) {
    const how = mode === "append" ? "追記しました" : "書き込みました (置き換え)";
    return `シート「${sheetName}」に ${rowsWritten} 行を${how}。`;
  }
  const rows = rowsWritten === 1 ? "1 row" : `${rowsWritten} rows`;
  return mode === "append"
    ? `Appended ${rows} to the sheet “${sheetName}”.`
    : `Wrote ${rows} to the sheet “${sheetName}” (replaced).`;
}

function createServer() {
  const server = new McpServer({ name: "hr-example", version: "1.0.0" });

  server.registerTool(
    "list_employees",
    {
      title: "従業員一覧を取得 / List employees",
      description:
        "従業員の一覧を返します。部署で絞り込めます。Returns the employees, of one department if it is given.",
      inputSchema: z.object({ department: z.enum(departments).optional() }),
      outputSchema: z.object({
        employees: z.array(employee),
        employeeIds: z.array(z.string()).describe("employees の社員番号だけ"),
      }),
      annotations: { readOnlyHint: true },
    },
    ({ department }) => {
      const employees = readEmployees().filter(
        (one) => department === undefined || one.department === department,
      );
      return answer({ employees, employeeIds: employees.map(({ employeeId }) => employeeId) });
    },
  );

  server.registerTool(
    "list_attendance",
    {
      title: "勤怠データ取得 / Get attendance records",
      description:
        "指定した月の、指定した従業員の勤怠を返します。Returns the attendance of these employees in this month.",
      inputSchema: z.object({ month, employeeIds: z.array(z.string()) }),
      outputSchema: z.object({ month, attendance: z.array(workday) }),
      annotations: { readOnlyHint: true },
    },
    ({ month: wanted, employeeIds }) => {
      const ids = new Set(employeeIds);
      const attendance = readAttendance(wanted).filter(({ employeeId }) => ids.has(employeeId));
      return answer({ month: wanted, attendance });
    },
  );

  server.registerTool(
    "calculate_overtime",
    {
      title: "残業時間計算 / Calculate overtime",
      description:
        "勤怠から従業員ごとの残業時間を計算します。勤務日は所定労働時間を超えた分、土日と祝日は働いた時間のすべてです。Calculates the overtime of each employee: time beyond the scheduled hours, and all work on weekends and holidays.",
      inputSchema: z.object({ employees: z.array(employee), attendance: z.array(workday) }),
      outputSchema: z.object({ rows: z.array(overtimeRow), totalOvertimeMinutes: z.int() }),
      annotations: { readOnlyHint: true },
    },
    ({ employees, attendance }) => {
      const rows = overtimeRows(employees, attendance, readHolidays());
      const totalOvertimeMinutes = rows.reduce((sum, row) => sum + row.overtimeMinutes, 0);
      return answer({ rows, totalOvertimeMinutes });
    },
  );

  server.registerTool(
    "write_rows_to_google_sheet",
    {
      title: "Sheet 書き込み / Write the sheet",
      description:
        "行をシートに書き込みます。この見本では、出力ディレクトリの CSV ファイルがシートです。Writes rows to a sheet, here a CSV file in the output directory.",
      inputSchema: z.object({
        sheetName: z.string().min(1).max(100),
        rows: z.array(z.record(z.string(), z.union([z.string(), z.number(), z.boolean()]))),
        mode: z.enum(["replace", "append"]).default("replace").describe("置き換えるか、追記するか"),
      }),
      outputSchema: z.object({
        sheetName: z.string(),
        path: z.string(),
        mode: z.enum(["replace", "append"]),
        rowsWritten: z.int(),
        summary: z.string().describe("何をしたか。人に伝える一文"),
      }),
      annotations: { readOnlyHint: false, destructiveHint: true, idempotentHint: false },
    },
    ({ sheetName, rows, mode }) => {
      const written = writeSheet(OUTPUT, { sheetName, rows, mode });
      return answer({ sheetName, ...written, summary: summaryOf(sheetName, written) });
    },
  );

  server.registerTool(
    "send_slack_dm",
    {
      title: "完了通知 / Send a completion message",
      description:
        "Slack のダイレクトメッセージを送ります。この見本では、出力ディレクトリの outbox.jsonl に 1 行を足します。Sends a Slack message, here one line in outbox.jsonl of the output directory.",
      inputSchema: z.object({
        summary: z.string().min(1).describe("本文"),
        to: z.string().default("@jinji").describe("宛先。省略すると人事の担当者"),
      }),
      outputSchema: z.object({ to: z.string(), sentAt: z.string() }),
      annotations: { readOnlyHint: false, destructiveHint: false, idempotentHint: false },
    },
    ({ summary, to }) => {
      mkdirSync(OUTPUT, { recursive: true });
      const sentAt = new Date().toISOString();
      appendFileSync(
        join(OUTPUT, "outbox.jsonl"),
        `${JSON.stringify({ to, text: summary, sentAt })}\n`,
      );
      return answer({ to, sentAt });
    },
  );

  return server;
}

serveStdio(createServer);

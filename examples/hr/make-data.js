// Writes data/: the same files every time. Run it again only to change the sample data:
//   node examples/hr/make-data.js
import { mkdirSync, writeFileSync } from "node:fs";

const DATA = new URL("./data/", import.meta.url);

/** [姓名, 部署, 所定労働時間 (分)] */
const PEOPLE = [
  ["佐藤 美咲", "人事部", 480],
  ["鈴木 健太", "人事部", 480],
  ["高橋 由美子", "人事部", 360],
  ["田中 翔", "営業部", 480],
  ["伊藤 さくら", "営業部", 480],
  ["渡辺 大輔", "営業部", 480],
  ["山本 葵", "営業部", 480],
  ["中村 拓也", "営業部", 480],
  ["小林 恵", "営業部", 360],
  ["加藤 亮", "開発部", 480],
  ["吉田 千尋", "開発部", 480],
  ["山田 一郎", "開発部", 480],
  ["佐々木 楓", "開発部", 480],
  ["山口 悠真", "開発部", 480],
  ["松本 凛", "開発部", 480],
  ["井上 直樹", "開発部", 480],
  ["木村 陽菜", "開発部", 420],
  ["林 誠", "経理部", 480],
  ["清水 彩香", "経理部", 480],
  ["斎藤 修", "経理部", 480],
  ["山崎 真理", "カスタマーサポート部", 480],
  ["森 蓮", "カスタマーサポート部", 480],
  ["池田 結衣", "カスタマーサポート部", 480],
  ["橋本 勇気", "カスタマーサポート部", 360],
];
const MONTHS = ["2026-08", "2026-09", "2026-10"];
/** 国民の祝日と休日。 */
const HOLIDAYS = new Set(["2026-08-11", "2026-09-21", "2026-09-22", "2026-09-23", "2026-10-12"]);
/** 忙しさ: 部署と月で変わる、1 日あたりの残業の見込み (分)。 */
const BUSY = {
  人事部: { "2026-08": 15, "2026-09": 25, "2026-10": 60 },
  営業部: { "2026-08": 30, "2026-09": 80, "2026-10": 45 },
  開発部: { "2026-08": 45, "2026-09": 95, "2026-10": 70 },
  経理部: { "2026-08": 20, "2026-09": 90, "2026-10": 30 },
  カスタマーサポート部: { "2026-08": 60, "2026-09": 35, "2026-10": 40 },
};

let state = 20_260_915;
/** A random generator with the same numbers on every machine. */
function random() {
  state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
  return state / 2 ** 32;
}

function clock(minutes) {
  // 日をまたぐ退勤は、日本の勤怠表の書き方で 25:10 のように書く。
  return `${String(Math.floor(minutes / 60)).padStart(2, "0")}:${String(minutes % 60).padStart(2, "0")}`;
}

function daysOf(month) {
  const [year, number] = month.split("-").map(Number);
  const count = new Date(Date.UTC(year, number, 0)).getUTCDate();
  return Array.from(
    { length: count },
    (_, index) => `${month}-${String(index + 1).padStart(2, "0")}`,
  );
}

function isWorkday(date) {
  const day = new Date(`${date}T00:00:00Z`).getUTCDay();
  return day !== 0 && day !== 6 && !HOLIDAYS.has(date);
}

function workOn(employee, date) {
  const busy = BUSY[employee.department][date.slice(0, 7)];
  if (!isWorkday(date)) {
    // 月に一度あるかないかの休日出勤。
    if (employee.scheduledMinutes < 480 || random() > busy / 2_500) return undefined;
    const start = 600 + Math.floor(random() * 60);
    const breakMinutes = 60;
    return { start, end: start + 240 + Math.floor(random() * 180), breakMinutes };
  }
  if (random() < 0.05) return undefined; // 有給休暇
  const start = 535 + Math.floor(random() * 25);
  const breakMinutes = employee.scheduledMinutes > 360 ? 60 : 45;
  const isPartTime = employee.scheduledMinutes < 480;
  const isRush = !isPartTime && random() < busy / 380;
  const extra = isPartTime
    ? Math.floor(random() * 20) - 8
    : Math.floor((random() - 0.25) * busy * 1.6) + (isRush ? 150 + Math.floor(random() * 260) : 0);
  return { start, end: start + employee.scheduledMinutes + breakMinutes + extra, breakMinutes };
}

const employees = PEOPLE.map(([name, department, scheduledMinutes], index) => ({
  employeeId: `E${String(index + 1).padStart(3, "0")}`,
  name,
  department,
  scheduledMinutes,
}));

mkdirSync(DATA, { recursive: true });
const lines = employees.map((employee) => `  ${JSON.stringify(employee)}`);
writeFileSync(new URL("employees.json", DATA), `[\n${lines.join(",\n")}\n]\n`);
writeFileSync(new URL("holidays.json", DATA), `${JSON.stringify([...HOLIDAYS])}\n`);
for (const month of MONTHS) {
  const rows = ["employeeId,date,clockIn,clockOut,breakMinutes"];
  for (const employee of employees) {
    for (const date of daysOf(month)) {
      const work = workOn(employee, date);
      if (!work) continue;
      const { start, end, breakMinutes } = work;
      rows.push([employee.employeeId, date, clock(start), clock(end), breakMinutes].join(","));
    }
  }
  writeFileSync(new URL(`attendance-${month}.csv`, DATA), `${rows.join("\n")}\n`);
}

// Computes the totals from the files without the server's code, to compare a sheet with them.
//   node examples/hr/totals.js 2026-09
import { readFileSync } from "node:fs";

const DAY = 24 * 60 * 60 * 1000;
const month = process.argv[2] ?? "2026-09";
const file = (name) => readFileSync(new URL(`data/${name}`, import.meta.url), "utf8");

/** Milliseconds since 1970 of a date and a clock time, which may be past midnight (25:10). */
function moment(date, clock) {
  const overnight = Number(clock.slice(0, 2)) >= 24;
  const hour = String(Number(clock.slice(0, 2)) - (overnight ? 24 : 0)).padStart(2, "0");
  return Date.parse(`${date}T${hour}${clock.slice(2)}:00Z`) + (overnight ? DAY : 0);
}

const totals = {};
const staff = {};
for (const person of JSON.parse(file("employees.json"))) {
  staff[person.employeeId] = person;
  totals[person.employeeId] = 0;
}
const records = file(`attendance-${month}.csv`).matchAll(
  /^(E\d+),([\d-]+),([\d:]+),([\d:]+),(\d+)$/gm,
);
for (const [, id, date, from, to, pause] of records) {
  const worked = (moment(date, to) - moment(date, from)) / 60_000 - Number(pause);
  const weekday = new Intl.DateTimeFormat("en", { weekday: "short", timeZone: "UTC" }).format(
    Date.parse(date),
  );
  const isDayOff = weekday.startsWith("S") || file("holidays.json").includes(`"${date}"`);
  const regular = isDayOff ? 0 : staff[id].scheduledMinutes;
  if (worked > regular) totals[id] += worked - regular;
}
process.stdout.write(`${JSON.stringify(totals)}\n`);

// Reads the company's records from the files in data/.
import { readdirSync, readFileSync } from "node:fs";
import { pathToFileURL } from "node:url";

/** HR_DATA_DIR: the server was bundled, so the files are no longer beside it. */
const DATA = process.env.HR_DATA_DIR
  ? pathToFileURL(`${process.env.HR_DATA_DIR}/`)
  : new URL("./data/", import.meta.url);

/** @returns {{employeeId: string, name: string, department: string, scheduledMinutes: number}[]} */
export function readEmployees() {
  return JSON.parse(readFileSync(new URL("employees.json", DATA), "utf8"));
}

/** @returns {string[]} national holidays, YYYY-MM-DD */
export function readHolidays() {
  return JSON.parse(readFileSync(new URL("holidays.json", DATA), "utf8"));
}

/** @returns {string[]} months with records, YYYY-MM */
export function monthsOnRecord() {
  return readdirSync(DATA)
    .map((name) => /^attendance-(\d{4}-\d{2})\.csv$/.exec(name)?.[1] ?? "")
    .filter((month) => month !== "")
    .sort();
}

/**
 * @param {string} month
 * @returns {{employeeId: string, date: string, clockIn: string, clockOut: string, breakMinutes: number}[]}
 */
export function readAttendance(month) {
  const text = readFileSync(new URL(`attendance-${month}.csv`, DATA), "utf8");
  const [, ...lines] = text.trimEnd().split("\n");
  return lines.map((line) => {
    const [employeeId, date, clockIn, clockOut, breakMinutes] = line.split(",");
    return { employeeId, date, clockIn, clockOut, breakMinutes: Number(breakMinutes) };
  });
}

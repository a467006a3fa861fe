// 残業 = 勤務日は所定労働時間を超えた分、土日と祝日は働いた時間のすべて。

/** 36 協定の原則の上限: 月 45 時間。 */
const LIMIT_MINUTES = 45 * 60;

/**
 * @param {readonly {employeeId: string, name: string, department: string, scheduledMinutes: number}[]} employees
 * @param {readonly {employeeId: string, date: string, clockIn: string, clockOut: string, breakMinutes: number}[]} attendance
 * @param {readonly string[]} holidays
 */
export function overtimeRows(employees, attendance, holidays) {
  const free = new Set(holidays);
  return employees.map(({ employeeId, name, department, scheduledMinutes }) => {
    const days = attendance.filter((day) => day.employeeId === employeeId);
    const overtimeMinutes = days
      .map((day) => {
        const worked = minutesOf(day.clockOut) - minutesOf(day.clockIn) - day.breakMinutes;
        return isFree(day.date, free) ? worked : Math.max(0, worked - scheduledMinutes);
      })
      .reduce((sum, minutes) => sum + minutes, 0);
    return {
      employeeId,
      name,
      department,
      workDays: days.length,
      overtimeMinutes,
      overtimeHours: Math.round((overtimeMinutes / 60) * 100) / 100,
      isOverLimit: overtimeMinutes > LIMIT_MINUTES,
    };
  });
}

/** `25:10` is ten past one of the next day. @param {string} clock */
function minutesOf(clock) {
  const [hours, minutes] = clock.split(":").map(Number);
  return hours * 60 + minutes;
}

/** @param {string} date @param {ReadonlySet<string>} holidays */
function isFree(date, holidays) {
  const day = new Date(`${date}T00:00:00Z`).getUTCDay();
  return day === 0 || day === 6 || holidays.has(date);
}

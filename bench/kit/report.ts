import { availableParallelism, cpus, loadavg } from "node:os";
import type { Figure, Goal } from "./bench.ts";
import { median } from "./stats.ts";

export type Line = {
  readonly name: string;
  readonly unit: Figure["unit"];
  readonly product: number;
  readonly floor: number | null;
  readonly ratio: number | null;
  readonly goal: string;
  readonly verdict: "ok" | "over";
  readonly samples: Pick<Figure, "product" | "floor">;
};

export function lineOf({ name, unit, product, floor, goal }: Figure): Line {
  const ours = median(product);
  const bare = floor.length > 0 ? median(floor) : null;
  const ratio = bare === null ? null : ours / bare;
  return {
    name,
    unit,
    product: ours,
    floor: bare,
    ratio,
    goal: saidOf(goal, unit),
    verdict: ours <= mostOf(goal, bare) ? "ok" : "over",
    samples: { product, floor },
  };
}

function mostOf(goal: Goal, floor: number | null): number {
  if ("atMost" in goal) return goal.atMost;
  if (floor === null) return Number.NaN;
  return "timesFloor" in goal ? floor * goal.timesFloor : floor + goal.aboveFloor;
}

function saidOf(goal: Goal, unit: Figure["unit"]): string {
  if ("atMost" in goal) return `<= ${goal.atMost} ${unit}`;
  return "timesFloor" in goal ? `<= ${goal.timesFloor}x` : `<= floor + ${goal.aboveFloor} ${unit}`;
}

export function machineFacts() {
  const [load = 0] = loadavg();
  return {
    node: process.version,
    cpu: cpus()[0]?.model ?? "unknown",
    cores: availableParallelism(),
    load: Math.round(load * 100) / 100,
  };
}

export function renderTable(lines: readonly Line[]): string {
  const rows = [
    ["name", "product", "floor", "ratio", "goal", "verdict"],
    ...lines.map((line) => [
      line.name,
      `${round(line.product)} ${line.unit}`,
      line.floor === null ? "-" : `${round(line.floor)} ${line.unit}`,
      line.ratio === null ? "-" : `${line.ratio.toFixed(2)}x`,
      line.goal,
      line.verdict,
    ]),
  ];
  const widths = (rows[0] ?? []).map((_, column) =>
    Math.max(...rows.map((row) => row[column]?.length ?? 0)),
  );
  return rows
    .map((row) => row.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join(" | "))
    .join("\n");
}

function round(value: number): string {
  return Math.abs(value) >= 100 ? value.toFixed(0) : value.toFixed(2);
}

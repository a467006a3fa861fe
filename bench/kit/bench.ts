import type { Product } from "./product.ts";

/** The goal of a figure: a factor of its floor, an amount above it, or an absolute limit in its unit. */
export type Goal =
  | { readonly timesFloor: number }
  | { readonly aboveFloor: number }
  | { readonly atMost: number };

export type Figure = {
  readonly name: string;
  readonly unit: "ms" | "KB";
  /** Every repetition; the table shows medians. */
  readonly product: readonly number[];
  /** The same work without our code, measured in the same minutes; none for memory. */
  readonly floor: readonly number[];
  readonly goal: Goal;
};

export type Context = {
  readonly product: Product;
  /** Processes added here are ended with the benchmark, however it ends. */
  readonly ends: AsyncDisposableStack;
  /** Reports progress on stderr, so that minutes of silence are not mistaken for a hang. */
  say(text: string): void;
};

export type Bench = (context: Context) => Promise<readonly Figure[]>;

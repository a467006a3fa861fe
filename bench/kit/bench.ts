import type { Product } from "./product.ts";

/** Where a figure should be: so many times its floor, so much above it, or below a value in its own unit. */
export type Goal =
  | { readonly timesFloor: number }
  | { readonly aboveFloor: number }
  | { readonly atMost: number };

export type Figure = {
  readonly name: string;
  readonly unit: "ms" | "KB";
  /** Every repetition; the table shows medians. */
  readonly product: readonly number[];
  /** The same work with nothing of ours in it, from the same minutes; none for memory. */
  readonly floor: readonly number[];
  readonly goal: Goal;
};

export type Context = {
  readonly product: Product;
  /** Whatever is started is put here, and ends with the benchmark however that ends. */
  readonly ends: AsyncDisposableStack;
  /** Says on stderr what is being done, so that minutes of silence are not mistaken for a hang. */
  say(text: string): void;
};

export type Bench = (context: Context) => Promise<readonly Figure[]>;

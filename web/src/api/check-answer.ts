import { z } from "zod";
import { ROUTE_CONTRACTS } from "../../../src/contract/routes/all.ts";

/** Development builds only: it brings zod into the page. */
export function checkAnswer(method: string, path: string, answer: unknown): void {
  const contract = Object.values(ROUTE_CONTRACTS).find(
    (each) => each.method === method && each.path === path,
  );
  const { error } = contract?.answer.safeParse(answer) ?? {};
  if (error) {
    throw new Error(
      `The answer to ${method} ${path} breaks its contract.\n${z.prettifyError(error)}`,
    );
  }
}

/** The code of a system error (`ENOENT`, `EMFILE`, …). */
export function errorCode(error: unknown): unknown {
  return error instanceof Error && "code" in error ? error.code : undefined;
}

export function isCode(error: unknown, ...codes: readonly string[]): boolean {
  return codes.some((code) => code === errorCode(error));
}

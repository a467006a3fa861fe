export type JsonColumn<T> = { write(value: T): string; read(text: string): T };

/** What is read is what the same column wrote, so the type is known and not checked. */
export function jsonColumn<T>(): JsonColumn<T> {
  return {
    write: (value) => JSON.stringify(value),
    read: (text) => JSON.parse(text),
  };
}

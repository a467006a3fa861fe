export type JsonColumn<T> = { write(value: T): string; read(text: string): T };

/** Not validated when read: only the same column writes the value, so its type is known. */
export function jsonColumn<T>(): JsonColumn<T> {
  return {
    write: (value) => JSON.stringify(value),
    read: (text) => JSON.parse(text),
  };
}

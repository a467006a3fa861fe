export type Clock = { now(): number };
export type Random = {
  /** n random bytes as lower-case hex. */
  hex(bytes: number): string;
  /** A ULID: sorts by time. */
  ulid(atMs: number): string;
};
export type Log = {
  debug(message: string, fields?: Readonly<Record<string, unknown>>): void;
  info(message: string, fields?: Readonly<Record<string, unknown>>): void;
  warn(message: string, fields?: Readonly<Record<string, unknown>>): void;
  error(message: string, fields?: Readonly<Record<string, unknown>>): void;
};
export type Directories = {
  exists(path: string): Promise<boolean>;
  resolve(path: string, base: string): string;
  /** The directory of sample tasks; made if it does not exist. */
  sample(): Promise<string>;
};
export type Tokens = { create(): string; hash(token: string): string };

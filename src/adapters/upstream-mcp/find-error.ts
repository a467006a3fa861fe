import { plainText } from "../../domain/text/plain-text.ts";
import { MAX_ERROR_CHARS } from "./limits.ts";

const PYTHON_TRACE = /^Traceback \(most recent call last\):/;
/** A frame of JavaScript or Java. */
const FRAME = /^\s+at\s/;
const GO_PANIC = /^(?:panic|fatal error): /;
const INDENTED = /^\s/;

/**
 * Why a program has ended, from what it wrote to stderr: the error of its last stack trace, without
 * the frames. If there is no stack trace: the last whole lines that fit. Empty: it wrote nothing.
 */
export function findError(stderr: string): string {
  const words = plainText(stderr).trim();
  const lines = words.split("\n");
  const error = afterPythonTrace(lines) ?? beforeFrames(lines) ?? lines.findLast(isPanic);
  if (error !== undefined) return error.slice(0, MAX_ERROR_CHARS);
  if (words.length <= MAX_ERROR_CHARS) return words;
  const end = words.slice(-MAX_ERROR_CHARS);
  return `… ${end.slice(end.indexOf("\n") + 1)}`;
}

const isPanic = (line: string): boolean => GO_PANIC.test(line);

function afterPythonTrace(lines: readonly string[]): string | undefined {
  const trace = lines.findLastIndex((line) => PYTHON_TRACE.test(line));
  if (trace === -1) return undefined;
  return lines.slice(trace + 1).find((line) => line !== "" && !INDENTED.test(line));
}

/** The error is the paragraph in front of the frames; the frames of its causes are indented more. */
function beforeFrames(lines: readonly string[]): string | undefined {
  const frame = lines.findLastIndex((line, index) => {
    const before = lines[index - 1] ?? "";
    return FRAME.test(line) && before !== "" && !INDENTED.test(before);
  });
  if (frame === -1) return undefined;
  const blank = lines.slice(0, frame).lastIndexOf("");
  return lines.slice(blank + 1, frame).join("\n");
}

import {
  type Document,
  isAlias,
  isCollection,
  isMap,
  isNode,
  isPair,
  isScalar,
  isSeq,
  LineCounter,
  type Pair,
  parseDocument,
  visit,
  type YAMLMap,
} from "yaml";
import type { ConfigProblem } from "./config-error.ts";
import type { SourcePosition } from "./source-excerpt.ts";

export type SettingPath = readonly (string | number)[];

/** A configuration text as plain data, with the positions of its settings. */
export type ParsedText = {
  /** undefined: the YAML is broken, so more messages would be guesses. */
  readonly data: { readonly value: unknown } | undefined;
  readonly problems: readonly ConfigProblem[];
  /** The position of a value; for a missing one, of the nearest node around it. */
  positionOf(path: SettingPath): SourcePosition;
  positionOfKey(path: SettingPath, key: string): SourcePosition;
};

const MAX_ALIASES = 100;

export function parseConfigText(text: string, path: string): ParsedText {
  const lineCounter = new LineCounter();
  const position = (offset: number) => positionAt(text, path, lineCounter, offset);
  const document = parseDocument(text, {
    lineCounter,
    prettyErrors: false,
    // The library compares each key with every other key, which takes minutes for a large map.
    uniqueKeys: false,
    logLevel: "error",
  });
  const syntax = [...document.errors, ...document.warnings].map(({ code, message, pos }) => ({
    text: describeSyntaxError(code, message),
    at: position(pos[0]),
  }));
  const { problems, fatal } = syntax.length > 0 ? { problems: syntax, fatal: true } : inspect();

  function inspect(): { problems: ConfigProblem[]; fatal: boolean } {
    const doubles = findDuplicateKeys(document).map(({ key, offset }) => ({
      text: `the key "${key}" appears twice in the same map; remove one`,
      at: position(offset),
    }));
    const aliases = findAliasProblems(document).map(({ problem, offset }) => ({
      text: problem,
      at: position(offset),
    }));
    return { problems: [...doubles, ...aliases], fatal: aliases.length > 0 };
  }

  return {
    data: fatal ? undefined : { value: toPlain(document) },
    problems,
    positionOf: (setting) => position(offsetOf(document, setting)),
    positionOfKey: (setting, key) => position(offsetOf(document, setting, key)),
  };
}

function toPlain(document: Document): unknown {
  const value: unknown = document.toJS({ maxAliasCount: MAX_ALIASES });
  // An empty file, or one with comments only, means defaults.
  return value ?? {};
}

function describeSyntaxError(code: string, message: string): string {
  switch (code) {
    case "TAB_AS_INDENT":
      return "YAML syntax error: a tab is used for indentation; use spaces";
    case "MULTIPLE_DOCS":
      return "YAML syntax error: a second document begins here (---); expected one document";
    case "RESOURCE_EXHAUSTION":
      return "YAML syntax error: lists or maps are nested too deeply";
    case "TAG_RESOLVE_FAILED":
      return `YAML syntax error: ${message}; remove the tag`;
    default:
      return `YAML syntax error: ${message}`;
  }
}

function findDuplicateKeys(document: Document): readonly { key: string; offset: number }[] {
  const found: { key: string; offset: number }[] = [];
  visit(document, {
    Map(_, map) {
      const seen = new Set<string>();
      for (const { key } of map.items) {
        if (!isScalar(key)) continue;
        const name = String(key.value);
        if (seen.has(name)) found.push({ key: name, offset: key.range?.[0] ?? 0 });
        seen.add(name);
      }
    },
  });
  return found;
}

/** Nested aliases grow exponentially when expanded, so their number is checked first. */
function findAliasProblems(document: Document): readonly { problem: string; offset: number }[] {
  const anchors = new Set<string>();
  const open = new Set<string>();
  const found: { problem: string; offset: number }[] = [];
  let count = 0;
  let last = 0;
  visit(document, {
    Alias(_, alias, ancestors) {
      const offset = alias.range?.[0] ?? 0;
      count += 1;
      last = offset;
      open.clear();
      for (const above of ancestors) {
        if (isCollection(above) && above.anchor) open.add(above.anchor);
      }
      if (open.has(alias.source)) {
        found.push({ problem: `the alias *${alias.source} contains itself`, offset });
      } else if (!anchors.has(alias.source)) {
        found.push({ problem: `the alias *${alias.source} has no anchor before it`, offset });
      } else if (count > MAX_ALIASES) {
        found.push({ problem: `more than ${MAX_ALIASES} aliases; write the values out`, offset });
        return visit.BREAK;
      }
      return undefined;
    },
    Node(_, node) {
      if ("anchor" in node && node.anchor) anchors.add(node.anchor);
    },
  });
  if (found.length === 0 && count > 0) {
    try {
      toPlain(document);
    } catch (error) {
      if (!(error instanceof ReferenceError)) throw error;
      found.push({
        problem: "aliases of aliases expand too far; write the values out",
        offset: last,
      });
    }
  }
  return found;
}

/** The position of a value, or of a key of the map at `path`; of the deepest node that exists. */
function offsetOf(document: Document, path: SettingPath, key?: string): number {
  let node: unknown = document.contents;
  let offset = startOf(node) ?? 0;
  for (const part of path) {
    node = childOf(document, node, part);
    const start = startOf(node);
    if (start === undefined) return offset;
    offset = start;
  }
  const map = isAlias(node) ? node.resolve(document) : node;
  if (key === undefined || !isMap(map)) return offset;
  return startOf(pairOf(map, key)?.key) ?? offset;
}

function childOf(document: Document, node: unknown, part: string | number): unknown {
  const parent = isAlias(node) ? node.resolve(document) : node;
  if (isSeq(parent) && typeof part === "number") return parent.items[part];
  if (!isMap(parent)) return undefined;
  const pair = pairOf(parent, String(part));
  // A key without a value has no position for the value.
  return startOf(pair?.value) === undefined ? pair?.key : pair?.value;
}

const indexes = new WeakMap<YAMLMap, ReadonlyMap<string, Pair>>();

/** Indexed, because a map may be large and all its keys may be wrong. */
function pairOf(map: YAMLMap, key: string): Pair | undefined {
  const index =
    indexes.get(map) ??
    new Map(map.items.map((pair) => [isScalar(pair.key) ? String(pair.key.value) : "", pair]));
  indexes.set(map, index);
  return index.get(key);
}

function startOf(node: unknown): number | undefined {
  if (isPair(node)) return startOf(node.key);
  return isNode(node) ? node.range?.[0] : undefined;
}

function positionAt(
  text: string,
  path: string,
  lineCounter: LineCounter,
  offset: number,
): SourcePosition {
  const { line, col } = lineCounter.linePos(offset);
  const start = lineCounter.lineStarts[line - 1] ?? 0;
  const end = text.indexOf("\n", start);
  return {
    path,
    offset,
    line: Math.max(1, line),
    column: Math.max(1, col),
    sourceLine: text.slice(start, end === -1 ? undefined : end).replace(/\r$/, ""),
  };
}

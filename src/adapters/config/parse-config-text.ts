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
import type { Texts } from "../../domain/locale.ts";
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
      text: {
        en: `the key "${key}" appears twice in the same map; remove one`,
        ja: `同じマップにキー「${key}」が 2 つあります。片方を消してください。`,
      },
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

function describeSyntaxError(code: string, message: string): Texts {
  const said = SYNTAX[code]?.(message) ?? { en: message, ja: message };
  return { en: `YAML syntax error: ${said.en}`, ja: `YAML の文法エラー: ${said.ja}` };
}

/** The library has its own words for the rest, in English. */
const SYNTAX: Readonly<Record<string, (message: string) => Texts>> = {
  TAB_AS_INDENT: () => ({
    en: "a tab is used for indentation; use spaces",
    ja: "字下げにタブが使われています。空白を使ってください。",
  }),
  MULTIPLE_DOCS: () => ({
    en: "a second document begins here (---); expected one document",
    ja: "ここから 2 つ目の文書が始まっています（---）。1 つにしてください。",
  }),
  RESOURCE_EXHAUSTION: () => ({
    en: "lists or maps are nested too deeply",
    ja: "リストかマップの入れ子が深すぎます。",
  }),
  TAG_RESOLVE_FAILED: (message) => ({
    en: `${message}; remove the tag`,
    ja: `${message}。タグを消してください。`,
  }),
};

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

const aliasProblems = {
  itself: (name: string): Texts => ({
    en: `the alias *${name} contains itself`,
    ja: `エイリアス *${name} が自分自身を含んでいます。`,
  }),
  noAnchor: (name: string): Texts => ({
    en: `the alias *${name} has no anchor before it`,
    ja: `エイリアス *${name} の前に、そのアンカーがありません。`,
  }),
  tooMany: {
    en: `more than ${MAX_ALIASES} aliases; write the values out`,
    ja: `エイリアスが ${MAX_ALIASES} 個を超えています。値をそのまま書いてください。`,
  },
  tooFar: {
    en: "aliases of aliases expand too far; write the values out",
    ja: "エイリアスのエイリアスが広がりすぎます。値をそのまま書いてください。",
  },
};

/** Nested aliases grow exponentially when expanded, so their number is checked first. */
function findAliasProblems(document: Document): readonly { problem: Texts; offset: number }[] {
  const anchors = new Set<string>();
  const open = new Set<string>();
  const found: { problem: Texts; offset: number }[] = [];
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
        found.push({ problem: aliasProblems.itself(alias.source), offset });
      } else if (!anchors.has(alias.source)) {
        found.push({ problem: aliasProblems.noAnchor(alias.source), offset });
      } else if (count > MAX_ALIASES) {
        found.push({ problem: aliasProblems.tooMany, offset });
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
      found.push({ problem: aliasProblems.tooFar, offset: last });
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

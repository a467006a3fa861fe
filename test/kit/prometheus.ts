/** Numbers of a page, by metric and labels in the order they are written: `up{a="1"}`. */
export type Samples = ReadonlyMap<string, number>;

const NAME = "[a-zA-Z_:][a-zA-Z0-9_:]*";
const LABEL = String.raw`[a-zA-Z_][a-zA-Z0-9_]*="(?:[^"\\\n]|\\["\\n])*"`;
const SAMPLE = new RegExp(`^(${NAME})(\\{${LABEL}(?:,${LABEL})*\\})? (\\S+)$`);
const COMMENT = new RegExp(`^# (HELP|TYPE) (${NAME}) (.+)$`);
const TYPES = new Set(["counter", "gauge", "histogram", "summary", "untyped"]);
const SUFFIX = /_(bucket|sum|count)$/;

/**
 * Reads the text format 0.0.4 of Prometheus strictly: every line is a sample, or names the help or the
 * type of the metric whose samples follow. No metric and no sample is there twice.
 */
export function readMetrics(text: string): Samples {
  if (!text.endsWith("\n")) throw new Error("The last line does not end.");
  const samples = new Map<string, number>();
  const types = new Map<string, string>();
  let help: string | undefined;
  let now = "";
  for (const line of text.split("\n").filter((each) => each !== "")) {
    const [, kind, about = "", said = ""] = COMMENT.exec(line) ?? [];
    if (kind === "HELP") {
      help = about;
    } else if (kind === "TYPE") {
      if (help !== about) throw new Error(`${about} has no help before its type.`);
      if (types.has(about)) throw new Error(`${about} is there twice.`);
      if (!TYPES.has(said)) throw new Error(`${about} has the unknown type ${said}.`);
      types.set(about, said);
      now = about;
    } else {
      const [key, value] = sampleIn(line, now, types.get(now));
      if (samples.has(key)) throw new Error(`${key} is there twice.`);
      samples.set(key, value);
    }
  }
  return samples;
}

function sampleIn(line: string, metric: string, type: string | undefined): [string, number] {
  const [, name = "", labels = "", written = ""] = SAMPLE.exec(line) ?? [];
  const family = type === "histogram" || type === "summary" ? name.replace(SUFFIX, "") : name;
  if (family !== metric) throw new Error(`This line does not belong to ${metric}: ${line}`);
  const value = written === "Nan" ? Number.NaN : Number(written.replace("Inf", "Infinity"));
  if (Number.isNaN(value) && written !== "Nan") throw new Error(`This is no number: ${line}`);
  return [`${name}${labels}`, value];
}

export async function metricsAt(
  url: string,
  headers: Readonly<Record<string, string>> = {},
): Promise<Samples> {
  const response = await fetch(`${url}/metrics`, { headers });
  const text = await response.text();
  if (response.status !== 200) throw new Error(`${response.status} ${text}`);
  return readMetrics(text);
}

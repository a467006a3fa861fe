import { deflateSync } from "node:zlib";
import {
  chunk,
  headOf,
  paletteOf,
  readPixels,
  rowsOf,
  SIGNATURE,
  wholeOf,
  type Part,
  type Pixels,
} from "../shrink-png.ts";

export type Frame = { readonly png: Buffer; readonly ms: number };

/**
 * An animated PNG of screenshots of one size. Browsers and code hosts show it like a GIF, but it is
 * smaller and keeps text sharp. Each frame contains only the part that has changed.
 */
export function animate(frames: readonly Frame[]): Buffer {
  const shots = frames.map(({ png, ms }) => ({ pixels: readPixels(png), ms }));
  const { palette, indexes } = paletteOf(shots.map(({ pixels }) => pixels));
  const [first] = shots;
  if (!first) throw new Error("There is no frame.");
  let sequence = 0;
  const parts = shots.flatMap(({ pixels, ms }, index) => {
    const part =
      index === 0 ? wholeOf(pixels) : changed(shots[index - 1]?.pixels ?? pixels, pixels);
    const data = deflateSync(rowsOf(pixels, indexes, part), { level: 9 });
    const control = chunk("fcTL", controlOf(sequence++, part, ms));
    if (index === 0) return [control, chunk("IDAT", data)];
    return [control, chunk("fdAT", Buffer.concat([number(sequence++), data]))];
  });
  const count = Buffer.concat([number(shots.length), number(0)]);
  return Buffer.concat([
    SIGNATURE,
    headOf(first.pixels.width, first.pixels.height),
    chunk("acTL", count),
    chunk("PLTE", Buffer.from(palette.flat())),
    ...parts,
    chunk("IEND", Buffer.alloc(0)),
  ]);
}

/** The smallest rectangle around everything that differs; one pixel if nothing does. */
function changed(before: Pixels, after: Pixels): Part {
  const { width, height, channels } = after;
  let [left, top, right, bottom] = [width, height, 0, 0];
  for (let pixel = 0; pixel < width * height; pixel++) {
    const at = pixel * channels;
    if (before.data.readUIntBE(at, 3) === after.data.readUIntBE(at, 3)) continue;
    const [x, y] = [pixel % width, Math.floor(pixel / width)];
    left = Math.min(left, x);
    right = Math.max(right, x);
    top = Math.min(top, y);
    bottom = Math.max(bottom, y);
  }
  if (right < left) return { left: 0, top: 0, width: 1, height: 1 };
  return { left, top, width: right - left + 1, height: bottom - top + 1 };
}

function controlOf(sequence: number, { left, top, width, height }: Part, ms: number): Buffer {
  const delay = Buffer.alloc(4);
  delay.writeUInt16BE(Math.round(ms), 0);
  delay.writeUInt16BE(1_000, 2);
  // The frame stays, and the next one is drawn over it.
  const rest = Buffer.from([0, 0]);
  return Buffer.concat([...[sequence, width, height, left, top].map(number), delay, rest]);
}

function number(value: number): Buffer {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32BE(value);
  return bytes;
}

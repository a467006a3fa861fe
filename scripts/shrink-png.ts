import { crc32, deflateSync, inflateSync } from "node:zlib";

/**
 * A screenshot with a palette of 256 colours: a third of the size, and text looks the same. For PNG
 * files as browsers write them: 8 bits per channel, with or without alpha, not interlaced.
 */
export function shrinkPng(png: Buffer): Buffer {
  const pixels = readPixels(png);
  const { palette, indexes } = paletteOf([pixels]);
  return writePng(pixels.width, pixels.height, palette, rowsOf(pixels, indexes, wholeOf(pixels)));
}

/** The most frequent colours of all pictures, and for every colour the nearest of them. */
export function paletteOf(pictures: readonly Pixels[]) {
  const counts = new Map<number, number>();
  for (const { channels, data } of pictures) {
    for (let at = 0; at < data.length; at += channels) {
      const color = data.readUIntBE(at, 3);
      counts.set(color, (counts.get(color) ?? 0) + 1);
    }
  }
  const palette = [...counts]
    .toSorted(([, left], [, right]) => right - left)
    .slice(0, MAX_COLORS)
    .map(([color]) => partsOf(color));
  const indexes = new Map(
    [...counts.keys()].map((color) => [color, nearest(palette, partsOf(color))]),
  );
  return { palette, indexes };
}

/** The part of a picture as rows of palette indexes, each with its filter byte. */
export function rowsOf(
  { width, channels, data }: Pixels,
  indexes: ReadonlyMap<number, number>,
  part: Part,
): Buffer {
  const rows = Buffer.alloc((part.width + 1) * part.height);
  for (let y = 0; y < part.height; y++) {
    for (let x = 0; x < part.width; x++) {
      const pixel = (part.top + y) * width + part.left + x;
      rows[y * (part.width + 1) + 1 + x] = indexes.get(data.readUIntBE(pixel * channels, 3)) ?? 0;
    }
  }
  return rows;
}

export type Part = {
  readonly left: number;
  readonly top: number;
  readonly width: number;
  readonly height: number;
};

export function wholeOf({ width, height }: Pixels): Part {
  return { left: 0, top: 0, width, height };
}

const MAX_COLORS = 256;
export const SIGNATURE = Buffer.from("89504e470d0a1a0a", "hex");

export type Color = readonly [number, number, number];

function partsOf(color: number): Color {
  return [color >> 16, (color >> 8) & 0xff, color & 0xff];
}

function nearest(palette: readonly Color[], color: Color): number {
  const distances = palette.map((each) => distance(each, color));
  return distances.indexOf(Math.min(...distances));
}

function distance([red, green, blue]: Color, other: Color): number {
  return (red - other[0]) ** 2 + (green - other[1]) ** 2 + (blue - other[2]) ** 2;
}

export type Pixels = {
  readonly width: number;
  readonly height: number;
  readonly channels: number;
  readonly data: Buffer;
};

export function readPixels(png: Buffer): Pixels {
  const width = png.readUInt32BE(16);
  const height = png.readUInt32BE(20);
  const channels = png[25] === 6 ? 4 : 3;
  const parts: Buffer[] = [];
  for (let at = SIGNATURE.length; at < png.length;) {
    const length = png.readUInt32BE(at);
    if (png.toString("latin1", at + 4, at + 8) === "IDAT") {
      parts.push(png.subarray(at + 8, at + 8 + length));
    }
    at += length + 12;
  }
  const filtered = inflateSync(Buffer.concat(parts));
  return { width, height, channels, data: unfilter(filtered, width * channels, height, channels) };
}

/** Each row begins with its filter: none, left, above, average of both, or Paeth. */
function unfilter(filtered: Buffer, stride: number, height: number, channels: number): Buffer {
  const data = Buffer.alloc(stride * height);
  for (let row = 0; row < height; row++) {
    const filter = filtered[row * (stride + 1)] ?? 0;
    for (let column = 0; column < stride; column++) {
      const at = row * stride + column;
      const left = column < channels ? 0 : (data[at - channels] ?? 0);
      const above = row === 0 ? 0 : (data[at - stride] ?? 0);
      const corner = row === 0 || column < channels ? 0 : (data[at - stride - channels] ?? 0);
      const predicted = [0, left, above, (left + above) >> 1, paeth(left, above, corner)][filter];
      data[at] = (filtered[row * (stride + 1) + 1 + column] ?? 0) + (predicted ?? 0);
    }
  }
  return data;
}

function paeth(left: number, above: number, corner: number): number {
  const guess = left + above - corner;
  const [byLeft, byAbove, byCorner] = [left, above, corner].map((each) => Math.abs(guess - each));
  if ((byLeft ?? 0) <= (byAbove ?? 0) && (byLeft ?? 0) <= (byCorner ?? 0)) return left;
  return (byAbove ?? 0) <= (byCorner ?? 0) ? above : corner;
}

function writePng(width: number, height: number, palette: readonly Color[], rows: Buffer): Buffer {
  return Buffer.concat([
    SIGNATURE,
    headOf(width, height),
    chunk("PLTE", Buffer.from(palette.flat())),
    chunk("IDAT", deflateSync(rows, { level: 9 })),
    chunk("IEND", Buffer.alloc(0)),
  ]);
}

export function headOf(width: number, height: number): Buffer {
  const head = Buffer.alloc(13);
  head.writeUInt32BE(width, 0);
  head.writeUInt32BE(height, 4);
  // 8 bits per pixel, colours from the palette.
  head.set([8, 3, 0, 0, 0], 8);
  return chunk("IHDR", head);
}

export function chunk(type: string, data: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(type, "latin1"), data]);
  const frame = Buffer.alloc(body.length + 8);
  frame.writeUInt32BE(data.length, 0);
  frame.set(body, 4);
  frame.writeUInt32BE(crc32(body), body.length + 4);
  return frame;
}

import { crc32, deflateSync, inflateSync } from 'node:zlib';

const signature = Buffer.from('89504e470d0a1a0a', 'hex');

/**
 * Reduces a picture to at most 256 colors, and so to a quarter of its bytes. A screen has few colors, and shades of
 * them at the edges of letters: shades that look the same become one.
 *
 * @param {Buffer} png with eight bits per channel and without interlacing, as browsers write it
 */
export function withPalette(png) {
  const { width, height, pixels } = decode(png);
  /** @type {Map<number, number>} */
  const counts = new Map();
  for (const pixel of pixels) counts.set(pixel, (counts.get(pixel) ?? 0) + 1);
  const palette = choosePalette(counts);
  const indexOf = new Map(Array.from(counts.keys(), (color) => [color, nearest(palette, color)]));

  const lines = Buffer.alloc(height * (width + 1));
  for (let y = 0; y < height; y++)
    for (let x = 0; x < width; x++) lines[y * (width + 1) + 1 + x] = indexOf.get(pixels[y * width + x] ?? 0) ?? 0;
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  header.set([8, 3, 0, 0, 0], 8);
  return Buffer.concat([
    signature,
    chunk('IHDR', header),
    chunk('PLTE', Buffer.from(palette.flatMap(channels))),
    chunk('IDAT', deflateSync(lines, { level: 9, memLevel: 9 })),
    chunk('IEND', Buffer.alloc(0)),
  ]);
}

/**
 * Returns the most frequent colors, without those that are too similar to a more frequent one.
 *
 * @param {Map<number, number>} counts
 */
function choosePalette(counts) {
  const colors = Array.from(counts.keys()).toSorted((one, other) => (counts.get(other) ?? 0) - (counts.get(one) ?? 0));
  for (let apart = 0; ; apart += 2) {
    /** @type {number[]} */
    const palette = [];
    for (const color of colors) {
      if (palette.length > 256) break;
      if (palette.every((chosen) => distance(chosen, color) > apart)) palette.push(color);
    }
    if (palette.length <= 256) return palette;
  }
}

/**
 * @param {readonly number[]} palette
 * @param {number} color
 */
function nearest(palette, color) {
  let best = 0;
  for (const [index, chosen] of palette.entries())
    if (distance(chosen, color) < distance(palette[best] ?? 0, color)) best = index;
  return best;
}

/** @param {number} color */
const channels = (color) => [color >> 16, (color >> 8) & 255, color & 255];

/**
 * @param {number} one
 * @param {number} other
 */
function distance(one, other) {
  const red = (one >> 16) - (other >> 16);
  const green = ((one >> 8) & 255) - ((other >> 8) & 255);
  const blue = (one & 255) - (other & 255);
  return red * red + green * green + blue * blue;
}

/** @param {Buffer} png */
function decode(png) {
  const parts = [];
  let [width, height, depth] = [0, 0, 0];
  for (let at = 8; at < png.length;) {
    const length = png.readUInt32BE(at);
    const name = png.toString('latin1', at + 4, at + 8);
    const data = png.subarray(at + 8, at + 8 + length);
    if (name === 'IHDR') {
      width = data.readUInt32BE(0);
      height = data.readUInt32BE(4);
      depth = data[9] === 6 ? 4 : 3;
    } else if (name === 'IDAT') parts.push(data);
    at += length + 12;
  }
  const bytes = unfilter(inflateSync(Buffer.concat(parts)), width * depth, depth);
  const pixels = new Uint32Array(width * height);
  for (let pixel = 0; pixel < pixels.length; pixel++) {
    const at = pixel * depth;
    pixels[pixel] = ((bytes[at] ?? 0) << 16) | ((bytes[at + 1] ?? 0) << 8) | (bytes[at + 2] ?? 0);
  }
  return { width, height, pixels };
}

/**
 * Decodes the lines. The first byte of each line names the filter that predicts it from the previous bytes.
 *
 * @param {Buffer} lines
 * @param {number} width of a line, in bytes
 * @param {number} depth of a pixel, in bytes
 */
function unfilter(lines, width, depth) {
  const height = lines.length / (width + 1);
  const bytes = new Uint8Array(width * height);
  for (let y = 0; y < height; y++) {
    const filter = lines[y * (width + 1)];
    for (let x = 0; x < width; x++) {
      const at = y * width + x;
      const left = x < depth ? 0 : (bytes[at - depth] ?? 0);
      const above = y === 0 ? 0 : (bytes[at - width] ?? 0);
      const corner = x < depth || y === 0 ? 0 : (bytes[at - width - depth] ?? 0);
      const predicted = [0, left, above, (left + above) >> 1, paeth(left, above, corner)][filter ?? 0] ?? 0;
      bytes[at] = (lines[y * (width + 1) + 1 + x] ?? 0) + predicted;
    }
  }
  return bytes;
}

/**
 * @param {number} left
 * @param {number} above
 * @param {number} corner
 */
function paeth(left, above, corner) {
  const guess = left + above - corner;
  const [a, b, c] = [Math.abs(guess - left), Math.abs(guess - above), Math.abs(guess - corner)];
  return a <= b && a <= c ? left : b <= c ? above : corner;
}

/**
 * @param {string} name
 * @param {Buffer} data
 */
function chunk(name, data) {
  const body = Buffer.concat([Buffer.from(name, 'latin1'), data]);
  const framed = Buffer.alloc(body.length + 8);
  framed.writeUInt32BE(data.length, 0);
  body.copy(framed, 4);
  framed.writeUInt32BE(crc32(body), body.length + 4);
  return framed;
}

import { crc32, deflateSync } from 'node:zlib';
import type { Page } from 'playwright-core';

/** The most colors of a palette. Source: Portable Network Graphics (Third Edition) §11.2.2 */
const MOST = 256;
/** The most frequent colors stay exact: those of areas. The others are edges of letters. */
const EXACT = 96;

/** Reads the pixels of an image in a browser, which can decode it. Each pixel is 0xRRGGBB. */
async function pixelsOf(page: Page, png: Buffer): Promise<{ width: number; pixels: Uint32Array }> {
  const { width, data } = await page.evaluate(async (source) => {
    const bytes = Uint8Array.from(atob(source), (one) => one.charCodeAt(0));
    const image = await createImageBitmap(new Blob([bytes], { type: 'image/png' }));
    const context = new OffscreenCanvas(image.width, image.height).getContext('2d');
    if (!context) throw new Error('The browser has no canvas');
    context.drawImage(image, 0, 0);
    const { data } = context.getImageData(0, 0, image.width, image.height);
    const parts = [];
    for (let at = 0; at < data.length; at += 32_768)
      parts.push(String.fromCharCode(...data.subarray(at, at + 32_768)));
    return { width: image.width, data: btoa(parts.join('')) };
  }, png.toString('base64'));
  const read = Buffer.from(data, 'base64');
  const pixels = new Uint32Array(read.length / 4);
  for (let at = 0; at < pixels.length; at += 1) pixels[at] = read.readUIntBE(4 * at, 3);
  return { width, pixels };
}

/** Returns a color whose channels are multiples of `step`. */
const rounded = (color: number, step: number): number =>
  [16, 8, 0].reduce((sum, shift) => {
    const channel = (color >> shift) & 255;
    return sum * 256 + Math.min(255, Math.round(channel / step) * step);
  }, 0);

/** Returns the color of the palette for each color. */
function paletteOf(pixels: Uint32Array): ReadonlyMap<number, number> {
  const counts = new Map<number, number>();
  for (const one of pixels) counts.set(one, (counts.get(one) ?? 0) + 1);
  const colors = [...counts].sort(([, a], [, b]) => b - a).map(([color]) => color);
  for (let step = 1; ; step *= 2) {
    const all = new Map(colors.map((one, at) => [one, at < EXACT ? one : rounded(one, step)]));
    if (new Set(all.values()).size <= MOST) return all;
  }
}

function chunk(type: string, data: Buffer): Buffer {
  const length = Buffer.alloc(4);
  length.writeUInt32BE(data.length);
  const content = Buffer.concat([Buffer.from(type, 'latin1'), data]);
  const sum = Buffer.alloc(4);
  sum.writeUInt32BE(crc32(content));
  return Buffer.concat([length, content, sum]);
}

/** Returns a picture of a page with at most 256 colors: a third of its bytes. Source: PNG (Third Edition) §5, §11.2. */
export async function withPalette(page: Page, png: Buffer): Promise<Buffer> {
  const { width, pixels } = await pixelsOf(page, png);
  const palette = paletteOf(pixels);
  const colors = [...new Set(palette.values())];
  const places = new Map(colors.map((color, at) => [color, at]));
  const height = pixels.length / width;
  const rows = Buffer.alloc(pixels.length + height);
  for (const [at, pixel] of pixels.entries())
    rows[at + Math.floor(at / width) + 1] = places.get(palette.get(pixel) ?? pixel) ?? 0;
  const header = Buffer.from([0, 0, 0, 0, 0, 0, 0, 0, 8, 3, 0, 0, 0]);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  return Buffer.concat([
    png.subarray(0, 8),
    chunk('IHDR', header),
    chunk('PLTE', Buffer.from(colors.flatMap((color) => [color >> 16, (color >> 8) & 255, color & 255]))),
    chunk('IDAT', deflateSync(rows, { level: 9 })),
    chunk('IEND', Buffer.alloc(0)),
  ]);
}

import sharp from "sharp";

/** The maximum size of an image in the docs. */
const maxBytes = 150_000;

/** Compresses the image: pages have few colors. `name` is for the error message. */
export async function smallPicture(name: string, png: Buffer): Promise<Buffer> {
  const small = await sharp(png).png({ palette: true, quality: 100, effort: 10 }).toBuffer();
  if (small.length > maxBytes) throw new Error(`${name}: ${small.length} bytes, at most ${maxBytes}`);
  return small;
}

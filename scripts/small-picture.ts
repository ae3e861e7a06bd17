import sharp from "sharp";

/** A picture of a page in the documentation should not weigh more. */
const maxBytes = 150_000;

/** The same picture in fewer bytes: pages have few colors. `name` is for whoever reads the error. */
export async function smallPicture(name: string, png: Buffer): Promise<Buffer> {
  const small = await sharp(png).png({ palette: true, quality: 100, effort: 10 }).toBuffer();
  if (small.length > maxBytes) throw new Error(`${name}: ${small.length} bytes, at most ${maxBytes}`);
  return small;
}

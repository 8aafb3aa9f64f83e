import { base64 } from "./base64.js";
import { cleanName, cleanType } from "./filename.js";
import { look } from "./picture.js";
import type { Blob } from "./platform.js";
import type { UnsentFile } from "./types.js";

/** Returns a file without metadata. */
export type Scrub = (blob: Blob) => Promise<Blob>;

/** Returns what the server must know about a file. It throws an error for people if it cannot be read. */
export async function prepare(file: UnsentFile, scrub: Scrub): Promise<Partial<UnsentFile>> {
  const { name, type, blob } = file;
  const { preview, ...picture } = await look(blob);
  const sums = await Promise.all([await sentOf(file, scrub), ...(preview ? [preview] : [])].map(digest));
  return {
    name: cleanName(name), type: cleanType(type), sha256: sums[0]!, ...picture,
    ...(preview && { preview: { blob: preview, sha256: sums[1]! } }),
  };
}

/**
 * Returns the bytes that are sent for a file: without metadata such as the location, unless the
 * person sends the original.
 */
export const sentOf = async ({ blob, original }: UnsentFile, scrub: Scrub): Promise<Blob> =>
  (original ? blob : scrub(blob));

/** Returns the SHA-256 of the bytes in base64. */
export async function digest(blob: Blob): Promise<string> {
  if (!crypto.subtle) throw new Error("Files can only be sent from a page that was loaded over HTTPS.");
  const bytes = await blob.arrayBuffer().catch(() => {
    throw new Error("The file cannot be read.");
  });
  return base64(await crypto.subtle.digest("SHA-256", bytes));
}

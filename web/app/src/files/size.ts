const units = ["bytes", "KB", "MB", "GB"];

/** Returns a size as people read it, such as "48 KB" or "1.2 MB". A KB has 1,024 bytes, as in the limits of the API. */
export function sizeWords(bytes: number): string {
  const unit = Math.min(units.length - 1, Math.floor(Math.log2(bytes || 1) / 10));
  const n = bytes / 1024 ** unit;
  return bytes === 1 ? "1 byte" : `${n < 10 ? Math.round(10 * n) / 10 : Math.round(n)} ${units[unit]}`;
}

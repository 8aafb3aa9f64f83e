/** Returns bytes in base64. */
export const base64 = (bytes: ArrayBuffer | Uint8Array<ArrayBuffer>) =>
  btoa(String.fromCharCode(...new Uint8Array(bytes)));

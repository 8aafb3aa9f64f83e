import { useLayoutEffect, useState } from "preact/hooks";

/** Returns an address of a file for this page, which ends with the component; empty for no file. */
export function useObjectUrl(blob: Blob | null): string {
  const [url, setUrl] = useState("");
  useLayoutEffect(() => {
    if (!blob) return undefined;
    const made = URL.createObjectURL(blob);
    setUrl(made);
    return () => URL.revokeObjectURL(made);
  }, [blob]);
  return url;
}

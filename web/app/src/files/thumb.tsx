import { useState } from "preact/hooks";
import { Icon } from "../ui/icons.js";
import { useObjectUrl } from "../ui/object-url.js";

/** A small picture of a file that is not sent yet, or an icon if the browser can show none. */
export function Thumb({ blob }: { blob: Blob }) {
  const url = useObjectUrl(blob.type.startsWith("image/") ? blob : null);
  const [broken, setBroken] = useState(false);
  return (
    <span class="mini">
      {url && !broken ? <img src={url} alt="" decoding="async" onError={() => setBroken(true)} /> : <Icon name="doc" />}
    </span>
  );
}

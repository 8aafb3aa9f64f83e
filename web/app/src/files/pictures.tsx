// The pictures of a message, of which up to four show. A click opens the lightbox with all.
import { useState } from "preact/hooks";
import { lazy } from "../ui/lazy.js";
import type { Attachment, FileProps } from "./attachment.js";
import { nameOf, Picture } from "./picture.js";
import { styled } from "./styles.js";

const Lightbox = lazy(() => import("./lightbox.js"));

/** The most pictures that show. The last says how many more there are. */
const most = 4;

export default styled(Pictures);

function Pictures({ message, pictures, tabIndex }: FileProps & { pictures: readonly Attachment[] }) {
  const [open, setOpen] = useState(-1);
  const more = pictures.length - most;
  return (
    <>
      <div class="grid">
        {pictures.slice(0, most).map((file, i) => {
          const rest = i === most - 1 && more > 0 ? more : 0;
          return (
            <button
              key={file.id} type="button" class="picture" tabIndex={tabIndex} aria-haspopup="dialog" data-file={file.id}
              aria-label={`Picture: ${nameOf(file)}${rest ? `, and ${rest} more` : ""}`} onClick={() => setOpen(i)}
            >
              <Picture message={message} file={file} />
              {rest > 0 && <span class="rest">+{rest}</span>}
            </button>
          );
        })}
      </div>
      {open >= 0 && <Lightbox message={message} pictures={pictures} first={open} onClose={() => setOpen(-1)} />}
    </>
  );
}
